package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Add;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.verify.Waiting;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process gets no time (SIGSTOP) while another floods one of its entities; seen from the flooding node, which hosts
 * nothing.
 */
@Tag("slow")
class FrozenNodeFloodClusterIT {
    private static final int BUFFER = 2_000;
    private static final int FLOOD = 20_000;
    /** A slow home may take three times what it leaves to others. */
    private static final int KEPT_OF_120 = 90;

    private static final Duration SOON = Duration.ofSeconds(5);
    private static final ShardingOptions OPTIONS =
            TestCluster.options().setBufferSize(BUFFER).setMailboxSize(100_000).setLanes(1);

    private final Processes processes = new Processes();
    private TestCluster here;
    private ShardRegion<CounterMessage> region;

    @AfterEach
    void close() {
        try (processes) {
            if (here != null) {
                here.close();
            }
        }
    }

    private void join(ShardingOptions options) {
        here = processes.join();
        here.startNode(new ShardingOptions(options).setCoordinator(false));
        region = await(here.node(0).sharding().start(Counter.definition().withRole(Processes.HOSTING)));
        here.untilMembers(3);
    }

    /** A counter whose home is there, once there is one. */
    private EntityRef<CounterMessage> at(Processes.Host host) {
        AtomicReference<EntityRef<CounterMessage>> found = new AtomicReference<>();
        until("a counter at " + host.node(), () -> {
            counters()
                    .filter(counter -> place(counter).node().equals(host.node().value()))
                    .findFirst()
                    .ifPresent(found::set);
            return found.get() != null;
        });
        return found.get();
    }

    private Stream<EntityRef<CounterMessage>> counters() {
        return IntStream.range(0, 100).mapToObj(i -> region.entityRef("e" + i));
    }

    private static Place place(EntityRef<CounterMessage> counter) {
        return await(counter.ask(new Where(), SOON));
    }

    private long refused() {
        return await(region.state()).counters().getOrDefault("region_buffer_full", 0L);
    }

    @Test
    void itsSenderIsRefusedWithinBoundsAndOthersAreServed() {
        Processes.Host first = processes.start(1, OPTIONS);
        first.nodes();
        Processes.Host second = processes.start(1, OPTIONS);
        second.nodes();
        join(OPTIONS);
        EntityRef<CounterMessage> frozen = at(second);
        EntityRef<CounterMessage> other = at(first);
        String incarnation = place(frozen).incarnation();
        second.freeze();
        long answered = 0;
        for (int sent = 0; sent < FLOOD; sent++) {
            frozen.tell(new Add(1));
            if (sent % 500 == 0) {
                answered++;
                assertEquals(answered, await(other.ask(new AddAndGet(1), SOON)));
                assertTrue(await(region.state()).buffered() <= BUFFER);
            }
        }
        assertTrue(frozen.writeQueueFull());
        until("the way to the other is free", () -> !other.writeQueueFull());
        long refused = refused();
        assertTrue(refused > FLOOD / 2, () -> "refused: " + refused);
        var full = assertThrows(ShardingException.class, () -> await(frozen.ask(new Get(), SOON)));
        assertEquals(FailureCode.REGION_BUFFER_FULL, full.code());
        AtomicBoolean drained = new AtomicBoolean();
        frozen.drainHandler(done -> drained.set(true));
        second.thaw();
        until("the way has drained", drained::get);
        long value = await(frozen.ask(new Get(), SOON));
        boolean sameInstance = incarnation.equals(place(frozen).incarnation());
        System.out.println("frozen and flooded: " + value + " of " + (FLOOD - refused) + " accepted tells counted"
                + (sameInstance ? "" : ", by a new instance: the frozen node was given up"));
        assertTrue(sameInstance ? value == FLOOD - refused : value < FLOOD - refused);
    }

    @Test
    @DisplayName("a home is frozen for 2.5 s: what was accepted is handled in order, and the refusals are those of the"
            + " last senders, at once")
    void whatItsSenderAcceptedIsHandledInOrder() {
        ShardingOptions small = new ShardingOptions(OPTIONS).setBufferSize(120);
        processes.start(1, small).nodes();
        Processes.Host second = processes.start(1, small);
        second.nodes();
        join(small);
        EntityRef<CounterMessage> frozen = at(second);
        long before = await(frozen.ask(new AddAndGet(0), SOON));
        String incarnation = place(frozen).incarnation();
        second.freeze();
        long frozenAt = System.nanoTime();
        List<Future<Long>> answers = IntStream.range(0, 400)
                .mapToObj(i -> frozen.<Long>ask(new AddAndGet(1), Duration.ofSeconds(20)))
                .toList();
        // comes to the lane after all of them; a refusal has one more way to go, to the thread of its asker
        await(region.state());
        until("the refusals have come", () -> waiting(answers).size() <= KEPT_OF_120);
        List<Future<Long>> accepted = waiting(answers);
        Waiting.pass(Duration.ofNanos(2_500_000_000L - (System.nanoTime() - frozenAt)));
        second.thaw();
        assertEquals(answers.subList(0, accepted.size()), accepted, "the first are kept");
        for (int i = 0; i < accepted.size(); i++) {
            assertEquals(before + i + 1, await(accepted.get(i)));
        }
        for (Future<Long> refused : answers.subList(accepted.size(), answers.size())) {
            var full = assertThrows(ShardingException.class, () -> await(refused));
            assertEquals(FailureCode.REGION_BUFFER_FULL, full.code());
        }
        assertEquals(incarnation, place(frozen).incarnation(), "it was not given up");
        System.out.println("frozen for 2.5 s: " + accepted.size() + " were accepted");
        assertEquals(KEPT_OF_120, accepted.size());
    }

    private static List<Future<Long>> waiting(List<Future<Long>> answers) {
        return answers.stream().filter(answer -> !answer.isComplete()).toList();
    }
}
