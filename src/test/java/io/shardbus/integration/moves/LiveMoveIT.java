package io.shardbus.integration.moves;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.WhyStarted;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters in memory whose nodes come and go. */
@Tag("slow")
class LiveMoveIT {
    private static final int COUNTERS = 10_000;
    private static final int AT_A_TIME = 32;

    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private static EntityDefinition<CounterMessage> moving(int version) {
        return EntityDefinition.of(CounterMessage.COUNTER, id -> new MovingCounter(version))
                .withNumberOfShards(40);
    }

    /** The options of every node. */
    ShardingOptions options() {
        return TestCluster.options();
    }

    private TestCluster.Node join() {
        TestCluster.Node node = cluster.startNode(options().setRebalanceIntervalMs(300));
        await(node.sharding().start(moving(1)));
        return node;
    }

    /** Adds one to the counters in turn, so many at a time, and notes every answer that is not the next number. */
    private static final class Adding {
        private final TestCluster.Node from;
        private final Context context;
        private final long[] values = new long[COUNTERS];
        private final boolean[] busy = new boolean[COUNTERS];
        private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        private final AtomicInteger underWay = new AtomicInteger();
        private volatile boolean ended;
        private final AtomicInteger added = new AtomicInteger();
        private int next;

        Adding(TestCluster.Node from) {
            this.from = from;
            this.context = from.vertx().getOrCreateContext();
            underWay.set(AT_A_TIME);
            for (int i = 0; i < AT_A_TIME; i++) {
                context.runOnContext(go -> add());
            }
        }

        private void add() {
            if (ended) {
                underWay.decrementAndGet();
                return;
            }
            while (busy[next]) {
                next = (next + 1) % COUNTERS;
            }
            int counter = next;
            next = (next + 1) % COUNTERS;
            busy[counter] = true;
            from.counter("c" + counter)
                    .ask(new AddAndGet(1))
                    .onComplete(done -> context.runOnContext(go -> {
                        busy[counter] = false;
                        values[counter]++;
                        added.incrementAndGet();
                        if (done.failed() || done.result() != values[counter]) {
                            faults.add("c" + counter + " " + values[counter] + ": " + done);
                        }
                        add();
                    }));
        }
    }

    @Test
    @DisplayName("10,000 counters in memory go through a rolling restart of four nodes under traffic:"
            + " every answer is the next number, nothing fails")
    void countersGoThroughARollingRestart() {
        List<TestCluster.Node> old = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            old.add(join());
        }
        TestCluster.Node client = cluster.startNode(options());
        await(client.sharding().startProxy(moving(1)));
        Adding adding = new Adding(client);
        until("every counter has counted", () -> adding.added.get() >= COUNTERS);
        for (TestCluster.Node node : old) {
            cluster.leave(node);
            join();
            long seen = adding.added.get();
            until("traffic goes on", () -> adding.added.get() > seen + 1_000);
        }
        adding.ended = true;
        until("all is answered", () -> adding.underWay.get() == 0);
        assertEquals(List.of(), adding.faults.stream().limit(10).toList());
        for (int from = 0; from < COUNTERS; from += 100) {
            check(client, adding.values, from);
        }
        assertEquals("MOVED", await(client.counter("c1").ask(new WhyStarted())));
    }

    private static void check(TestCluster.Node client, long[] values, int from) {
        List<Future<Long>> answers = new ArrayList<>();
        for (int i = from; i < from + 100; i++) {
            answers.add(client.counter("c" + i).ask(new Get()));
        }
        await(Future.all(answers));
        for (int i = 0; i < 100; i++) {
            assertEquals(values[from + i], answers.get(i).result(), "c" + (from + i));
        }
    }

    private static long counted(TestCluster.Node node, String name) {
        return await(node.sharding()
                        .region(CounterMessage.COUNTER.name())
                        .orElseThrow()
                        .state())
                .counters()
                .getOrDefault(name, 0L);
    }

    @Test
    @DisplayName("A node that does not know the version starts entities plainly, and counts that")
    void anUnknownVersionIsAPlainStart() {
        TestCluster.Node newer = cluster.startNode(options());
        await(newer.sharding().start(moving(2)));
        for (int i = 0; i < 50; i++) {
            await(newer.counter("c" + i).ask(new AddAndGet(7)));
        }
        TestCluster.Node older = join();
        try (LogLines lines = new LogLines("io.shardbus.runtime.region.RegionCounters");
                LogLines failed = new LogLines("io.shardbus.runtime.entity.EntityHost")) {
            await(newer.sharding().drain(newer.id()));
            refusedAt(older, lines, failed);
        }
    }

    private void refusedAt(TestCluster.Node older, LogLines lines, LogLines failed) {
        // shards take turns: until the last has moved its entities answer from the newer node
        until("all entities were refused", () -> counted(older, "handover_refused") >= 50);
        assertTrue(
                lines.with("takeOver refused it: java.lang.IllegalArgumentException: version 2").stream()
                        .anyMatch(line -> line.startsWith("WARN type=counter shard=")
                                && line.contains("entity counter/c")
                                && line.contains("(version 2, 8 bytes)")),
                () -> "no such line: " + lines.with("type=counter"));
        assertEquals(List.of(), failed.with("failed"), "a refusal is no failed entity");
        for (int i = 0; i < 50; i++) {
            assertEquals(0, await(older.counter("c" + i).ask(new Get())));
        }
        assertEquals(50, counted(older, "handover_refused"));
        assertTrue(counted(older, "handover_taken") == 0);
    }
}
