package io.shardbus.integration.entities;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.texts;
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
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.StopReason;
import io.shardbus.model.TypeState;
import io.shardbus.options.PassivationOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entities of one node that are passivated by policy. Ids 1 to 20 are in shard 1, 21 to 30 in shard 2. */
class PassivationTest {
    /** When an entity was last asked, and its end, in nanoseconds. */
    private final Map<String, Long> asked = new ConcurrentHashMap<>();

    private final Map<String, Long> ends = new ConcurrentHashMap<>();
    /** When a timer's message closed an entity. */
    private final Map<String, Long> closed = new ConcurrentHashMap<>();

    private final List<String> stopped = new CopyOnWriteArrayList<>();
    private final LoneNode node = new LoneNode(TestCluster.options());

    @AfterEach
    void close() {
        node.close();
    }

    private final class Recorder implements Entity<String> {
        private final String id;
        private long timer;

        Recorder(String id) {
            this.id = id;
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (message.equals("tick")) {
                context.setPeriodicTimer(Duration.ofMillis(20), "ticked");
            } else if (message.equals("close later")) {
                timer = context.setTimer(Duration.ofMillis(900), "close", true);
            } else if (message.equals("forget it")) {
                context.cancelTimer(timer);
            } else if (message.equals("close")) {
                closed.put(id, System.nanoTime());
            } else if (message.equals("leave")) {
                context.passivate();
                context.passivate();
            }
            return reply(message);
        }

        @Override
        public Future<?> stopping(StopReason reason) {
            ends.put(id, System.nanoTime());
            stopped.add(id);
            return done();
        }
    }

    private static final class TwentyToAShard implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            int id = Integer.parseInt(entityId);
            return id <= 20 ? 1 : 2;
        }
    }

    private ShardRegion<String> start(PassivationOptions passivation) {
        return node.start(texts(Recorder::new)
                .withMessageExtractor(new TwentyToAShard())
                .withNumberOfShards(4)
                .withPassivation(passivation));
    }

    private static PassivationOptions limit(String strategy, int limit) {
        return new PassivationOptions().setStrategy(strategy).setActiveEntityLimit(limit);
    }

    private void touch(ShardRegion<String> region, int first, int last) {
        for (int id = first; id <= last; id++) {
            asked.put(Integer.toString(id), System.nanoTime());
            await(ask(region.entityRef(Integer.toString(id)), "m"));
        }
    }

    private static List<String> ids(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
    }

    private void untilStopped(List<String> expected) {
        until("stopped " + expected + ", not " + stopped, () -> stopped.size() >= expected.size());
        assertEquals(expected, stopped);
        stopped.clear();
    }

    private Set<String> active(ShardRegion<String> region, int shard) {
        return await(node.sharding().entityIds(region.type().name(), shard)).stream()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void untilActive(ShardRegion<String> region, int shard, List<String> expected) {
        until("active " + expected, () -> active(region, shard).equals(new TreeSet<>(expected)));
    }

    @Test
    @DisplayName("PASS-01 the strategy none is shown, and an idle entity gets no stop message")
    void none() {
        ShardRegion<String> region = start(new PassivationOptions().setStrategy("none"));
        assertEquals("none", region.passivation().getStrategy());
        touch(region, 1, 1);
        await(node.vertx().timer(1, TimeUnit.SECONDS));
        assertEquals(List.of(), stopped);
        assertEquals(1, await(region.state()).entities());
        assertThrows(IllegalStateException.class, () -> region.limitActiveEntities(5));
    }

    @Test
    @DisplayName(
            "PASS-02 PASS-10 least recently used: the oldest goes, shards share the limit, which changes while running")
    void leastRecentlyUsed() {
        ShardRegion<String> region = start(limit("least-recently-used", 10));
        touch(region, 1, 20);
        untilStopped(ids(1, 10));
        touch(region, 21, 21);
        untilStopped(ids(11, 15));
        untilActive(region, 1, ids(16, 20));
        region.limitActiveEntities(6);
        untilStopped(ids(16, 17));
        touch(region, 1, 10);
        untilActive(region, 1, ids(8, 10));
        region.limitActiveEntities(12);
        assertEquals(12, region.passivation().getActiveEntityLimit());
        // the lanes follow with their next tick
        await(node.vertx().timer(200));
        stopped.clear();
        touch(region, 11, 20);
        untilStopped(ids(8, 14));
        untilActive(region, 1, ids(15, 20));
        assertEquals(1, active(region, 2).size());
        assertTrue(await(region.state()).counters().get("passivated") >= 30);
        assertThrows(IllegalArgumentException.class, () -> region.limitActiveEntities(0));
    }

    @Test
    void countsThePassivatedOnceInTheirShard() {
        ShardRegion<String> region = start(limit("least-recently-used", 10));
        touch(region, 1, 13);
        untilStopped(ids(1, 3));
        await(ask(region.entityRef("12"), "leave"));
        untilStopped(ids(12, 12));
        touch(region, 21, 21);
        untilStopped(ids(4, 7));
        TypeState state = await(node.sharding().typeState(region.type().name()));
        assertEquals(
                Map.of(1, 8, 2, 0),
                state.shards().stream().collect(Collectors.toMap(TypeState.Shard::shard, TypeState.Shard::passivated)));
        assertEquals(8, await(region.state()).passivated());
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-recently-used", "most-recently-used", "least-frequently-used", "composite"})
    @DisplayName("PASS-09 a limit with an idle timeout: the idle are stopped, the busy one later")
    void idleWithALimit(String strategy) {
        ShardRegion<String> region = start(limit(strategy, 3).setIdleTimeoutMs(1500));
        touch(region, 1, 3);
        until("the others are stopped", () -> {
            await(node.vertx().timer(200));
            touch(region, 3, 3);
            return stopped.size() >= 2;
        });
        assertEquals(Set.of("1", "2"), Set.copyOf(stopped));
        until("3 is stopped", () -> stopped.contains("3"));
        for (String id : List.of("1", "2", "3")) {
            long idle = TimeUnit.NANOSECONDS.toMillis(ends.get(id) - asked.get(id));
            assertTrue(idle >= 1480, id + " was idle for " + idle + " ms");
        }
    }

    @Test
    @DisplayName("PASS-43 only the end-of-life call is seen, and the entity answers again")
    void answersAgain() {
        List<String> seen = new CopyOnWriteArrayList<>();
        EntityDefinition<String> definition = texts(id -> new Entity<String>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        seen.add(message);
                        if (message.equals("go")) {
                            context.passivate();
                        }
                        return reply(message);
                    }

                    @Override
                    public Future<?> stopping(StopReason reason) {
                        seen.add(reason.name());
                        return done();
                    }
                })
                .withPassivation(limit("least-recently-used", 1));
        ShardRegion<String> region = node.start(definition.withNumberOfShards(1));
        await(ask(region.entityRef("a"), "go"));
        until("a is passivated", () -> seen.equals(List.of("go", "PASSIVATION")));
        assertEquals("again", await(ask(region.entityRef("a"), "again")));
        assertEquals("b", await(ask(region.entityRef("b"), "b")));
        until("a is passivated for b", () -> seen.size() == 5);
        seen.remove("b");
        assertEquals(List.of("go", "PASSIVATION", "again", "PASSIVATION"), seen);
        assertEquals("once more", await(ask(region.entityRef("a"), "once more")));
    }

    @Test
    @DisplayName(
            "PASS-43 an entity that ignores its passivation is stopped by force, and what came meanwhile is answered")
    void ignoredPassivation() {
        List<Future<String>> later = new CopyOnWriteArrayList<>();
        EntityDefinition<String> definition = texts(id -> new Entity<String>() {
                    private @Nullable EntityRef<String> self;

                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        self = context.self();
                        context.passivate();
                        return reply(message + " by " + context.incarnation());
                    }

                    @Override
                    public Future<?> stopping(StopReason reason) {
                        // what is sent from here comes before the force
                        if (later.isEmpty()) {
                            later.addAll(Stream.of("x", "y", "z")
                                    .map(message -> ask(self, message))
                                    .toList());
                        }
                        return Future.future(promise -> {});
                    }
                })
                .withStopTimeout(Duration.ofMillis(200));
        ShardRegion<String> region = node.start(definition);
        String first = await(ask(region.entityRef("a"), "x"));
        until("asked to stop", () -> later.size() == 3);
        String second = await(later.get(0));
        assertFalse(second.equals(first));
        assertEquals(second.replace("x by", "y by"), await(later.get(1)));
        assertEquals(second.replace("x by", "z by"), await(later.get(2)));
    }

    @Test
    void aVictimThatIsBusyFinishesFirst() {
        List<String> seen = new CopyOnWriteArrayList<>();
        EntityDefinition<String> definition = texts(id -> new Entity<String>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        return context.vertx().timer(100).map(done -> {
                            seen.add(id + message);
                            return message;
                        });
                    }

                    @Override
                    public Future<?> stopping(StopReason reason) {
                        seen.add(id + " stops");
                        return done();
                    }
                })
                .withNumberOfShards(1)
                .withPassivation(limit("least-recently-used", 1));
        ShardRegion<String> region = node.start(definition);
        List<Future<String>> answers = new ArrayList<>();
        answers.add(ask(region.entityRef("a"), "1"));
        answers.add(ask(region.entityRef("a"), "2"));
        answers.add(ask(region.entityRef("b"), "1"));
        answers.add(ask(region.entityRef("a"), "3"));
        answers.forEach(TestCluster::await);
        assertEquals(
                List.of("a1", "a2", "a3"),
                seen.stream().filter(line -> line.matches("a\\d")).toList());
        until("a stops after its messages", () -> seen.indexOf("a stops") > seen.indexOf("a2"));
    }

    @Test
    void itsOwnTimersDoNotKeepItAwake() {
        ShardRegion<String> region = start(new PassivationOptions().setIdleTimeoutMs(300));
        await(ask(region.entityRef("1"), "tick"));
        until("passivated", () -> stopped.contains("1"));
        assertEquals(0, await(region.state()).entities());
    }

    @Test
    @DisplayName("An entity that waits for a timer which keeps it alive is not idle, however late that is;"
            + " afterwards it is, as is one whose timer is cancelled")
    void aTimerMayKeepItsEntityAlive() {
        ShardRegion<String> region =
                start(new PassivationOptions().setIdleTimeoutMs(200).setIdleIntervalMs(20));
        await(ask(region.entityRef("1"), "close later"));
        await(ask(region.entityRef("2"), "close later"));
        await(ask(region.entityRef("2"), "forget it"));
        until("passivated without its timer", () -> stopped.contains("2"));
        until("the timer's message has come", () -> closed.containsKey("1"));
        assertFalse(closed.containsKey("2"));
        until("passivated when it has", () -> stopped.contains("1"));
        assertTrue(ends.get("1") > closed.get("1"), "it lived until then");
        assertEquals(List.of("2", "1"), stopped);
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-recently-used", "least-frequently-used", "composite"})
    void nothingIsLostUnderConstantPassivation(String strategy) {
        AtomicInteger told = new AtomicInteger();
        AtomicInteger live = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        EntityDefinition<String> definition = texts(id -> new Entity<String>() {
            @Override
            public Future<?> started(EntityContext<String> context) {
                most.accumulateAndGet(live.incrementAndGet(), Math::max);
                return done();
            }

            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                told.addAndGet(message.equals("tell") ? 1 : 0);
                return reply(id + message);
            }

            @Override
            public Future<?> stopping(StopReason reason) {
                live.decrementAndGet();
                return done();
            }
        });
        ShardRegion<String> region =
                node.start(definition.withNumberOfShards(10).withPassivation(limit(strategy, 100)));
        Random random = new Random(7);
        int rounds = 100;
        int asks = 200;
        for (int round = 0; round < rounds; round++) {
            List<Future<String>> answers = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < asks; i++) {
                String id = "e" + random.nextInt(10_000) / (1 + random.nextInt(100));
                region.entityRef(id).tell("tell");
                answers.add(ask(region.entityRef(id), "-" + i));
                expected.add(id + "-" + i);
            }
            assertEquals(expected, answers.stream().map(TestCluster::await).toList());
        }
        assertEquals(rounds * asks, told.get());
        until("at the limit, as the entities themselves say", () -> {
            int entities = await(region.state()).entities();
            return entities <= 100 && entities == live.get();
        });
        assertTrue(await(region.state()).counters().get("passivated") > 1000);
        assertTrue(most.get() <= 100 + 2 * asks, most + " at once");
    }
}
