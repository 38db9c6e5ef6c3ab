package io.shardbus.core.allocation;

import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import java.util.Collection;

/**
 * Fair share of slices per region, and how many slices the regions still miss.
 *
 * @param optimum the slices per region, rounded up
 * @param homeless the slices without a home on any of the regions
 * @param missing the slices all regions together need to be well filled
 */
record SliceShare(int optimum, int homeless, int missing) {
    private static final int TOLERATED_ABOVE = 1;
    private static final int MOST_TOLERATED_BELOW = 3;
    private static final int PART_TOLERATED_BELOW = 5;

    /** @param slices how many there are */
    static SliceShare among(int slices, Collection<NodeId> regions, AllocationSnapshot snapshot) {
        int optimum = Suitability.share(slices, regions);
        int homed = regions.stream().mapToInt(snapshot::count).sum();
        int missing = regions.stream()
                .mapToInt(region -> missing(optimum, snapshot.count(region)))
                .sum();
        return new SliceShare(optimum, slices - homed, missing);
    }

    /** The most slices of a well filled region. */
    int most() {
        return optimum + TOLERATED_ABOVE;
    }

    /** Whether a region with {@code count} slices may take one more without spoiling the share of another. */
    boolean hasRoom(int count) {
        return count < most() && homeless - 1 >= missing - missing(optimum, count);
    }

    /** The missing slices that those without a home cannot make up for; 0 or less if there are none. */
    int uncovered() {
        return missing - homeless;
    }

    private static int missing(int optimum, int count) {
        int tolerated = Math.max(1, Math.min(MOST_TOLERATED_BELOW, optimum / PART_TOLERATED_BELOW));
        return Math.max(0, optimum - tolerated - count);
    }
}
