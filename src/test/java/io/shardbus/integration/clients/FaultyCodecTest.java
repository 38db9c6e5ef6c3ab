package io.shardbus.integration.clients;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an event-bus client hears where the codec of the application is wrong. */
class FaultyCodecTest {
    private record Order(String text) {}

    /**
     * Its answers stay of a class that the event bus does not carry.
     *
     * @param casts whether it casts whatever it is asked about
     */
    private record Codec(boolean casts) implements PayloadCodec<Order> {
        @Override
        public String name() {
            return "faulty";
        }

        @Override
        public boolean accepts(Object message) {
            if (casts) {
                return ((Order) message).text() != null;
            }
            return message instanceof Order;
        }

        @Override
        public void encode(Object value, Buffer out) {
            out.appendString(((Order) value).text());
        }

        @Override
        public Order decode(Buffer in, int start, int end) {
            return new Order(in.getString(start, end));
        }

        @Override
        public Order fromJson(JsonObject json) {
            return new Order(json.getString("text"));
        }

        @Override
        public Object toJson(Object answer) {
            return answer;
        }
    }

    private static final EntityType<Order> TYPE = EntityType.of("orders", Order.class);
    private static final DeliveryOptions TO =
            new DeliveryOptions().addHeader("entity-id", "a").setSendTimeout(5_000);

    private final LoneNode node = new LoneNode(TestCluster.options());

    @AfterEach
    void close() {
        node.close();
    }

    private int failureCode(Codec codec) {
        node.start(EntityDefinition.of(TYPE, id -> (message, context) -> Future.succeededFuture(message))
                .withCodec(codec));
        JsonObject message = new JsonObject().put("text", "one");
        return assertThrows(
                        ReplyException.class,
                        () -> await(node.vertx().eventBus().request("shardbus.orders", message, TO)))
                .failureCode();
    }

    @Test
    void aMessageThatItCannotJudgeIsRefused() {
        assertEquals(FailureCode.INVALID_MESSAGE.number(), failureCode(new Codec(true)));
    }

    @Test
    void anAnswerThatTheEventBusDoesNotCarryFails() {
        assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE.number(), failureCode(new Codec(false)));
    }
}
