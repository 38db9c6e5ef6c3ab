package io.shardbus.logging;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loggers of other libraries that our configurations quiet: their classes exist, so an upgrade does not make a
 * setting void.
 */
class QuietLoggersTest {
    private static final List<String> FILES = List.of(
            "conf/logback.xml",
            "examples/auction/logback.xml",
            "examples/counter/logback.xml",
            "examples/devices/logback.xml");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.infinispan.interceptors.impl.InvocationContextInterceptor",
                "io.vertx.core.eventbus.impl.clustered.ClusteredEventBus"
            })
    void areClasses(String name) throws IOException {
        assertDoesNotThrow(() -> Class.forName(name, false, getClass().getClassLoader()));
        for (String file : FILES) {
            assertTrue(Files.readString(Path.of(file)).contains("<logger name=\"" + name + "\""), file);
        }
    }
}
