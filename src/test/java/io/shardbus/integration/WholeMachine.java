package io.shardbus.integration;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Of a test class with a browser or several processes under load, which needs both cores: no other one of this kind
 * runs at the same time, in this process or in another one of the same build. The wait for its turn is before its first
 * test, and no test's time.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(WholeMachine.Turn.class)
public @interface WholeMachine {
    /** The lock of a file, which ends with the process at the latest. */
    final class Turn implements BeforeAllCallback, AfterAllCallback {
        private static final Path FILE = Path.of("target", "whole-machine.turn");

        @Override
        public void beforeAll(ExtensionContext context) throws IOException {
            var store = store(context);
            if (store.get(Turn.class) != null) {
                return; // a nested class: the turn is that of the class around it
            }
            Files.createDirectories(FILE.getParent());
            var channel = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            channel.lock();
            store.put(Turn.class, channel);
        }

        @Override
        public void afterAll(ExtensionContext context) throws IOException {
            var channel = store(context).remove(Turn.class, FileChannel.class);
            if (channel != null) {
                channel.close();
            }
        }

        private static ExtensionContext.Store store(ExtensionContext context) {
            return context.getStore(ExtensionContext.Namespace.create(Turn.class));
        }
    }
}
