package io.shardbus.admin;

/**
 * Action that a request to the admin resources asks for, as an {@link AdminAuthorizer} sees it. Constants are only ever
 * added, so an authorizer should refuse those that it does not know.
 */
public enum AdminAction {
    /** Look at the cluster, types, shards, ids of entities, events. */
    READ,
    /** Read what an entity shows of its state. */
    INSPECT_STATE,
    /** Passivate, restart or forget one entity. */
    TREAT_ENTITY,
    /** End what an entity has stored. */
    ERASE_ENTITY,
    /** Move all shards off a node, or take that back. */
    DRAIN,
    /** Give a node no more shards, or take that back. */
    CORDON,
    /** Move or pin single shards. */
    MOVE_SHARD,
    /** Announce that the whole cluster stops, or take that back. */
    SHUT_DOWN,
    /** Even out the shards of a type, or stop and resume that. */
    REBALANCE,
    /** Change how many entities of a type may be active on this node. */
    LIMIT_ENTITIES,
    /** Set or clear the desired homes of shards. */
    PLACE_SHARDS,
    /** Change the number of workers of a daemon process. */
    RESCALE_WORKERS,
    /** Pause, resume or reset a projection. */
    STEER_PROJECTION,
    /** Let loggers of this process say more or less for a while. */
    SET_LOG_LEVEL
}
