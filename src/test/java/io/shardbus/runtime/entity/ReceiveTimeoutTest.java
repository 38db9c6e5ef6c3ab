package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.integration.LoneNode;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An entity that listens for 5 s of silence, and waits for a future at one message. */
class ReceiveTimeoutTest {
    private final List<String> heard = new ArrayList<>();
    private final Promise<String> awaited = Promise.promise();

    private final class Listener implements Entity<String> {
        @Override
        public Future<?> started(EntityContext<String> context) {
            context.setReceiveTimeout(Duration.ofSeconds(5), "silence");
            return done();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(message);
            return message.equals("slow") ? awaited.future() : done();
        }
    }

    private final EntityTestKit<String> kit = EntityTestKit.of(LoneNode.texts(id -> new Listener()));

    private void handledFor(Duration duration) {
        kit.tell("slow");
        kit.advance(duration);
        awaited.complete("done");
        kit.awaitQuiet();
    }

    @Test
    void theTimeBeginsWhenTheLastMessageIsHandled() {
        try (kit) {
            handledFor(Duration.ofMillis(4_900));
            kit.advance(Duration.ofMillis(4_900));
            assertEquals(List.of("slow"), heard);
            kit.advance(Duration.ofMillis(200));
            assertEquals(List.of("slow", "silence"), heard);
        }
    }

    @Test
    void theTimeBeginsThenAlsoIfTheHandlingTakesLonger() {
        try (kit) {
            handledFor(Duration.ofMillis(9_900));
            kit.advance(Duration.ofMillis(4_900));
            assertEquals(List.of("slow"), heard);
            kit.advance(Duration.ofMillis(200));
            assertEquals(List.of("slow", "silence"), heard);
        }
    }
}
