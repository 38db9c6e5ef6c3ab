package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.ShardRegion;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.spi.HandsOver;
import io.shardbus.spi.Inspectable;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Entities whose exceptions throw where they are asked for their text: the calls end all the same. */
class FailuresWithoutTextTest {
    private static final class Wordless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }

    /** What it throws at is a name of one of its methods. */
    private static final class Counter implements Entity<String>, HandsOver, Inspectable {
        private final String throwsAt;
        private int count;

        Counter(String throwsAt) {
            this.throwsAt = throwsAt;
        }

        private void comeTo(String method) {
            if (throwsAt.equals(method)) {
                throw new Wordless();
            }
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply("" + ++count);
        }

        @Override
        public Future<State> handOver() {
            comeTo("handOver");
            return Future.succeededFuture(new State(1, Buffer.buffer().appendInt(count)));
        }

        @Override
        public Future<?> takeOver(State state) {
            comeTo("takeOver");
            count = state.bytes().getInt(0);
            return done();
        }

        @Override
        public JsonObject inspect() {
            comeTo("inspect");
            return new JsonObject(new AbstractMap<>() {
                @Override
                public Set<Map.Entry<String, Object>> entrySet() {
                    throw new AssertionError("no entries");
                }
            });
        }
    }

    private static EntityTestKit<String> kit(String throwsAt) {
        return EntityTestKit.of(LoneNode.texts(id -> new Counter(throwsAt)));
    }

    private static void movesWithoutItsState(String throwsAt, String counter) {
        try (var kit = kit(throwsAt)) {
            assertEquals("1", kit.request("count", String.class));
            kit.move();
            assertEquals("1", kit.request("count", String.class));
            assertEquals(1L, kit.counters().get(counter));
        }
    }

    @Test
    void aShardMovesWithoutAStateThatIsNotHandedOver() {
        movesWithoutItsState("handOver", "handover_failed");
    }

    @Test
    void anEntityStartsWithoutAStateThatItRefuses() {
        movesWithoutItsState("takeOver", "handover_refused");
    }

    private static void answersAfterItWasInspected(String throwsAt, FailureCode code) {
        try (LoneNode node = new LoneNode(new ShardingOptions().setAwaitPredecessorLeases(false))) {
            ShardRegion<String> region = node.start(LoneNode.texts(id -> new Counter(throwsAt)));
            assertEquals("1", Await.result(LoneNode.ask(region.entityRef("one"), "count")));
            var handle = (RegionHandle<String>) region;
            for (int i = 0; i < 2; i++) {
                QueryAnswer.State shown = Await.result(handle.queries().inspect(handle.shard("one"), "one"));
                assertEquals(code, shown.failure());
            }
            assertEquals("2", Await.result(LoneNode.ask(region.entityRef("one"), "count")));
        }
    }

    @Test
    void anEntityWhoseInspectionFailsGoesOn() {
        answersAfterItWasInspected("inspect", FailureCode.ENTITY_FAILED);
    }

    @Test
    void anEntityWhoseShownStateThrowsAnErrorGoesOn() {
        answersAfterItWasInspected("", FailureCode.TIMED_OUT);
    }
}
