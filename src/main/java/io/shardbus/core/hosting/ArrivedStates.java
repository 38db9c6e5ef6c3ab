package io.shardbus.core.hosting;

import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.statetransfer.StateTransfers;
import io.shardbus.model.FencingToken;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** States that entities handed over at the shard's former home, until an instance has them or they move on. */
final class ArrivedStates {
    private final StateTransfers transfers;
    private final int shard;
    private final FencingToken token;
    private final Map<String, EntityState> byEntity = new LinkedHashMap<>();

    ArrivedStates(StateTransfers transfers, int shard, FencingToken token) {
        this.transfers = transfers;
        this.shard = shard;
        this.token = token;
        transfers.open(shard, token).forEach(state -> byEntity.put(state.entityId(), state));
    }

    boolean isEmpty() {
        return byEntity.isEmpty();
    }

    /** The first entities that have one. */
    List<String> first(int limit) {
        return byEntity.keySet().stream().limit(limit).toList();
    }

    /** The state for an instance that starts; null if there is none. */
    @Nullable
    EntityState take(String entityId) {
        EntityState state = byEntity.remove(entityId);
        if (state != null) {
            transfers.release(state);
        }
        return state;
    }

    /** The shard stops: the states move on with it, or are lost. */
    void leave(boolean moves) {
        for (EntityState state : byEntity.values()) {
            if (moves) {
                transfers.release(state);
                transfers.give(shard, token, state);
            } else {
                transfers.lose(shard, state);
            }
        }
        byEntity.clear();
    }
}
