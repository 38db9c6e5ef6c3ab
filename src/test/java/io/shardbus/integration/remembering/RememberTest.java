package io.shardbus.integration.remembering;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Add;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.CounterMessage.Crash;
import io.shardbus.integration.CounterMessage.Get;
import io.shardbus.integration.CounterMessage.PutAway;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.remembering.FlawedStore.Flaw;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.options.EntityRecoveryOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.client.WebClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Remembered entities on one node, by a store that fails when told to. A restart of the node stands for the end of its
 * shards.
 */
class RememberTest {
    private static final Duration SHORT = Duration.ofMillis(400);

    private final Vertx timers = Vertx.vertx();
    private final FlawedStore store = new FlawedStore(timers);
    private LoneNode node = new LoneNode(options());
    private ShardRegion<CounterMessage> region = node.start(definition(0));

    private static ShardingOptions options() {
        return TestCluster.options()
                .setStateStoreTimeoutMs(100)
                .setRetryIntervalMs(200)
                .setEntityRecovery(new EntityRecoveryOptions().setRestartBackoffMs(50));
    }

    @AfterEach
    void close() {
        node.close();
        await(timers.close());
    }

    /** The shard is the id's last digit and as much more. */
    private record Shifted(int more) implements MessageExtractor<CounterMessage> {
        @Override
        public String entityId(CounterMessage message) {
            throw new IllegalArgumentException("messages come in envelopes");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return (Integer.parseInt(entityId) + more) % numberOfShards;
        }

        @Override
        public String version() {
            return "shifted-by-" + more;
        }
    }

    private EntityDefinition<CounterMessage> definition(int shift) {
        return definition(shift, 10);
    }

    private EntityDefinition<CounterMessage> definition(int shift, int shards) {
        return Counter.definition()
                .withNumberOfShards(shards)
                .withMessageExtractor(new Shifted(shift))
                .withRestartPolicy(RestartPolicy.stop())
                .withRememberedEntitiesStore(store);
    }

    private void restart(int shift, ShardingOptions options) {
        node.close();
        node = new LoneNode(options);
        region = node.start(definition(shift));
    }

    private EntityRef<CounterMessage> counter(int id) {
        return region.entityRef(Integer.toString(id));
    }

    private Set<String> live(int shard) {
        return await(node.sharding().entityIds("counter", shard));
    }

    private void untilLive(int shard, Set<String> ids) {
        until(ids + " live in shard " + shard, () -> live(shard).equals(ids));
    }

    private static Set<String> ids(int... numbers) {
        Set<String> ids = new TreeSet<>();
        IntStream.of(numbers).forEach(id -> ids.add(Integer.toString(id)));
        return ids;
    }

    private void assertSilent(EntityRef<CounterMessage> counter) {
        ShardingException late = assertThrows(ShardingException.class, () -> await(counter.ask(new Get(), SHORT)));
        assertEquals(FailureCode.TIMED_OUT, late.code());
    }

    private void untilAnswered(EntityRef<CounterMessage> counter) {
        until(
                counter + " answers",
                () -> await(counter.ask(new Get(), SHORT).map(value -> true).otherwise(false)));
    }

    @Test
    @DisplayName("REM-06: a start request is acknowledged; the shard ends; the next one has its entity"
            + " and the one of a message")
    void comesBackWithItsShard() {
        EntityLocation location = await(counter(1).start());
        assertEquals("1", location.id());
        assertEquals(1, location.shard());
        restart(0, options());
        await(counter(11).ask(new Get()));
        untilLive(1, ids(1, 11));
    }

    @Test
    @DisplayName("REM-07: start requests and messages alternating in two bursts: all answered, exactly"
            + " these ids are remembered")
    void burstsOfStartsAndMessages() {
        Set<String> all = new TreeSet<>();
        for (int burst = 0; burst < 2; burst++) {
            List<Future<?>> answers = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int id = 10 * (5 * burst + i) + 1;
                all.add(Integer.toString(id));
                answers.add(i % 2 == 0 ? counter(id).start() : counter(id).ask(new Get()));
            }
            await(Future.all(answers));
        }
        assertEquals(all, live(1));
        restart(0, options());
        untilLive(1, all);
    }

    @Test
    @DisplayName("REM-08, REM-05: starts mixed with passivations, then passivations alone: nothing is left")
    void mixesStartsAndPassivations() {
        List<Future<?>> first = new ArrayList<>();
        IntStream.range(0, 20).forEach(id -> first.add(counter(id).start()));
        await(Future.all(first));
        List<Future<?>> second = new ArrayList<>();
        for (int id = 20; id < 40; id++) {
            second.add(counter(id).start());
            counter(id - 20).tell(new PutAway());
        }
        await(Future.all(second));
        for (int shard = 0; shard < 10; shard++) {
            untilLive(shard, ids(20 + shard, 30 + shard));
        }
        restart(0, options());
        for (int shard = 0; shard < 10; shard++) {
            untilLive(shard, ids(20 + shard, 30 + shard));
            counter(20 + shard).tell(new PutAway());
            counter(30 + shard).tell(new PutAway());
            untilLive(shard, Set.of());
        }
        restart(0, options());
        await(counter(7).start());
        untilLive(7, ids(7));
        for (int shard = 0; shard < 7; shard++) {
            assertEquals(Set.of(), live(shard));
        }
    }

    @Test
    @DisplayName(
            "REM-18 with fewer shards after a full stop all remembered entities start, in the shards they have now")
    void startsAllWithFewerShards() {
        Set<Integer> ids = Set.of(3, 5, 8, 13, 27, 39);
        ids.forEach(id -> await(counter(id).start()));
        node.close();
        node = new LoneNode(options());
        region = node.start(definition(0, 4));
        until(
                "all live where their numbers modulo 4 say",
                () -> await(region.entityIds())
                        .equals(Map.of(0, Set.of("8"), 1, Set.of("13", "5"), 3, Set.of("27", "3", "39"))));
        until(
                "the former shards are empty",
                () -> await(store.shards("counter")).equals(Set.of(0, 1, 3)));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName(
            "REM-09: the first read of a shard fails: no answer; when the store works again, messages are answered")
    void theFirstReadFails(Flaw flaw) {
        store.fail(flaw);
        assertSilent(counter(1));
        until(
                "one shard is counted",
                () -> await(region.state()).counters().getOrDefault("shards_without_memory", 0L) == 1);
        store.repair();
        untilAnswered(counter(1));
        until("nothing fails", () -> !await(region.state()).counters().containsKey("shards_without_memory"));
    }

    @Test
    void operatorsSeeThatTheStoreFails() {
        var router = Router.router(node.vertx());
        router.route("/sharding/*").subRouter(AdminRouter.create(node.vertx(), node.sharding()));
        var server =
                await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
        var client = WebClient.create(node.vertx());
        await(counter(1).ask(new Get()));
        until("the node is ready", () -> node.sharding().isReady());
        store.fail(Flaw.ERROR);
        counter(2).tell(new Add(1));
        until("the store fails", () -> await(region.state()).counters().containsKey("shards_without_memory"));
        var health = await(client.get(server.actualPort(), "127.0.0.1", "/sharding/health/ready")
                        .send())
                .bodyAsJsonObject();
        assertEquals("UP", health.getString("status"), "the other nodes would be no better");
        assertTrue(
                health.getJsonArray("warnings")
                        .getString(0)
                        .startsWith("the store of remembered entities fails for 1 shard"),
                health::encode);
        store.repair();
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("REM-10: a start cannot be stored: no answer; when the store works again, messages"
            + " are answered; others go on")
    void aStartIsNotStored(Flaw flaw) {
        await(counter(1).ask(new Get()));
        store.fail(flaw);
        assertSilent(counter(11));
        assertEquals(5L, await(counter(1).ask(new AddAndGet(5))));
        store.repair();
        untilAnswered(counter(11));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aShardWhoseIdsCannotBeReadWaitsUntilTheyCan(Flaw flaw) {
        store.fail(flaw);
        assertSilent(counter(2));
        store.repair();
        untilAnswered(counter(2));
    }

    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName(
            "REM-11: an entity stops abruptly, another is passivated, while the store fails: both are answered again")
    void anEntityStopsWhileTheStoreFails(Flaw flaw) {
        await(counter(1).ask(new Get()));
        await(counter(11).ask(new Get()));
        store.fail(flaw);
        assertThrows(ShardingException.class, () -> await(counter(1).ask(new Crash())));
        counter(11).tell(new PutAway());
        untilAnswered(counter(1));
        until("11 is passivated", () -> !live(1).contains("11"));
        store.repair();
        untilAnswered(counter(11));
    }

    @Test
    @DisplayName("REM-13: the first write is answered after its limit: the late answer is ignored without error")
    void aLateAnswerIsIgnored() {
        await(counter(1).ask(new Get()));
        store.fail(Flaw.VERY_LATE);
        assertSilent(counter(11));
        store.repair();
        untilAnswered(counter(11));
        untilLive(1, ids(1, 11));
    }

    @Test
    @DisplayName("REM-14: a full restart with other addressing moves remembered entities to their shards,"
            + " and the store is corrected")
    void followsItsAddressing() {
        for (int id : new int[] {1, 11, 21}) {
            await(counter(id).start());
        }
        for (int restarts = 0; restarts < 2; restarts++) {
            restart(1, options());
            untilLive(2, ids(1, 11, 21));
            untilLive(1, Set.of());
        }
    }

    /** Takes the amount for the id, and keeps what it was asked about. */
    private record Observed(List<CounterMessage> seen) implements MessageExtractor<CounterMessage> {
        @Override
        public String entityId(CounterMessage message) {
            seen.add(message);
            return Long.toString(message instanceof AddAndGet add ? add.amount() : 0);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NONE", "LATE"})
    @DisplayName("START-14: answers of the store, of writes and of reads, never reach the application's addressing")
    void addressingSeesNoAnswerOfTheStore(Flaw flaw) {
        List<CounterMessage> seen = new CopyOnWriteArrayList<>();
        EntityDefinition<CounterMessage> observed = definition(0).withMessageExtractor(new Observed(seen));
        node.close();
        node = new LoneNode(options());
        region = node.start(observed);
        store.fail(flaw);
        List<CounterMessage> sent = List.of(new AddAndGet(3), new AddAndGet(4));
        List<Future<Long>> answers = new ArrayList<>();
        sent.forEach(message -> answers.add(region.ask(message, Long.class, Duration.ofSeconds(20))));
        store.repair();
        await(Future.all(answers));
        assertEquals(sent, seen);
        node.close();
        node = new LoneNode(options());
        region = node.start(observed);
        until("both are back", () -> await(region.state()).entities() == 2);
        assertEquals(sent, seen);
    }

    @Test
    @DisplayName(
            "REM-24: a start request while a stopped entity waits for its restart: acknowledged and running at once")
    void aStartRequestEndsThePause() {
        restart(0, options().setEntityRecovery(new EntityRecoveryOptions().setRestartBackoffMs(10_000)));
        await(counter(1).start());
        assertThrows(ShardingException.class, () -> await(counter(1).ask(new Crash())));
        until("it has stopped", () -> live(1).isEmpty());
        await(counter(1).start());
        assertEquals(ids(1), live(1));
    }

    @Test
    void whatStopsByItselfStartsAgain() {
        await(counter(1).start());
        assertThrows(ShardingException.class, () -> await(counter(1).ask(new Crash())));
        untilLive(1, ids(1));
    }

    @Test
    @DisplayName("REM-25: a start request while the removal of a put-away entity is being stored:"
            + " acknowledged, and it runs in the end")
    void aStartRequestDuringTheRemoval() {
        await(counter(1).start());
        store.fail(Flaw.LATE);
        counter(1).tell(new PutAway());
        until("it is passivated", () -> live(1).isEmpty());
        Future<EntityLocation> started = counter(1).start();
        store.repair();
        await(started);
        assertEquals(ids(1), live(1));
        restart(0, options());
        untilLive(1, ids(1));
    }

    @Test
    @DisplayName("REM-19: a constant rate: two at once, a pause, two, a pause, one")
    void comesBackAtAConstantRate() {
        List<Future<?>> starts = new ArrayList<>();
        IntStream.range(0, 5).forEach(id -> starts.add(counter(10 * id + 1).start()));
        await(Future.all(starts));
        EntityRecoveryOptions slow =
                new EntityRecoveryOptions().setStrategy("constant").setRate(2).setIntervalMs(1_000);
        restart(0, options().setEntityRecovery(slow));
        List<Integer> sizes = new ArrayList<>();
        until("all five are back", () -> {
            int size = live(1).size();
            if (sizes.isEmpty() || sizes.get(sizes.size() - 1) != size) {
                sizes.add(size);
            }
            return size == 5;
        });
        assertTrue(List.of(0, 2, 4, 5).containsAll(sizes) && sizes.containsAll(List.of(2, 4)), () -> "" + sizes);
    }
}
