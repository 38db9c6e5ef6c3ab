package io.shardbus.store.infinispan;

import io.shardbus.model.FencingToken;
import io.shardbus.model.UnknownFields;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A part of a shard's ids.
 *
 * @param fence the newest token seen; writes with older ones are refused
 * @param writes how often it was written, in each life of the cluster from the earliest that counts. A content that was
 *     written at least as often in every life descends from the other; of two that do not descend from each other,
 *     neither is the newer one
 * @param rest what a later build has written beside that; it stays
 */
record IdBucket(FencingToken fence, Map<String, Long> writes, StoredIds ids, UnknownFields rest) {
    static final IdBucket EMPTY = new IdBucket(FencingToken.NONE, Map.of(), StoredIds.NONE);

    IdBucket(FencingToken fence, Map<String, Long> writes, StoredIds ids) {
        this(fence, writes, ids, UnknownFields.NONE);
    }

    /**
     * Number of cluster lives, each from one full stop to the next, whose writes are counted. A content that is older
     * counts as unrelated to the present one.
     */
    private static final int LIVES = 8;

    /**
     * One write later. Never equal to an earlier content, so that a write that was given up cannot take hold after it.
     */
    IdBucket next(String life, FencingToken token, StoredIds changed) {
        var counted = new LinkedHashMap<>(writes);
        counted.merge(life, 1L, Long::sum);
        while (counted.size() > LIVES) {
            counted.remove(counted.keySet().iterator().next());
        }
        return new IdBucket(token, counted, changed, rest);
    }

    /**
     * The merge of this content and a saved one that comes back: the one that descends from the other, else the ids of
     * both, because one id too many costs a start and a missing one is lost.
     */
    IdBucket mergedWith(IdBucket saved) {
        var keepsFence = writes.isEmpty() ? saved.fence : fence;
        if (saved.descendsFrom(this)) {
            return descendsFrom(saved)
                    ? new IdBucket(keepsFence, writes, union(ids, saved.ids), rest)
                    : new IdBucket(keepsFence, saved.writes, saved.ids, saved.rest);
        }
        if (descendsFrom(saved)) {
            return this;
        }
        var counted = new LinkedHashMap<>(saved.writes);
        writes.forEach((life, count) -> counted.merge(life, count, Math::max));
        return new IdBucket(keepsFence, counted, union(ids, saved.ids), rest);
    }

    private boolean descendsFrom(IdBucket other) {
        return other.writes.entrySet().stream()
                .allMatch(write -> writes.getOrDefault(write.getKey(), 0L) >= write.getValue());
    }

    private static StoredIds union(StoredIds some, StoredIds others) {
        if (some.equals(others)) {
            return some;
        }
        var all = some.toSet();
        return all.addAll(others.toSet()) ? StoredIds.of(all) : some;
    }
}
