package io.shardbus.runtime.control;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Peers;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.spi.DeathWitness;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WitnessRunnerTest {
    private static final NodeId SELF = new NodeId("self");
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final ElapsedClock clock = new ElapsedClock();
    private final Peers peers = new Peers(500);
    private final WitnessRunner runner = runnerFor(new Ward());

    private WitnessRunner runnerFor(DeathWitness witness) {
        return new WitnessRunner(SELF, context, witness, clock::now, peers, this::died);
    }

    private void died(NodeId node) {
        if (peers.provenDead(node)) {
            heard.add(node.value());
        }
    }

    /** Knows who is dead because the test says so. */
    private final class Ward implements DeathWitness {
        @Override
        public void met(Suspect member) {
            heard.add("met " + member.id() + " at " + member.busHost() + ":" + member.busPort());
        }

        @Override
        public Future<Verdict> ask(Suspect vanished) {
            return dead.contains(vanished.id())
                    ? Future.succeededFuture(Verdict.DEAD)
                    : Future.failedFuture("cannot say");
        }

        @Override
        public void forget(NodeId node) {
            if (!dead.contains(node)) {
                heard.add("forget " + node);
            }
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private <T> T onContext(Supplier<T> task) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(ignored -> promise.complete(task.get()));
        return await(promise.future());
    }

    /** The members are these. */
    private Set<NodeId> view(WitnessRunner told, NodeId... members) {
        return onContext(() -> {
            Peers.Change change = peers.viewChanged(Set.of(members), clock.now());
            told.viewChanged(change);
            return change.vanished();
        });
    }

    private void vanish(WitnessRunner told, NodeId... nodes) {
        view(told, nodes);
        assertEquals(Set.of(nodes), view(told));
    }

    private boolean isUndecided() {
        return onContext(() -> peers.isUndecided(clock.now()));
    }

    private void meet(NodeId node) {
        NodeAttributes there = new NodeAttributes(Set.of(), true, "", "h", 7);
        onContext(() -> {
            runner.attributes(Map.of(node, there, SELF, there));
            return true;
        });
    }

    /** Throws at each call, but for the third question. */
    private static final class Unruly implements DeathWitness {
        private int questions;

        @Override
        public void met(Suspect member) {
            throw new IllegalStateException("met");
        }

        @Override
        public Future<Verdict> ask(Suspect vanished) {
            if (++questions < 3) {
                throw new IllegalStateException("asked");
            }
            return Future.succeededFuture(Verdict.DEAD);
        }

        @Override
        public void forget(NodeId node) {
            throw new IllegalStateException("forget");
        }
    }

    @Test
    void aWitnessThatThrowsIsOneThatDoesNotKnow() {
        WitnessRunner unruly = runnerFor(new Unruly());
        onContext(() -> {
            unruly.attributes(Map.of(A, new NodeAttributes(Set.of(), true, "", "h", 7)));
            return true;
        });
        vanish(unruly, A);
        until("the death is heard", () -> heard.equals(List.of("a")));
    }

    @Test
    void asksUntilTheWitnessKnows() {
        meet(A);
        vanish(runner, A);
        dead.add(A);
        until("the death is told", () -> heard.contains("a"));
        assertFalse(isUndecided());
        assertEquals(List.of("met a at h:7", "a"), heard);
    }

    @Test
    void aNodeThatSaidGoodbyeIsForgotten() {
        meet(A);
        view(runner, A);
        onContext(() -> {
            peers.saidGoodbye(A);
            return true;
        });
        assertEquals(Set.of(), view(runner));
        assertEquals(List.of("met a at h:7", "forget a"), heard);
    }

    @Test
    void oneDeathDecidesNothingAboutAnotherNode() {
        meet(A);
        dead.add(A);
        dead.add(B);
        vanish(runner, A, B);
        until("the death is told", () -> heard.contains("a"));
        assertTrue(onContext(() -> peers.status(B).isLost()), "no member ever knew the address of B");
    }

    @Test
    void aNodeThatIsBackIsNotAskedAboutAnyMore() {
        meet(A);
        vanish(runner, A);
        view(runner, A);
        assertFalse(isUndecided());
    }

    @Test
    void asksOnAfterTheLeasesHaveEnded() {
        meet(A);
        vanish(runner, A);
        until("nothing is undecided", () -> !isUndecided());
        dead.add(A);
        until("the death is told", () -> heard.contains("a"));
    }
}
