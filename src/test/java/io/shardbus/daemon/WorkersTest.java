package io.shardbus.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.model.FencingToken;
import io.shardbus.options.DaemonOptions;
import io.shardbus.options.SingletonOptions;
import io.shardbus.store.InMemoryRecordStore;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids, shards, states and keep-alives of workers. */
class WorkersTest {
    private static final ShardedDaemonProcess.ByNumber EXTRACTOR = new ShardedDaemonProcess.ByNumber();

    @Test
    @DisplayName("DAEM-01 a plain integer is a worker of revision 0, and written so")
    void plainIds() {
        assertEquals(Optional.of(new WorkerId(0, 8, 3)), WorkerId.parse("3", 8));
        assertEquals("3", new WorkerId(0, 8, 3).text());
    }

    @Test
    @DisplayName("DAEM-02 a composite id has revision, total and number; a revision above 0 is always written so")
    void compositeIds() {
        assertEquals(Optional.of(new WorkerId(2, 16, 5)), WorkerId.parse("2|16|5", 8));
        assertEquals("2|16|5", new WorkerId(2, 16, 5).text());
    }

    @Test
    @DisplayName(
            "ROLL-04 a set that can be rescaled reads the plain ids of older nodes as revision 0, and writes revision 0"
                    + " as they do")
    void meetsIdsOfOlderNodes() {
        WorkerId old = WorkerId.parse("7", 8).orElseThrow();
        assertEquals(0, old.revision());
        assertEquals(Optional.of(old), DaemonState.initial(8).wanted(old));
        assertEquals("7", DaemonState.initial(8).worker(7).text());
        assertEquals(
                Optional.empty(), DaemonState.initial(8).rescaled(4).complete().wanted(old));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "-1", "1|2", "1|2|3|4", "1|x|3", "12345678901", "007", "0|99|7", "1|8|03"})
    void otherIdsAreNoWorkers(String id) {
        assertEquals(Optional.empty(), WorkerId.parse(id, 8));
    }

    @Test
    @DisplayName("DAEM-03 eight workers have eight shards; composite and plain ids map to the shard of the number")
    void shardsOfWorkers() {
        for (long revision : new long[] {0, 1}) {
            List<Integer> shards = IntStream.range(0, 8)
                    .mapToObj(number -> EXTRACTOR.shard(new WorkerId(revision, 8, number).text(), 256))
                    .toList();
            assertEquals(IntStream.range(0, 8).boxed().toList(), shards);
        }
    }

    @Test
    @DisplayName("DAEM-04 of two states the higher revision wins in either order; of one revision the completed one")
    void mergesStates() {
        DaemonState first = DaemonState.initial(4);
        DaemonState rescaling = first.rescaled(16);
        DaemonState rescaled = rescaling.complete();
        for (List<DaemonState> pair : List.of(List.of(first, rescaling), List.of(rescaling, rescaled))) {
            assertEquals(pair.get(1), DaemonState.merge(pair.get(0), pair.get(1)));
            assertEquals(pair.get(1), DaemonState.merge(pair.get(1), pair.get(0)));
        }
        Stream.of(first, rescaling, rescaled).forEach(state -> assertEquals(state, DaemonState.parse(state.text())));
        assertThrows(IllegalStateException.class, () -> DaemonState.parse("1=1:x "));
    }

    @Test
    @DisplayName("DAEM-07 keep-alives go to 0, 1, 2 and from the beginning; at revision 1 to the ids of revision 1")
    void keepAlivesGoInACircle() {
        KeepAliveCircle circle = new KeepAliveCircle();
        DaemonState first = DaemonState.initial(3);
        assertEquals(List.of("0", "1", "2", "0"), next(circle, first, 4));
        DaemonState second = DaemonState.initial(9).rescaled(3).complete();
        assertEquals(List.of("1|3|0", "1|3|1", "1|3|2", "1|3|0"), next(circle, second, 4));
    }

    private static List<String> next(KeepAliveCircle circle, DaemonState state, int times) {
        return Stream.generate(() -> circle.next(state).text()).limit(times).toList();
    }

    @Test
    @DisplayName("the lowest token of workers rises alone, and applies where the shard of a worker has a lower one")
    void keepsTheHighestToken() {
        var store = new DaemonStore(new InMemoryRecordStore(), "feed");
        assertEquals(FencingToken.NONE, store.floor().result());
        FencingToken higher = new FencingToken(7, -3, 5);
        store.raiseFloor(higher);
        store.raiseFloor(new FencingToken(7, -3, 4));
        assertEquals(higher, store.floor().result());
        WorkerEntity.Wanted next = new WorkerEntity.Wanted(new WorkerId(1, 2, 0), higher);
        assertEquals(higher, next.token(new FencingToken(7, -3, 4)));
        assertEquals(new FencingToken(8, 1, 1), next.token(new FencingToken(8, 1, 1)));
    }

    @Test
    void noWorkerRunsWhileASetIsRescaled() {
        DaemonState rescaling = DaemonState.initial(4).rescaled(2);
        assertEquals(Optional.empty(), rescaling.wanted(rescaling.previousWorker(0)));
        assertEquals(Optional.empty(), rescaling.wanted(rescaling.worker(0)));
        WorkerId second = rescaling.worker(1);
        assertEquals(Optional.of(second), rescaling.complete().wanted(second));
        assertEquals(Optional.empty(), rescaling.complete().wanted(rescaling.worker(2)));
        WorkerId ofAnotherTotal = new WorkerId(1, 99, 1);
        assertEquals(Optional.empty(), rescaling.complete().wanted(ofAnotherTotal));
    }

    @Test
    void theAgreedNumberCountsWhereANodeIsConfiguredWithAnother() {
        WorkerId asConfigured = WorkerId.parse("3", 8).orElseThrow();
        assertEquals(Optional.of(new WorkerId(0, 4, 3)), DaemonState.initial(4).wanted(asConfigured));
        assertEquals(Optional.empty(), DaemonState.initial(3).wanted(asConfigured));
    }

    @Test
    void optionsGoThroughJson() {
        var daemon = new DaemonOptions()
                .setName("feed")
                .setRole("worker")
                .setWorkers(4)
                .setMaxWorkers(8)
                .setKeepAliveIntervalMs(10)
                .setKeepAliveThrottleMs(1)
                .setStopTimeoutMs(1);
        daemon.validate();
        assertEquals(daemon, new DaemonOptions(daemon.toJson()));
        assertEquals(daemon, new DaemonOptions(daemon));
        var singleton = new SingletonOptions()
                .setName("one")
                .setRole("worker")
                .setKeepAliveIntervalMs(10)
                .setStopTimeoutMs(1);
        singleton.validate();
        assertEquals(singleton, new SingletonOptions(singleton.toJson()));
        assertEquals(singleton, new SingletonOptions(singleton));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\":\"a b\"}",
                "{\"name\":\"a\",\"workers\":0}",
                "{\"name\":\"a\",\"workers\":9,\"maxWorkers\":8}",
                "{\"name\":\"a\",\"maxWorkers\":65537}",
                "{\"name\":\"a\",\"keepAliveIntervalMs\":9}",
                "{\"name\":\"a\",\"keepAliveThrottleMs\":0}",
                "{\"name\":\"a\",\"stopTimeoutMs\":0}",
                "{\"name\":\"a\",\"role\":\"a b\"}",
                "{\"name\":\"a\",\"worker\":1}",
                "{\"name\":5}"
            })
    void refusesOptions(String json) {
        assertThrows(IllegalArgumentException.class, () -> new DaemonOptions(new JsonObject(json)).validate());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\":\"a\",\"keepAliveIntervalMs\":9}",
                "{\"name\":\"a\",\"stopTimeoutMs\":600001}",
                "{\"name\":\"a\",\"workers\":1}"
            })
    void refusesOptionsOfASingleton(String json) {
        assertThrows(IllegalArgumentException.class, () -> new SingletonOptions(new JsonObject(json)).validate());
    }
}
