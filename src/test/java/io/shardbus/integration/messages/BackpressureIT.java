package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Floods: senders wait for slow receivers or are refused, memory stays bounded, others are unaffected. */
@Timeout(120)
@Tag("slow")
class BackpressureIT {
    private static final EntityType<String> TYPE = EntityType.of("flooded", String.class);
    private static final int BUFFER = 2_000;
    private static final int MAILBOX = 100;
    private static final int FLOOD = 20_000;
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final ShardingOptions OPTIONS = TestCluster.options()
            .setBufferSize(BUFFER)
            .setMailboxSize(MAILBOX)
            .setLanes(1)
            .setStopTimeoutMs(200)
            .setShutdownTimeoutMs(2_000)
            .setHandoffTimeoutMs(1_000);

    private final TestCluster cluster = new TestCluster();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        cluster.close();
    }

    private final EntityDefinition<String> definition = EntityDefinition.of(TYPE, id -> new Flooded());

    /** Counts what it gets; hangs for ever, or blocks its event loop until the gate opens, on request. */
    private final class Flooded implements Entity<String> {
        private int taken;

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return switch (message) {
                case "where" -> reply(context.node().value());
                case "taken" -> reply((long) taken);
                case "hang" -> Promise.promise().future();
                case "block" -> blocked();
                default -> {
                    taken++;
                    yield done();
                }
            };
        }

        private Future<?> blocked() {
            try {
                assertTrue(gate.await(20, TimeUnit.SECONDS), "the gate stays shut");
                return done();
            } catch (InterruptedException e) {
                return Future.failedFuture(e);
            }
        }
    }

    private ShardRegion<String> start(int nodes) {
        cluster.start(nodes, OPTIONS).startType(definition);
        return await(cluster.node(0).sharding().start(definition));
    }

    private static <T> T ask(EntityRef<String> ref, String message, Class<T> answer) {
        return await(ref.request(message, answer, SOON));
    }

    /** Entities of the first node's region that are at home on a node. */
    private List<EntityRef<String>> at(int node, ShardRegion<String> region) {
        var home = cluster.node(node).id().value();
        return IntStream.range(0, 200)
                .mapToObj(i -> region.entityRef("e" + i))
                .filter(ref -> ask(ref, "where", String.class).equals(home))
                .toList();
    }

    private static int buffered(ShardRegion<String> region) {
        return await(region.state()).buffered();
    }

    private static long counted(ShardRegion<String> region, FailureCode code) {
        return await(region.state()).counters().getOrDefault(code.name().toLowerCase(Locale.ROOT), 0L);
    }

    @Test
    void aFloodForAnEntityThatHangsFillsItsMailboxAlone() {
        var region = start(1);
        var hanging = region.entityRef("hanging");
        var other = region.entityRef("other");
        hanging.tell("hang");
        for (int sent = 0; sent < FLOOD; sent++) {
            hanging.tell("one");
            if (sent % 100 == 0) {
                assertEquals(0L, ask(other, "taken", Long.class));
            }
        }
        until(
                "all were refused but for the mailbox",
                () -> counted(region, FailureCode.MAILBOX_FULL) == FLOOD - MAILBOX);
        assertEquals(0, buffered(region));
        var refused = assertThrows(ShardingException.class, () -> ask(hanging, "taken", Long.class));
        assertEquals(FailureCode.MAILBOX_FULL, refused.code());
    }

    @Test
    void aNodeThatStandsStillHoldsItsSendersBackAndNoOthers() {
        var region = start(3);
        var slow = at(1, region).get(0);
        var fast = at(2, region).get(0);
        assertFalse(slow.writeQueueFull());
        slow.tell("block");
        long sent = 0;
        while (!slow.writeQueueFull()) {
            slow.tell("one");
            sent++;
            assertTrue(sent <= BUFFER, "nothing says that the way is full");
            if (sent % 50 == 0) {
                assertEquals(0L, ask(fast, "taken", Long.class));
            }
        }
        assertTrue(buffered(region) <= BUFFER);
        assertFalse(fast.writeQueueFull());
        var drained = new AtomicBoolean();
        slow.drainHandler(done -> drained.set(true));
        assertEquals(0L, ask(fast, "taken", Long.class));
        assertFalse(drained.get());
        gate.countDown();
        until("the way has drained", drained::get);
        assertFalse(slow.writeQueueFull());
        long all = sent;
        until("all have arrived", () -> ask(slow, "taken", Long.class) == all);
        assertEquals(0, counted(region, FailureCode.REGION_BUFFER_FULL));
    }

    @Test
    void whoFloodsANodeThatStandsStillIsRefusedAndOthersAreServed() {
        var region = start(3);
        var slow = at(1, region).get(0);
        var fast = at(2, region).get(0);
        slow.tell("block");
        for (int sent = 0; sent < FLOOD; sent++) {
            slow.tell("one");
            if (sent % 100 == 0) {
                assertEquals(0L, ask(fast, "taken", Long.class));
                assertTrue(buffered(region) <= BUFFER);
            }
        }
        assertTrue(counted(region, FailureCode.REGION_BUFFER_FULL) > FLOOD / 2);
        var refused = assertThrows(ShardingException.class, () -> ask(slow, "taken", Long.class));
        assertEquals(FailureCode.REGION_BUFFER_FULL, refused.code());
        gate.countDown();
        until("the way has drained", () -> !slow.writeQueueFull());
        assertTrue(ask(slow, "taken", Long.class) > 0);
    }

    @Test
    void whoWaitsForAWayOfARegionThatLeavesGoesOn() {
        var region = start(2);
        var slow = at(1, region).get(0);
        slow.tell("block");
        for (int sent = 0; !slow.writeQueueFull(); sent++) {
            slow.tell("one");
            assertTrue(sent <= BUFFER, "nothing says that the way is full");
        }
        var drained = new AtomicBoolean();
        slow.drainHandler(done -> drained.set(true));
        await(region.leave());
        until("no sender waits for a region that has left", drained::get);
        assertFalse(slow.writeQueueFull());
        var refused = assertThrows(ShardingException.class, () -> ask(slow, "taken", Long.class));
        assertEquals(FailureCode.SHUTTING_DOWN, refused.code());
    }
}
