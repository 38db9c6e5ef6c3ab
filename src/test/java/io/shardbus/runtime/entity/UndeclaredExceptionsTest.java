package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.MessageExtractor;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Checked exceptions of code whose compiler need not declare them, as Kotlin's, or that Future.await throws. */
class UndeclaredExceptionsTest {
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void throwUndeclared() throws E {
        throw (E) new IOException("not declared");
    }

    private static final class Connected implements Entity<String>, Discardable {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }

        @Override
        public void discarded() {
            UndeclaredExceptionsTest.<RuntimeException>throwUndeclared();
        }
    }

    @Test
    void anInstanceEndsWhoseDiscardingThrows() {
        try (var kit = EntityTestKit.of(LoneNode.texts(id -> new Connected()))) {
            kit.tell("one");
            kit.passivate();
            assertEquals("two", kit.request("two", String.class));
            kit.move();
            assertEquals("three", kit.request("three", String.class));
        }
    }

    @Test
    void aMessageWhoseExtractorThrowsIsRefused() {
        EntityDefinition<String> texts = LoneNode.texts(id -> new Connected()).withMessageExtractor(extractor());
        try (LoneNode node = new LoneNode(new ShardingOptions())) {
            var region = node.start(texts);
            ShardingException refusal = assertThrows(ShardingException.class, () -> region.tell("no id"));
            assertEquals(FailureCode.INVALID_MESSAGE, refusal.code());
        }
    }

    private static MessageExtractor<String> extractor() {
        return message -> {
            UndeclaredExceptionsTest.<RuntimeException>throwUndeclared();
            return message;
        };
    }
}
