package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.model.NodeId;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shards with remembered entities: they get a home without being asked for. They are read once in a reign, when it
 * is open: before that, a region that this reign does not know may still add ids to shards of its own.
 */
final class RememberedShards {
    private static final long FIRST_PAUSE = 50;

    private final ShardTable table;
    private final Placement placement;
    private final Supplier<CoordinatorSettings> settings;
    private final List<CoordinatorCommand> commands;
    private boolean asked;
    private long pause = FIRST_PAUSE;
    private long nextTry = LeaseTimes.NEVER;

    RememberedShards(
            ShardTable table,
            Supplier<CoordinatorSettings> settings,
            Placement placement,
            List<CoordinatorCommand> commands) {
        this.table = table;
        this.placement = placement;
        this.settings = settings;
        this.commands = commands;
    }

    void proceed(@Nullable RegionProfile profile, boolean open, long now) {
        if (!asked && open && profile != null && profile.memory().remembers() && now >= nextTry) {
            asked = true;
            commands.add(new CoordinatorCommand.ReadRememberedShards());
        }
    }

    /** The store may be another now: it is read once more. */
    void readAgain() {
        asked = false;
        pause = FIRST_PAUSE;
        nextTry = LeaseTimes.NEVER;
    }

    /** The store's answer; null when there was none. */
    void read(@Nullable Set<Integer> shards, @Nullable RegionProfile profile, long now) {
        Iterator<Session> sessions = table.sessions().iterator();
        if (shards == null || profile == null || !sessions.hasNext()) {
            asked = false;
            nextTry = now + pause;
            pause = Math.min(2 * pause, settings.get().retryInterval());
            return;
        }
        NodeId requester = sessions.next().node;
        int former = 0;
        for (int stored : shards) {
            // the shard that takes care of the ids of one that no longer exists: see RememberPort.findLeftovers
            int shard = stored % profile.numberOfShards();
            former += shard == stored ? 0 : 1;
            if (table.assignment(shard) == null) {
                placement.want(shard, requester);
            }
        }
        if (former > 0) {
            String text = former + " shards with remembered ids exceed numberOfShards " + profile.numberOfShards()
                    + ": their entities start in the shards that they have now";
            commands.add(new CoordinatorCommand.Report(false, text));
        }
    }
}
