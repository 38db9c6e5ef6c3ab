package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.StartReason;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.HandsOver;
import io.shardbus.spi.ShardingMetrics;
import io.shardbus.testkit.EntityTestKit;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An instance that refuses the state of the former home: another one starts in its place. */
class RefusedStateTest {
    private final List<Integer> discarded = new ArrayList<>();
    private int made;

    private final class Holder implements Entity<String>, HandsOver, Discardable {
        private final int number = ++made;

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(number);
        }

        @Override
        public Future<State> handOver() {
            return Future.succeededFuture(new State(1, Buffer.buffer("known")));
        }

        @Override
        public Future<?> takeOver(State state) {
            return Future.failedFuture("it does not know this version");
        }

        @Override
        public void discarded() {
            discarded.add(number);
        }
    }

    @Test
    void itGivesBackWhatItHolds() {
        var kit = EntityTestKit.of(EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Holder()));
        try (kit) {
            kit.start();
            kit.move();
            kit.start();
            assertEquals(1L, kit.counters().get("handover_refused"));
            assertEquals(3, made);
            assertEquals(List.of(1, 2), discarded);
        }
        assertEquals(List.of(1, 2, 3), discarded);
    }

    @Test
    void aStartWithAStateCountsAsMoved() {
        List<StartReason> reasons = new ArrayList<>();
        ShardingMetrics metrics = new ShardingMetrics() {
            @Override
            public void entityStarted(String type, int shard, StartReason reason) {
                reasons.add(reason);
            }
        };
        var definition = EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Holder());
        try (var kit = EntityTestKit.of(definition.withMetrics(metrics))) {
            kit.start();
            kit.move();
            kit.start();
        }
        assertEquals(List.of(StartReason.MESSAGE, StartReason.MOVED), reasons);
    }
}
