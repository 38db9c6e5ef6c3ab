package io.shardbus.integration.queries;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityLocation;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.eventbus.DeliveryContext;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard leaves its home after the coordinator has named that home to a query, and before the query gets there. */
class MovedHomeQueryIT {
    private static final long ANSWER_MS = 30_000;
    private static final String TYPE = CounterMessage.COUNTER.name();

    private final TestCluster cluster = new TestCluster();
    private final Census census = new Census();
    /** Questions to the former home that have not been sent yet. */
    private final Queue<DeliveryContext<Object>> held = new ConcurrentLinkedQueue<>();

    private ClusterSharding asker;
    private TestCluster.Node former;
    private String id;
    private int shard;

    @BeforeEach
    void start() {
        cluster.start(3, TestCluster.options().setRebalanceIntervalMs(0).setQueryTimeoutMs(ANSWER_MS));
        cluster.startType(census.definition());
        asker = cluster.node(0).sharding();
        former = cluster.node(2);
        for (int i = 0; id == null; i++) {
            await(cluster.node(0).counter("e" + i).ask(new Where()));
            EntityLocation at = await(asker.locate(TYPE, "e" + i)).orElseThrow();
            if (at.node().equals(former.id())) {
                id = at.id();
                shard = at.shard();
            }
        }
        Handler<DeliveryContext<Object>> hold = sent -> {
            if (sent.message().address().endsWith(".query." + former.id())) {
                held.add(sent);
            } else {
                sent.next();
            }
        };
        cluster.node(0).vertx().eventBus().addOutboundInterceptor(hold);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void untilHeld(int count) {
        until(count + " questions are on their way", () -> held.size() == count);
    }

    private void assertFoundElsewhere(Future<Optional<EntityLocation>> location, Future<Set<String>> ids) {
        EntityLocation found = await(location).orElseThrow();
        assertNotEquals(former.id(), found.node());
        assertEquals(true, found.live());
        assertEquals(Set.of(id), await(ids));
    }

    @Test
    void aShardThatMovedIsAskedAtItsNewHome() {
        Future<Optional<EntityLocation>> location = asker.locate(TYPE, id);
        Future<Set<String>> ids = asker.entityIds(TYPE, shard);
        untilHeld(2);
        await(asker.drain(former.id()));
        until(
                "it has moved",
                () -> !await(cluster.node(0).counter(id).ask(new Where()))
                        .node()
                        .equals(former.id().value()));
        held.forEach(DeliveryContext::next);
        assertFoundElsewhere(location, ids);
    }

    @Test
    void aShardWhoseHomeHasEndedIsAskedAtItsNewHome() {
        Future<Optional<EntityLocation>> location = asker.locate(TYPE, id);
        Future<Set<String>> ids = asker.entityIds(TYPE, shard);
        untilHeld(2);
        await(former.sharding().close());
        await(cluster.node(0).counter(id).ask(new Where()));
        held.forEach(DeliveryContext::next);
        assertFoundElsewhere(location, ids);
    }

    @Test
    void aHomeThatHasLeftWithTheQuestionIsNotWaitedFor() {
        long asked = System.nanoTime();
        Future<Optional<EntityLocation>> location = asker.locate(TYPE, id);
        untilHeld(1);
        cluster.leave(former);
        Optional<EntityLocation> found = await(location);
        assertTrue(System.nanoTime() - asked < ANSWER_MS * 1_000_000, "before the time for the answer is up");
        // without a message the shard need not have another home yet
        assertTrue(found.isEmpty() || !found.get().node().equals(former.id()), found::toString);
        await(cluster.node(0).counter(id).ask(new Where()));
        assertFoundElsewhere(asker.locate(TYPE, id), asker.entityIds(TYPE, shard));
    }
}
