package io.shardbus.admin;

/**
 * Action that a request to the admin resources asks for; an {@link AdminAuthorizer} decides about it. Constants are
 * only ever added, so an authorizer should refuse those that it does not know.
 */
public enum AdminAction {
    /** Look at the cluster, types, shards, ids of entities, events. */
    READ,
    /** Read the state that an entity shows. */
    INSPECT_STATE,
    /** Passivate, restart or forget one entity. */
    TREAT_ENTITY,
    /** Erase the stored data of an entity. */
    ERASE_ENTITY,
    /** Drain a node: move all its shards off; or end the drain. */
    DRAIN,
    /** Cordon a node: give it no more shards; or end that. */
    CORDON,
    /** Move or pin single shards. */
    MOVE_SHARD,
    /** Announce that the whole cluster stops, or cancel that. */
    SHUT_DOWN,
    /** Even out the shards of a type, or stop and resume rounds of rebalancing. */
    REBALANCE,
    /** Change how many entities of a type may be active on this node. */
    LIMIT_ENTITIES,
    /** Set or clear the desired homes of shards. */
    PLACE_SHARDS,
    /** Change the number of workers of a daemon process. */
    RESCALE_WORKERS,
    /** Pause, resume or reset a projection. */
    STEER_PROJECTION,
    /** Set the level of loggers of this process for a while. */
    SET_LOG_LEVEL
}
