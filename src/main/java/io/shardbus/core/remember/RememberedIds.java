package io.shardbus.core.remember;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ids of one shard, each with its state. */
final class RememberedIds {
    private final Map<String, IdState> states = new HashMap<>();
    private final Map<IdState, Integer> counts = new EnumMap<>(IdState.class);

    @Nullable
    IdState state(String id) {
        return states.get(id);
    }

    boolean is(String id, IdState state) {
        return states.get(id) == state;
    }

    /** @throws IllegalStateException when this state cannot follow the present one */
    void become(String id, IdState next) {
        IdState before = states.put(id, next);
        boolean legal = before == null ? next.mayBeFirst() : next.mayFollow(before);
        if (!legal) {
            throw new IllegalStateException("id '" + id + "' is " + before + " and cannot become " + next);
        }
        if (before != null) {
            counts.merge(before, -1, Integer::sum);
        }
        counts.merge(next, 1, Integer::sum);
    }

    /** The store has forgotten the id. */
    void remove(String id) {
        IdState before = states.remove(id);
        if (before != IdState.REMOVING) {
            throw new IllegalStateException("id '" + id + "' is " + before + " and cannot be forgotten");
        }
        counts.merge(before, -1, Integer::sum);
    }

    /** Number of ids that are remembered, being added or being removed. */
    int size() {
        return states.size();
    }

    int count(IdState state) {
        return counts.getOrDefault(state, 0);
    }
}
