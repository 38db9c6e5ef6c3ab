package io.shardbus.runtime.control;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Peers;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.DeathWitness;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A witness of the user's, as the options name it. */
class UserWitnessTest {
    private static final NodeId SELF = new NodeId("self");
    private static final NodeId A = new NodeId("a");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** Throws errors at each call, but for the third question. */
    public static final class Unruly implements DeathWitness {
        private int questions;

        @Override
        public void met(Suspect member) {
            throw new AssertionError("met");
        }

        @Override
        public Future<Verdict> ask(Suspect vanished) {
            if (++questions < 3) {
                throw new NoClassDefFoundError("asked");
            }
            return Future.succeededFuture(Verdict.DEAD);
        }

        @Override
        public void forget(NodeId node) {
            throw new AssertionError("forget");
        }
    }

    /** Blocks until it is let go. */
    public static final class Slow implements DeathWitness {
        private static volatile CountDownLatch asked = new CountDownLatch(1);
        private static volatile CountDownLatch gate = new CountDownLatch(1);

        @Override
        public Future<Verdict> ask(Suspect vanished) {
            asked.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Future.succeededFuture(Verdict.DEAD);
        }
    }

    @BeforeEach
    void shut() {
        Slow.asked = new CountDownLatch(1);
        Slow.gate = new CountDownLatch(1);
    }

    @AfterEach
    void close() {
        Slow.gate.countDown();
        await(vertx.close());
    }

    /** Whether the loss was noticed. */
    private boolean vanish(Class<? extends DeathWitness> witness) {
        ShardingOptions options = new ShardingOptions().setDeathWitness(witness.getName());
        DeathWitness made = SplitBrainSetup.of(options, vertx, "cluster").witness();
        ElapsedClock clock = new ElapsedClock();
        Peers peers = new Peers(20_000);
        WitnessRunner runner = new WitnessRunner(SELF, context, made, clock::now, peers, node -> {
            if (peers.provenDead(node)) {
                heard.add(node.value());
            }
        });
        Promise<Boolean> vanished = Promise.promise();
        context.runOnContext(ignored -> {
            runner.attributes(Map.of(A, new NodeAttributes(Set.of(), true, "", "h", 7)));
            peers.viewChanged(List.of(A), clock.now());
            Peers.Change change = peers.viewChanged(List.of(), clock.now());
            runner.viewChanged(change);
            vanished.complete(change.vanished().contains(A));
        });
        return await(vanished.future());
    }

    @Test
    void oneThatThrowsErrorsDoesNotKnow() {
        assertTrue(vanish(Unruly.class));
        until("the death is heard", () -> heard.equals(List.of("a")));
    }

    @Test
    void oneThatBlocksHoldsUpNothing() throws InterruptedException {
        assertTrue(vanish(Slow.class));
        Slow.asked.await();
        Promise<Boolean> turn = Promise.promise();
        context.runOnContext(ignored -> turn.complete(heard.isEmpty()));
        assertTrue(await(turn.future()), "it has not answered");
        Slow.gate.countDown();
        until("the death is heard", () -> heard.equals(List.of("a")));
        assertEquals(1, heard.size());
    }
}
