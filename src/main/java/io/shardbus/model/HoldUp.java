package io.shardbus.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a shard that is to leave its home waits for there.
 *
 * @param entity of the entities that have not ended, the one that has been at one message, at its start or at its end
 *     for the longest time; null where all are idle
 * @param entityMs for how long, in milliseconds; of an entity at its end since the handoff began. 0 where there is none
 * @param entities how many entities have not ended
 * @param undrained nodes that may still send what they hold for this home, as they have not said that they have
 *     drained; the first {@value #MOST_NODES} by name
 */
public record HoldUp(@Nullable String entity, long entityMs, int entities, List<NodeId> undrained) {
    /** Most nodes that are named. */
    public static final int MOST_NODES = 10;

    /** Nothing is known. */
    public static final HoldUp NONE = new HoldUp(null, 0, 0, List.of());

    public HoldUp {
        undrained = List.copyOf(undrained);
    }
}
