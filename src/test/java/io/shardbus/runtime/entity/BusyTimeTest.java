package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityRef;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The time for which the entities of a shard have had messages in hand. */
class BusyTimeTest {
    private static final int SLOW_MILLIS = 100;
    private static final int MOST_SAMPLED = 65_536;

    private record Measured(LoneNode node, EntityRef<String> entity) implements AutoCloseable {
        static Measured start(int sampling, ExecutionModel execution) {
            var node = new LoneNode(new ShardingOptions().setLatencySampling(sampling));
            var definition = LoneNode.texts(id -> new Sleeper()).withExecution(execution);
            return new Measured(node, node.startOne(definition));
        }

        void ask(String message) {
            Await.result(LoneNode.ask(entity, message));
        }

        TypeState.Shard shard() {
            return Await.result(node.sharding().typeState(entity.type().name()))
                    .shards()
                    .get(0);
        }

        @Override
        public void close() {
            node.close();
        }
    }

    /** Answers at once, or after a while. */
    private static final class Sleeper implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return message.equals("slow") ? context.vertx().timer(SLOW_MILLIS).map(fired -> message) : reply(message);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ExecutionModel.class,
            names = {"EVENT_LOOP", "WORKER"})
    void aLongMessageCountsAlsoIfItIsNotMeasured(ExecutionModel execution) {
        try (var measured = Measured.start(MOST_SAMPLED, execution)) {
            measured.ask("the first one is measured");
            long before = measured.shard().busyMicros();
            long begun = System.nanoTime();
            measured.ask("slow");
            long most = Duration.ofNanos(System.nanoTime() - begun).toMillis() + 2;
            long busy = (measured.shard().busyMicros() - before) / 1000;
            assertTrue(busy >= SLOW_MILLIS * 9 / 10 && busy <= most, busy + " ms, at most " + most);
        }
    }

    @Test
    void aSlowEntityWithOneMessageIsAmongTheHotOnes() {
        try (var measured = Measured.start(MOST_SAMPLED, ExecutionModel.EVENT_LOOP)) {
            measured.ask("the first one is measured");
            measured.ask("slow");
            var hottest = Await.result(measured.node().sharding().operations().latency())
                    .types()
                    .get(measured.entity().type().name())
                    .hottest();
            assertEquals(1, hottest.size(), hottest::toString);
            assertTrue(hottest.get(0).busy() > 0, hottest::toString);
        }
    }

    @Test
    void shortMessagesCountByTheirMeasures() {
        try (var measured = Measured.start(1, ExecutionModel.EVENT_LOOP)) {
            long begun = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                measured.ask("short");
            }
            long most = Duration.ofNanos(System.nanoTime() - begun).toMillis() * 1000;
            long busy = measured.shard().busyMicros();
            assertTrue(busy > 0 && busy <= most, busy + " of " + most);
            assertEquals(1_000, measured.shard().messages());
        }
    }

    @Test
    void nothingIsKnownWhereNothingIsMeasured() {
        try (var measured = Measured.start(0, ExecutionModel.EVENT_LOOP)) {
            measured.ask("slow");
            assertEquals(1, measured.shard().messages());
            assertEquals(null, measured.shard().busyMicros());
        }
    }
}
