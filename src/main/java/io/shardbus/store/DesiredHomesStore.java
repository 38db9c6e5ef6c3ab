package io.shardbus.store;

import io.shardbus.model.NodeId;
import io.shardbus.spi.RecordStore;
import io.shardbus.wire.TextFields;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The desired homes of shards, one record for each type in a store that all nodes share. Threads and time limits are
 * those of a {@link RecordStore}.
 */
public final class DesiredHomesStore {
    /** Number of times that a write may be overtaken by other writers before it fails. */
    static final int TRIES = 16;

    private static final String PREFIX = "desired-homes/";
    private static final int NODES = 1;
    private static final int SHARDS = 2;

    private final RecordStore records;
    private final Runnable onClose;

    /** @param onClose frees what {@code records} holds on this node */
    public DesiredHomesStore(RecordStore records, Runnable onClose) {
        this.records = records;
        this.onClose = onClose;
    }

    /** Desired homes in the memory of this process. */
    public static DesiredHomesStore inMemory() {
        return new DesiredHomesStore(new InMemoryRecordStore(), () -> {});
    }

    /**
     * The desired homes of a type by shard, none if none were set. Fails where the agreed record cannot be read.
     */
    public Future<Map<Integer, NodeId>> read(String type) {
        return records.read(PREFIX + type).map(DesiredHomesStore::decode);
    }

    /**
     * Replaces the desired homes of a type by the result of {@code change} for the present ones. {@code change} is
     * called again when another writer was quicker, {@value #TRIES} times at most. After a failure the write may have
     * been made.
     */
    public Future<Void> update(String type, UnaryOperator<Map<Integer, NodeId>> change) {
        return update(PREFIX + type, change, TRIES);
    }

    private Future<Void> update(String name, UnaryOperator<Map<Integer, NodeId>> change, int tries) {
        if (tries == 0) {
            return Future.failedFuture(
                    new IllegalStateException(name + ": " + TRIES + " times another writer was quicker"));
        }
        return records.read(name).compose(found -> {
            Map<Integer, NodeId> homes = change.apply(new TreeMap<>(decode(found)));
            String next = found == null && homes.isEmpty() ? null : encode(homes);
            return records.replace(name, found, next)
                    .compose(written -> written ? Future.succeededFuture() : update(name, change, tries - 1));
        });
    }

    /** Later calls fail. */
    public void close() {
        onClose.run();
    }

    /**
     * Each node once, by lines, then the shards with the lines of their homes. Homes that were cleared leave an empty
     * record: where two sides of a split meet, one that is gone would come back from the side that still has it.
     */
    private static String encode(Map<Integer, NodeId> homes) {
        Map<NodeId, Integer> lines = new LinkedHashMap<>();
        List<String> shards = new ArrayList<>(homes.size());
        homes.forEach((shard, home) -> {
            int line = lines.computeIfAbsent(home, key -> lines.size());
            shards.add(shard + ":" + line);
        });
        List<String> nodes = lines.keySet().stream().map(NodeId::value).toList();
        return new TextFields()
                .put(NODES, String.join("\n", nodes))
                .put(SHARDS, String.join(" ", shards))
                .text();
    }

    private static Map<Integer, NodeId> decode(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        try {
            TextFields fields = TextFields.parse(text).orElseThrow();
            if (fields.get(SHARDS).orElseThrow().isEmpty()) {
                return Map.of();
            }
            List<NodeId> nodes = Arrays.stream(fields.get(NODES).orElseThrow().split("\n", -1))
                    .map(NodeId::new)
                    .toList();
            Map<Integer, NodeId> homes = new TreeMap<>();
            for (String entry : fields.get(SHARDS).orElseThrow().split(" ", -1)) {
                String[] parts = entry.split(":", 2);
                homes.put(Integer.valueOf(parts[0]), nodes.get(Integer.parseInt(parts[1])));
            }
            return homes;
        } catch (RuntimeException e) {
            throw new IllegalStateException("a record of desired homes that this build cannot read", e);
        }
    }
}
