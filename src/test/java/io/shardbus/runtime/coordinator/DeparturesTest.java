package io.shardbus.runtime.coordinator;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.NodeId;
import io.shardbus.membership.NodeAttributes;
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
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeparturesTest {
    private static final NodeId SELF = new NodeId("self");
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final Vertx vertx = Vertx.vertx();
    private final Context context = vertx.getOrCreateContext();
    private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Departures departures =
            new Departures(SELF, context, new Ward(), 2_000, node -> heard.add(node.value()));

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
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    private <T> T onContext(Function<Departures, T> task) {
        Promise<T> promise = Promise.promise();
        context.runOnContext(ignored -> promise.complete(task.apply(departures)));
        return await(promise.future());
    }

    private boolean vanish(NodeId... nodes) {
        return onContext(d -> d.vanished(Set.of(nodes), Set.of()));
    }

    private void meet(NodeId node) {
        NodeAttributes there = new NodeAttributes(Set.of(), true, "", "h", 7);
        onContext(d -> {
            d.attributes(Map.of(node, there, SELF, there));
            return true;
        });
    }

    /** Throws whatever it is told and asked, but for the third question. */
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
    void oneThatVanishedAndHasASuccessorIsDeadAndThatIsSaidOnce() {
        assertTrue(vanish(A));
        onContext(d -> {
            d.succeeded(A);
            d.succeeded(A);
            return true;
        });
        assertEquals(List.of("a"), heard);
        assertFalse(onContext(Departures::isUndecided));
    }

    @Test
    void aSuccessorOfOneThatSaidGoodbyeOrIsBackSaysNothing() {
        onContext(d -> {
            d.saidGoodbye(A);
            d.vanished(Set.of(A, B), Set.of());
            d.vanished(Set.of(), Set.of(B));
            d.succeeded(A);
            d.succeeded(B);
            return true;
        });
        assertEquals(List.of(), heard);
    }

    @Test
    void aWitnessThatThrowsIsOneThatDoesNotKnow() {
        Departures unruly = new Departures(SELF, context, new Unruly(), 2_000, node -> heard.add(node.value()));
        Promise<Boolean> vanished = Promise.promise();
        context.runOnContext(ignored -> {
            unruly.attributes(Map.of(A, new NodeAttributes(Set.of(), true, "", "h", 7)));
            vanished.complete(unruly.vanished(Set.of(A), Set.of()));
        });
        assertTrue(await(vanished.future()));
        until("the death is heard", () -> heard.equals(List.of("a")));
    }

    @Test
    void asksUntilTheWitnessKnows() {
        meet(A);
        assertTrue(vanish(A));
        assertTrue(onContext(Departures::isUndecided));
        dead.add(A);
        until("the death is told", () -> heard.contains("a"));
        assertFalse(onContext(Departures::isUndecided));
        assertEquals(List.of("met a at h:7", "a"), heard);
    }

    @Test
    void whoSaidGoodbyeHasNotVanished() {
        meet(A);
        onContext(d -> {
            d.saidGoodbye(A);
            return true;
        });
        assertFalse(vanish(A));
        assertFalse(onContext(Departures::isUndecided));
    }

    @Test
    void oneDeathDecidesNothingAboutAnotherNode() {
        meet(A);
        dead.add(A);
        dead.add(B);
        assertTrue(vanish(A, B));
        until("the death is told", () -> heard.contains("a"));
        assertTrue(onContext(Departures::isUndecided), "nobody ever knew where B was");
    }

    @Test
    void whoIsBackIsNotAskedAboutAnyMore() {
        meet(A);
        vanish(A);
        onContext(d -> d.vanished(Set.of(), Set.of(A)));
        assertFalse(onContext(Departures::isUndecided));
    }

    @Test
    void givesUpWhenItDoesNotMatterAnyMore() {
        meet(A);
        vanish(A);
        until("nothing is undecided", () -> !onContext(Departures::isUndecided));
        assertEquals(List.of("met a at h:7"), heard);
    }
}
