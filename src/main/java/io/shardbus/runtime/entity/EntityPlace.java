package io.shardbus.runtime.entity;

import io.shardbus.core.entity.EntityOwner;
import io.shardbus.model.FencingToken;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One shard's stay on a lane of this node, with what its entities have in common. */
public final class EntityPlace<M> {
    final EntityHost<M> host;
    final EntityLane lane;
    final EntityOwner owner;
    final int shard;
    final FencingToken token;
    final UserCalls calls;
    final MessageTimes times;
    final Handling<M> handling;
    /** What to do when a message comes for an entity that starts, by the entity's id. On the lane. */
    private final Map<String, Runnable> whenWanted = new HashMap<>();

    /** On the lane, as the shard comes. */
    public EntityPlace(EntityHost<M> host, EntityLane lane, EntityOwner owner, int shard, FencingToken token) {
        this.host = host;
        this.lane = lane;
        this.owner = owner;
        this.shard = shard;
        this.token = token;
        this.calls = new UserCalls(host, lane, owner);
        this.times = new MessageTimes(lane, owner);
        this.handling = new Handling<>(host, lane, shard, calls);
    }

    /**
     * What to do when a message comes for the entity while it starts. On the lane.
     *
     * @param action null for nothing
     */
    void whenWanted(String id, @Nullable Runnable action) {
        if (action == null) {
            whenWanted.remove(id);
        } else {
            whenWanted.put(id, action);
        }
    }

    /** A message has come for an entity that starts. On the lane. */
    void wanted(String id) {
        Runnable action = whenWanted.remove(id);
        if (action != null) {
            action.run();
        }
    }
}
