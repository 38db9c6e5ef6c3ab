package io.shardbus.core.control;

import io.shardbus.model.NodeId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The latest announcement of a shutdown that was heard. A node repeats an announcement until each member has heard it,
 * so one may arrive after its cancellation, which may have been said on another node.
 *
 * <p>Announcements have one order, whichever node they were said on: their number is the wall clock's milliseconds, or
 * one more than the highest number that the node has heard, if that is greater; of two with one number the greater name
 * is later. A number may be made up, or of a wrong clock: one that is more than a day ahead of this node's clock is
 * followed and not remembered, so it outdates no other. Nodes of an earlier build count each for itself: such numbers
 * are compared with those of their node alone.
 */
public final class HeardAnnouncements {
    /** No node of an earlier build has counted so far; in milliseconds since 1970 it is a day of that year. */
    static final long FIRST = 1_000_000_000;

    /** By how much a number that outdates others may be ahead of the clock, in milliseconds. */
    static final long LEAD = TermNumbers.LEAD;

    private static final int MOST_NODES = 1_000;

    private final Map<NodeId, Long> counts = new LinkedHashMap<>();
    private long latest;
    private @Nullable NodeId latestBy;
    /** The number by which another node has told that an announcement of this one is outdated. */
    private long told;

    /**
     * The announcement that is said on this node now: later than all that it has heard.
     *
     * @param wall the own wall clock in milliseconds
     */
    public ShutdownAnnouncement next(boolean stops, NodeId self, long wall) {
        long clock = Math.max(FIRST, wall);
        return new ShutdownAnnouncement(stops, self, Math.max(clock, Math.max(latest(wall), told) + 1));
    }

    /**
     * Another node keeps to a later announcement than one that was said here: what is said here next is later than that
     * one.
     */
    public void outdatedBy(long number) {
        told = Math.max(told, Math.min(number, Long.MAX_VALUE / 2));
    }

    /** The highest number that outdates others now; 0 if there is none. */
    public long latest(long wall) {
        return latest > wall + LEAD ? 0 : latest;
    }

    /** Whether an announcement is followed: no later one was heard before. */
    public boolean isNews(ShutdownAnnouncement said, long wall) {
        NodeId by = said.by();
        if (by == null) {
            return true;
        }
        if (isCount(said)) {
            return said.number() >= counts.getOrDefault(by, 0L);
        }
        long known = latest(wall);
        return said.number() > known || said.number() == known && (latestBy == null || by.compareTo(latestBy) >= 0);
    }

    /** An announcement that is news was heard. */
    void heard(ShutdownAnnouncement said, long wall) {
        NodeId by = said.by();
        if (by == null) {
            return;
        }
        if (isCount(said)) {
            counts.remove(by);
            counts.put(by, said.number());
            if (counts.size() > MOST_NODES) {
                counts.remove(counts.keySet().iterator().next());
            }
        } else if (said.number() <= wall + LEAD) {
            latest = said.number();
            latestBy = by;
        }
    }

    private static boolean isCount(ShutdownAnnouncement said) {
        return said.number() < FIRST;
    }
}
