package io.shardbus.runtime.node;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.FailureCode;
import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
    private final Promise<String> later = Promise.promise();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ShardRegion<String> region;

    private final class Listed implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(context.id() + " " + message);
            if (message.equals("block")) {
                pass();
            }
            return message.equals("later") ? later.future() : Future.succeededFuture(message);
        }

        private void pass() {
            try {
                assertTrue(gate.await(30, TimeUnit.SECONDS), "the gate stays closed");
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
        gate.countDown();
        node.close();
    }

    /** The handler stands for whatever stops a process in the middle of a burst: it is in hand, and only it may go on. */
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
