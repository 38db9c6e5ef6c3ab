package io.shardbus.runtime.region;

/** The sender of a message, as the lane of the message's shard sees it. */
@FunctionalInterface
interface Origin {
    /** Not an entity of the shard. */
    Origin OUTSIDE = () -> false;

    /** Whether a live entity of the message's own shard sends it; asked on the lane, when the message is there. */
    boolean isInside();

    /** The shard of the sender, as {@link io.shardbus.core.routing.Lane#sendFrom} takes it. */
    default int shard(int ofMessage) {
        return isInside() ? ofMessage : -1;
    }
}
