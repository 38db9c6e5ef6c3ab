package io.shardbus.core.hosting;

import io.shardbus.model.StartReason;
import java.util.Objects;

/** Starts an entity as its shard does when it is remembered. */
public final class RememberedStart {
    private RememberedStart() {}

    public static void start(HostedShards hosted, int shard, String entityId) {
        Objects.requireNonNull(hosted.get(shard)).start(entityId, StartReason.REMEMBERED);
    }
}
