package io.shardbus.runtime.entity;

import io.shardbus.core.entity.EntityOwner;
import io.shardbus.model.FencingToken;

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
}
