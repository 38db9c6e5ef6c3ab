package io.shardbus.store.infinispan;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The directory of a durable store of remembered entities on which no node runs. Blocks. */
public final class StoppedStore {
    private final Path path;

    /**
     * Stored entries of a type.
     *
     * @param entities ids
     * @param tokens shards whose newest token was known
     */
    public record Stored(long entities, int tokens) {
        public boolean isNothing() {
            return entities == 0 && tokens == 0;
        }
    }

    public StoppedStore(Path path) {
        this.path = path;
    }

    /**
     * Removes all that is stored of the types.
     *
     * @return what was there, for each of the types
     * @throws IllegalStateException if a node runs on the directory, or another tool works on it
     * @throws io.shardbus.store.UnreadableRecordException if files of another release are there
     */
    public Map<String, Stored> remove(Collection<String> types) {
        if (Files.notExists(path)) {
            return count(types, Map.of());
        }
        var directory = new DataDirectory(path);
        directory.lock();
        try {
            var removed = count(types, directory.read());
            var meant = new HashSet<>(types);
            for (var files : directory.starts()) {
                removeFrom(files, meant);
            }
            return removed;
        } finally {
            directory.unlock(() -> {});
        }
    }

    private static void removeFrom(Path files, Set<String> types) {
        try (var saved = SavedFiles.open(files)) {
            saved.remove(key -> types.contains(key.type()));
        }
    }

    private static Map<String, Stored> count(Collection<String> types, Map<IdBucketCodec.Key, IdBucket> saved) {
        var counted = new TreeMap<String, Stored>();
        for (var type : types) {
            var shards = new TreeSet<Integer>();
            long ids = 0;
            for (var bucket : saved.entrySet()) {
                if (bucket.getKey().type().equals(type)) {
                    shards.add(bucket.getKey().shard());
                    ids += bucket.getValue().ids().size();
                }
            }
            counted.put(type, new Stored(ids, shards.size()));
        }
        return counted;
    }
}
