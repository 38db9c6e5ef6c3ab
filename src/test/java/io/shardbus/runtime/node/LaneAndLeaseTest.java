package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What runs, and what is answered, while the lease of a region ends or is extended and its lane is at work. */
class LaneAndLeaseTest {
    private final CutOffNode node = new CutOffNode();
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CountDownLatch firstGate = new CountDownLatch(1);
    private volatile Thread lane;
    private final Promise<String> later = Promise.promise();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ShardRegion<String> region;

    private final class Listed implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            lane = Thread.currentThread();
            heard.add(context.id() + " " + message);
            if (message.equals("block")) {
                pass(gate);
            } else if (message.equals("hold")) {
                pass(firstGate);
            }
            return message.equals("later") ? later.future() : Future.succeededFuture(message);
        }

        private void pass(CountDownLatch closed) {
            try {
                assertTrue(closed.await(30, TimeUnit.SECONDS), "the gate stays closed");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void start() {
        region = node.start(EntityDefinition.of(LoneNode.newType(), id -> (Entity<String>) new Listed())
                .withNumberOfShards(1));
        assertEquals("hello", Await.result(ask("a", "hello")));
        assertEquals("hello", Await.result(ask("b", "hello")));
    }

    private Future<String> ask(String entity, String message) {
        return LoneNode.ask(region.entityRef(entity), message);
    }

    private long leasesLost() {
        return Await.result(region.state()).counters().getOrDefault("leases_lost", 0L);
    }

    @AfterEach
    void close() {
        firstGate.countDown();
        gate.countDown();
        node.close();
    }

    /**
     * The handler stands for anything that stops a process in the middle of a burst: it is in hand, and only it may go
     * on.
     */
    @Test
    void whatWaitsBehindAMessageInHandDoesNotBeginAfterTheLease() {
        start();
        Future<String> inHand = ask("a", "block");
        until("the lane is at it", () -> heard.contains("a block"));
        Future<String> toAnother = ask("b", "too late");
        Future<String> toTheSame = ask("a", "too late");
        Future<String> toANewOne = ask("c", "too late");
        node.cutOff();
        until("the lease has ended", () -> !region.isRegistered());
        gate.countDown();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, LoneNode.failureCode(inHand));
        until("the lane has gone on", () -> leasesLost() == 1);
        assertEquals(
                List.of(),
                heard.stream().filter(each -> each.endsWith("too late")).toList());
        assertFalse(toAnother.succeeded() || toTheSame.succeeded() || toANewOne.succeeded());
    }

    @Test
    void anAnswerThatIsReadyAfterTheLeaseIsAnUnknownOutcome() {
        start();
        Future<String> ask = ask("a", "later");
        until("it is at it", () -> heard.contains("a later"));
        node.cutOff();
        until("the lease has ended", () -> !region.isRegistered());
        later.complete("done by an instance without a lease");
        assertEquals(FailureCode.OUTCOME_UNKNOWN, LoneNode.failureCode(ask));
    }

    /** One ask is with its entity, one waits in its mailbox, and one has not come to the lane. */
    @Test
    void deadlinesOfAsksPassWhileTheirLaneIsBlocked() {
        start();
        Duration soon = Duration.ofMillis(300);
        Future<String> withItsEntity = region.entityRef("a").request("later", String.class, soon);
        Future<String> inTheMailbox = region.entityRef("a").request("behind it", String.class, soon);
        until("the lane has both", () -> heard.contains("a later"));
        Promise<String> heardThere = Promise.promise();
        node.vertx()
                .runOnContext(ignored -> region.entityRef("b")
                        .request("block", String.class, Duration.ofSeconds(20))
                        .onComplete(heardThere));
        until("the lane is at it", () -> heard.contains("b block"));
        Future<String> inTheQueue = region.entityRef("c").request("never", String.class, soon);
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(withItsEntity));
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(inTheMailbox));
        assertEquals(FailureCode.TIMED_OUT, LoneNode.failureCode(inTheQueue));
        assertEquals(1, gate.getCount(), "the lane is still blocked");
        gate.countDown();
        assertEquals("block", Await.result(heardThere.future()));
        later.complete("too late");
        assertEquals("hello", Await.result(ask("a", "hello")));
        assertEquals(
                List.of(), heard.stream().filter(each -> each.equals("c never")).toList());
        assertEquals(3, Await.result(region.state()).counters().get("timed_out"));
    }

    /**
     * Both are in one burst: the first is answered in it, to a caller on another event loop, and the second does not
     * end.
     */
    @Test
    void anAnswerDoesNotWaitForTheEndOfABlockedBurst() {
        start();
        Context caller = onAnotherLoop();
        Future<String> held = ask("a", "hold");
        until("the lane is at it", () -> heard.contains("a hold"));
        Promise<String> answer = Promise.promise();
        Promise<Void> sent = Promise.promise();
        caller.runOnContext(ignored -> {
            ask("b", "hello again").onComplete(answer);
            ask("b", "block");
            sent.complete();
        });
        Await.result(sent.future());
        firstGate.countDown();
        until("the lane is at the second", () -> heard.contains("b block"));
        assertEquals("hello again", Await.result(answer.future()));
        assertEquals(1, gate.getCount(), "the lane is still blocked");
        gate.countDown();
        assertEquals("hold", Await.result(held));
    }

    private Context onAnotherLoop() {
        for (int i = 0; i < 8; i++) {
            Context candidate = ((VertxInternal) node.vertx()).createEventLoopContext();
            Promise<Thread> thread = Promise.promise();
            candidate.runOnContext(ignored -> thread.complete(Thread.currentThread()));
            if (Await.result(thread.future()) != lane) {
                return candidate;
            }
        }
        throw new AssertionError("all event loops are the lane's");
    }

    @Test
    void aLaneThatIsLateForItsQueueKeepsTheLeaseThatTheCoordinatorGrants() {
        start();
        Future<String> inHand = ask("a", "block");
        until("the lane is at it", () -> heard.contains("a block"));
        Future<String> waiting = ask("b", "behind it");
        long begin = node.clock.now();
        until("two leases have passed", () -> node.clock.now() - begin > 2 * CutOffNode.LEASE);
        gate.countDown();
        assertEquals("block", Await.result(inHand));
        assertEquals("behind it", Await.result(waiting));
        assertEquals(0, leasesLost());
    }
}
