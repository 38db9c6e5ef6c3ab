package io.shardbus.store.memory;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.OffsetStore;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Offsets in memory. */
final class MemoryOffsets implements OffsetStore {
    private final Map<Key, Offset> offsets = new ConcurrentHashMap<>();
    private final Map<Key, Map<Long, Parked>> parked = new ConcurrentHashMap<>();
    /** By name; the lock of a name holds claims, pauses and resets of its projection apart. */
    private final Map<String, Boolean> paused = new ConcurrentHashMap<>();

    private record Key(String projection, int log) {}

    private record Offset(long position, FencingToken token) {}

    @Override
    public Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token) {
        Map<Integer, Long> claimed = new HashMap<>();
        paused.compute(projection, (name, isPaused) -> {
            if (!Boolean.TRUE.equals(isPaused)) {
                claimAll(projection, logs, token, claimed);
            }
            return isPaused;
        });
        return Future.succeededFuture(claimed);
    }

    private void claimAll(String projection, List<Integer> logs, FencingToken token, Map<Integer, Long> claimed) {
        for (int log : logs) {
            Offset now = offsets.compute(new Key(projection, log), (key, before) -> claimed(before, token));
            if (now.token().equals(token)) {
                claimed.put(log, now.position());
            }
        }
    }

    private static Offset claimed(@Nullable Offset before, FencingToken token) {
        if (before == null) {
            return new Offset(0, token);
        }
        return before.token().isNewerThan(token) ? before : new Offset(before.position(), token);
    }

    @Override
    public Future<Boolean> move(String projection, int log, long before, long after, FencingToken token) {
        boolean[] moved = new boolean[1];
        offsets.computeIfPresent(new Key(projection, log), (key, offset) -> {
            moved[0] = offset.position() == before && !offset.token().isNewerThan(token);
            return moved[0] ? new Offset(after, token) : offset;
        });
        return Future.succeededFuture(moved[0]);
    }

    @Override
    public Future<Map<Integer, Long>> positions(String projection) {
        Map<Integer, Long> positions = new HashMap<>();
        offsets.forEach((key, offset) -> {
            if (key.projection().equals(projection)) {
                positions.put(key.log(), offset.position());
            }
        });
        return Future.succeededFuture(positions);
    }

    @Override
    public Future<Void> park(String projection, Parked event) {
        parked.computeIfAbsent(new Key(projection, event.log()), key -> new ConcurrentHashMap<>())
                .merge(event.position(), event, MemoryOffsets::both);
        return Future.succeededFuture();
    }

    private static Parked both(Parked noted, Parked again) {
        return noted.reason().contains(again.reason()) || noted.reason().length() >= MOST_REASONS
                ? noted
                : new Parked(noted.log(), noted.position(), noted.reason() + "; " + again.reason());
    }

    @Override
    public Future<List<Parked>> parked(String projection, int limit) {
        return Future.succeededFuture(parked.entrySet().stream()
                .filter(entry -> entry.getKey().projection().equals(projection))
                .flatMap(entry -> entry.getValue().values().stream())
                .sorted(Comparator.comparingInt(Parked::log).thenComparingLong(Parked::position))
                .limit(limit)
                .toList());
    }

    @Override
    public Future<Long> parkedCount(String projection) {
        return Future.succeededFuture(parked.entrySet().stream()
                .filter(entry -> entry.getKey().projection().equals(projection))
                .mapToLong(entry -> entry.getValue().size())
                .sum());
    }

    long highestTerm() {
        return offsets.values().stream()
                .mapToLong(offset -> offset.token().term())
                .max()
                .orElse(0);
    }

    @Override
    public Future<Void> setPaused(String projection, boolean isPaused) {
        paused.put(projection, isPaused);
        return Future.succeededFuture();
    }

    @Override
    public Future<Boolean> isPaused(String projection) {
        return Future.succeededFuture(paused.getOrDefault(projection, false));
    }

    @Override
    public Future<Boolean> reset(String projection) {
        Boolean reset = paused.computeIfPresent(projection, (name, isPaused) -> {
            if (isPaused) {
                offsets.keySet().removeIf(key -> key.projection().equals(projection));
                parked.keySet().removeIf(key -> key.projection().equals(projection));
            }
            return isPaused;
        });
        return Future.succeededFuture(Boolean.TRUE.equals(reset));
    }

    @Override
    public Future<Long> lowest(int log) {
        return Future.succeededFuture(offsets.entrySet().stream()
                .filter(entry -> entry.getKey().log() == log)
                .mapToLong(entry -> entry.getValue().position())
                .min()
                .orElse(Long.MAX_VALUE));
    }

    /** Whether a projection that reads these logs of one type has not reached this position of one of them. */
    boolean isUnread(Set<Integer> ofType, int log, long position) {
        return offsets.keySet().stream()
                .filter(key -> ofType.contains(key.log()))
                .map(key -> offsets.get(new Key(key.projection(), log)))
                .anyMatch(offset -> offset == null || offset.position() < position);
    }
}
