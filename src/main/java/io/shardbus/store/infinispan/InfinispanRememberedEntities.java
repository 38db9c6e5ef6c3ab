package io.shardbus.store.infinispan;

import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.infinispan.manager.EmbeddedCacheManager;
import org.jspecify.annotations.Nullable;

/**
 * Remembered entities on a cache of the cluster that every node has in memory, and with a directory also in files of
 * its own. The side of a split that has no majority of the last stable members can neither read nor write.
 *
 * <p>The ids of a shard are spread over {@value #BUCKETS} entries by their hash, each with the newest token seen, and a
 * write compares and replaces whole entries: whichever of an opening and an older home's update comes second at an
 * entry finds it changed, and reads it again. Either the opening lists what the update stored there, or the update
 * finds a newer token and is refused. So after an opening has answered, an older home changes nothing; an update that
 * an opening overtakes half-way fails, and the opening lists what it had stored.
 *
 * <p>Futures complete on threads of the store, of Infinispan or on a timer thread: callbacks must not block. The cache
 * manager belongs to the caller and must run from before {@link #start} until after {@link #close}.
 */
public final class InfinispanRememberedEntities implements RememberedEntitiesStore {
    /** Timeout of one operation, the wait for a free thread included, unless the options say otherwise. */
    public static final Duration DEFAULT_OPERATION_TIMEOUT = Duration.ofSeconds(5);

    /** Joining a cache waits for its content; a saved content is read and compared with it. */
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private static final int BUCKETS = 16;

    /** A node may be given thousands of shards at once. */
    private static final int MOST_WAITING = 200_000;

    /**
     * Every write goes to all nodes and, with a directory, to all their disks. When a node opens all its shards at
     * once, more than these only wait longer, until Infinispan gives them up and they begin anew.
     */
    private static final int MOST_UNDER_WAY = 16;

    private static final int REMOVED_AT_ONCE = 64;

    private final EmbeddedCacheManager manager;
    private final @Nullable DataDirectory directory;
    private final Duration timeout;
    private final boolean ownManager;
    private final CacheCalls calls = new CacheCalls("shardbus-remembered", MOST_WAITING, MOST_UNDER_WAY);
    /** Reads come from memory and do not wait for writes. */
    private final CacheCalls reads = new CacheCalls("shardbus-remembered-read");

    /** Of a start and an end, which do not mix: a start that a close has overtaken ends what it began. */
    private final Object turn = new Object();

    private volatile boolean closed;
    private volatile @Nullable BucketCache buckets;

    /** Changes of the ids of one bucket. */
    private record Change(Set<String> added, Set<String> removed) {
        static final Change NONE = new Change(Set.of(), Set.of());

        Change() {
            this(new HashSet<>(), new HashSet<>());
        }

        StoredIds appliedTo(StoredIds ids) {
            if (added.isEmpty() && removed.isEmpty()) {
                return ids;
            }
            var changed = ids.toSet();
            changed.addAll(added);
            changed.removeAll(removed);
            return StoredIds.of(changed);
        }
    }

    /** In the memory of all nodes: lost when the last of them stops. */
    public static InfinispanRememberedEntities replicated(EmbeddedCacheManager manager, Duration timeout) {
        return new InfinispanRememberedEntities(manager, null, timeout);
    }

    /**
     * In memory, and in files of this node; every write is forced to the disks of all nodes before it is answered.
     *
     * @param directory of this node alone, made if it is not there; locked while the store runs
     */
    public static InfinispanRememberedEntities durable(EmbeddedCacheManager manager, Path directory, Duration timeout) {
        return new InfinispanRememberedEntities(manager, new DataDirectory(directory), timeout);
    }

    /** In files, for a node that is in no cluster. */
    public static InfinispanRememberedEntities durableAlone(Path directory, Duration timeout) {
        return new InfinispanRememberedEntities(
                SavedFiles.localContainer(), new DataDirectory(directory), timeout, true);
    }

    private InfinispanRememberedEntities(
            EmbeddedCacheManager manager, @Nullable DataDirectory directory, Duration timeout) {
        this(manager, directory, timeout, false);
    }

    private InfinispanRememberedEntities(
            EmbeddedCacheManager manager, @Nullable DataDirectory directory, Duration timeout, boolean ownManager) {
        this.ownManager = ownManager;
        this.manager = Objects.requireNonNull(manager, "manager");
        this.directory = directory;
        this.timeout = timeout;
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException("timeout (" + timeout + ") must be at least 1 ms");
        }
    }

    /** With a directory: what it has is compared with what the cluster has, and the newer of both is kept by all. */
    @Override
    public Future<Void> start() {
        return calls.run("start", START_TIMEOUT, () -> {
            synchronized (turn) {
                try {
                    begin();
                } finally {
                    if (closed) {
                        end();
                    }
                }
            }
        });
    }

    private void begin() {
        if (directory == null) {
            buckets = BucketCache.join(manager, RememberedCache.obtain(manager, null));
            return;
        }
        directory.lock();
        if (ownManager) {
            manager.start();
        }
        var saved = directory.read();
        var joined = BucketCache.join(manager, RememberedCache.obtain(manager, directory.next()));
        joined.takeBack(saved);
        directory.forgetEarlier();
        buckets = joined;
    }

    private void end() {
        buckets = null;
        if (directory != null) {
            directory.unlock(() -> RememberedCache.end(manager));
            if (ownManager) {
                manager.stop();
            }
        }
    }

    @Override
    public Future<Set<String>> open(String type, int shard, FencingToken token) {
        var all = new TreeMap<Integer, Change>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            all.put(bucket, Change.NONE);
        }
        return change("open", type, shard, token, all).map(contents -> {
            int most =
                    contents.stream().mapToInt(content -> content.ids().size()).sum();
            Set<String> ids = new HashSet<>(Math.max(16, 2 * most));
            contents.forEach(content -> content.ids().addTo(ids));
            return ids;
        });
    }

    @Override
    public Future<Void> update(String type, int shard, FencingToken token, Set<String> added, Set<String> removed) {
        var changes = new TreeMap<Integer, Change>();
        added.forEach(id -> of(changes, id).added().add(id));
        removed.forEach(id -> of(changes, id).removed().add(id));
        return change("update", type, shard, token, changes).mapEmpty();
    }

    private static Change of(Map<Integer, Change> changes, String id) {
        int hash = id.hashCode() * 0x9E3779B9;
        return changes.computeIfAbsent((hash >>> 16) & (BUCKETS - 1), bucket -> new Change());
    }

    /**
     * Waits for every bucket, also when one has failed, and begins no attempt after it has answered: otherwise a
     * leftover of this operation could undo the caller's next one.
     */
    private Future<List<IdBucket>> change(
            String name, String type, int shard, FencingToken token, Map<Integer, Change> changes) {
        var started = buckets;
        if (started == null) {
            return notRunning(name);
        }
        var attempts = new Attempts();
        var contents = new ArrayList<Future<IdBucket>>();
        changes.forEach((bucket, change) -> {
            Function<IdBucket, IdBucket> next = before -> {
                if (before.fence().isNewerThan(token)) {
                    throw new StaleTokenException(type, shard, before.fence(), token);
                }
                return before.next(started.life(), token, change.appliedTo(before.ids()));
            };
            contents.add(calls.call(
                    name, timeout, () -> started.change(IdBucketCodec.key(type, shard, bucket), next, attempts)));
        });
        return Future.join(contents)
                .onComplete(done -> attempts.end())
                .compose(done ->
                        started.ifSettled(contents.stream().map(Future::result).toList()));
    }

    /** Reads the memory of this node, which has every acknowledged write. */
    @Override
    public Future<Set<Integer>> shards(String type) {
        return read("shards", started -> {
            var shards = new TreeSet<Integer>();
            started.forEachOf(type, (key, value) -> {
                if (IdBucketCodec.size(value) > 0) {
                    shards.add(key.shard());
                }
            });
            return shards;
        });
    }

    @Override
    public Future<Long> removeType(String type) {
        return this.<List<byte[]>>read("removeType", started -> {
                    var keys = new ArrayList<byte[]>();
                    started.forEachOf(
                            type, (key, value) -> keys.add(IdBucketCodec.key(type, key.shard(), key.bucket())));
                    return keys;
                })
                .compose(keys -> {
                    Promise<Long> all = Promise.promise();
                    remove(keys, 0, all);
                    return all.future();
                });
    }

    /** Not one future within the other, as there may be thousands of turns. */
    private void remove(List<byte[]> keys, long removed, Promise<Long> all) {
        var started = buckets;
        if (started == null) {
            all.fail(isNotRunning("removeType"));
            return;
        }
        if (keys.isEmpty()) {
            started.ifSettled(removed).onComplete(all);
            return;
        }
        var now = keys.subList(0, Math.min(REMOVED_AT_ONCE, keys.size())).stream()
                .map(key -> calls.call("removeType", timeout, () -> started.remove(key)))
                .toList();
        var rest = keys.subList(now.size(), keys.size());
        Future.join(now)
                .compose(done -> calls.run(
                        "removeType",
                        timeout,
                        () -> remove(
                                rest,
                                removed + now.stream().mapToLong(Future::result).sum(),
                                all)))
                .onFailure(all::tryFail);
    }

    /** Completes when the cache with files is left and the directory is unlocked. */
    @Override
    public Future<Void> close() {
        closed = true;
        buckets = null;
        reads.close();
        if (directory == null) {
            calls.close();
            return Future.succeededFuture();
        }
        return calls.run("close", CLOSE_TIMEOUT, () -> {
                    synchronized (turn) {
                        end();
                    }
                })
                .recover(failure -> Future.succeededFuture())
                .onComplete(done -> calls.close());
    }

    private <T> Future<T> read(String name, Function<BucketCache, T> reading) {
        var started = buckets;
        if (started == null) {
            return notRunning(name);
        }
        return reads.call(name, timeout, () -> CompletableFuture.completedFuture(reading.apply(started)))
                .compose(started::ifSettled);
    }

    private static <T> Future<T> notRunning(String name) {
        return Future.failedFuture(isNotRunning(name));
    }

    private static IllegalStateException isNotRunning(String name) {
        return new IllegalStateException(name + ": the store of remembered entities is not started, or closed");
    }
}
