package io.shardbus.runtime.entity;

import io.shardbus.transport.PayloadWire;

/** What the library's own entities know beyond what a user's do; each {@code EntityContext} of a region is one. */
public interface HostedContext {
    /** The lane on which the entity lives. */
    EntityLane lane();

    int numberOfShards();

    /** What gives an id its shard; any thread. */
    String addressing();

    /** The forms of commands and answers as bytes; any thread. */
    PayloadWire payloads();

    /** A call of the type's store of persistent entities failed; any thread. */
    void storeFailed(String reason);
}
