package io.shardbus.testkit;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** A home of one shard: a connection, a token, and what the last opening said. Used by one thread. */
final class StoreHome {
    final StoredType type;
    private final StoreProbe probe;
    private final int shard;
    private final FencingToken token;
    private final Context lane;
    private final StoreConnection connection;
    private OpenedLog.Open log = new OpenedLog.Open(0, 0, 0);

    StoreHome(StoreProbe probe, PersistenceStore store, StoredType type, int shard, FencingToken token) {
        this.probe = probe;
        this.type = type;
        this.shard = shard;
        this.token = token;
        this.lane = probe.vertx.getOrCreateContext();
        this.connection = store.connect(lane);
    }

    private StoreHome(StoreHome node, int shard, FencingToken token) {
        this.probe = node.probe;
        this.type = node.type;
        this.shard = shard;
        this.token = token;
        this.lane = node.lane;
        this.connection = node.connection;
    }

    /** A home of another shard or token on the same connection. */
    StoreHome as(int otherShard, long term) {
        return new StoreHome(this, otherShard, new FencingToken(term, 1, 1));
    }

    /** Opens the log; false if a newer home has it. */
    boolean open() {
        return opened(StoreProbe.result(beginOpen()));
    }

    CompletableFuture<List<OpenedLog>> beginOpen() {
        return begin(() -> connection.open(List.of(opening())));
    }

    LogOpening opening() {
        return new LogOpening(type, shard, token);
    }

    /** Takes the answer to an opening. */
    boolean opened(List<OpenedLog> answer) {
        StoreProbe.same(1, answer.size(), "answers to one opening");
        if (answer.get(0) instanceof OpenedLog.Open open) {
            log = open;
            return true;
        }
        return false;
    }

    StoreHome opened() {
        StoreProbe.check(open(), "the log was not opened");
        return this;
    }

    int log() {
        return log.log();
    }

    /** The end of the log when it was opened. */
    long end() {
        return log.end();
    }

    long openings() {
        return log.opening();
    }

    LogFence fence() {
        return new LogFence(log.log(), token, log.opening());
    }

    LogFence fence(long opening) {
        return new LogFence(log.log(), token, opening);
    }

    /** Appends events behind this end; whether they are stored. */
    boolean append(long end, EventRow... rows) {
        return stored(StoreProbe.result(beginAppend(end, rows)));
    }

    CompletableFuture<Set<Integer>> beginAppend(long end, EventRow... rows) {
        return beginAppends(List.of(new LogAppend<>(fence(), end, Arrays.asList(rows))));
    }

    CompletableFuture<Set<Integer>> beginAppends(List<LogAppend<EventRow>> appends) {
        return begin(() -> connection.append(appends));
    }

    boolean write(long end, StateRow... rows) {
        return stored(StoreProbe.result(beginWrite(end, rows)));
    }

    CompletableFuture<Set<Integer>> beginWrite(long end, StateRow... rows) {
        return begin(() -> connection.write(List.of(new LogAppend<>(fence(), end, Arrays.asList(rows)))));
    }

    boolean save(SnapshotRow... rows) {
        return stored(probe.await(
                lane, () -> connection.saveSnapshots(List.of(new LogAppend<>(fence(), 0, Arrays.asList(rows))))));
    }

    boolean stored(Set<Integer> logs) {
        StoreProbe.check(logs.isEmpty() || logs.equals(Set.of(log())), "stored logs " + logs + " of " + log());
        return !logs.isEmpty();
    }

    LoadedEntity load(String id, int limit) {
        List<LoadedEntity> loaded = probe.await(lane, () -> connection.load(type, List.of(id), limit));
        StoreProbe.same(1, loaded.size(), "entities of one id");
        return loaded.get(0);
    }

    /** All events of an entity. */
    List<EventRow> events(String id) {
        return call(way -> way.loadEvents(type, id, 0, Integer.MAX_VALUE - 1));
    }

    boolean delete(String id, long through, boolean snapshotToo) {
        return call(way -> way.delete(fence(), type, id, through, snapshotToo));
    }

    /** Makes a call and waits for its answer. */
    <T> T call(Function<StoreConnection, Future<T>> call) {
        return probe.await(lane, () -> call.apply(connection));
    }

    <T> CompletableFuture<T> begin(Supplier<Future<T>> call) {
        return probe.begin(lane, call);
    }
}
