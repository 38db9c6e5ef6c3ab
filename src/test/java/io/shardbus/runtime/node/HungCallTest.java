package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ExecutionModel;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.ShardHash;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One call on a worker thread hangs, and the region loses its lease once. */
class HungCallTest {
    private static final int SHARDS = 4;

    private final CutOffNode node = new CutOffNode();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final class Hanging implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(context.id() + " " + message);
            if (message.equals("hang")) {
                pass();
            }
            return Future.succeededFuture(message);
        }

        private void pass() {
            try {
                assertTrue(gate.await(60, TimeUnit.SECONDS), "the gate stays closed");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @AfterEach
    void close() {
        gate.countDown();
        node.close();
    }

    /** An entity of another shard, or of the same, by the number of tries. */
    private static String inShardOf(String id, boolean same, int number) {
        for (int i = 0; true; i++) {
            String other = "e" + number + "-" + i;
            if ((ShardHash.shard(other, SHARDS) == ShardHash.shard(id, SHARDS)) == same) {
                return other;
            }
        }
    }

    @Test
    @DisplayName("the region registers again at once: the hung call keeps its own shard from starting, and no other")
    void holdsItsOwnShardOnly() {
        ShardRegion<String> region =
                node.start(EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Hanging())
                        .withNumberOfShards(SHARDS)
                        .withExecution(ExecutionModel.WORKER));
        LoneNode.ask(region.entityRef("a"), "hang");
        until("it hangs", () -> heard.contains("a hang"));
        node.cutOff();
        until("the lease has ended", () -> !region.isRegistered());
        node.reconnect();
        until("the region is registered again", region::isRegistered);
        for (int i = 0; i < 3; i++) {
            String other = inShardOf("a", false, i);
            assertEquals("again", Await.result(LoneNode.ask(region.entityRef(other), "again")));
        }
        String neighbour = inShardOf("a", true, 0);
        Future<String> held = LoneNode.ask(region.entityRef(neighbour), "held");
        Future<String> itself = LoneNode.ask(region.entityRef("a"), "held");
        assertEquals(
                "after that", Await.result(LoneNode.ask(region.entityRef(inShardOf("a", false, 4)), "after that")));
        assertFalse(held.isComplete() || itself.isComplete(), "its shard waits for the call");
        assertFalse(heard.contains("a held"));
        gate.countDown();
        assertEquals("held", Await.result(held));
        assertEquals("held", Await.result(itself));
        assertEquals(1, Await.result(region.state()).counters().get("leases_lost"));
    }
}
