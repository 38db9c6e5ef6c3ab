package io.shardbus.core.region;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The numbers of a region's heartbeats, and when the last of them were sent: a lease runs from there. */
final class Heartbeats {
    private static final int REMEMBERED = 64;

    private final TreeMap<Long, Long> sentAt = new TreeMap<>();
    private long last;

    /** The number of the last one; 0 before the first. */
    long last() {
        return last;
    }

    long send(long now) {
        sentAt.put(++last, now);
        if (sentAt.size() > REMEMBERED) {
            sentAt.pollFirstEntry();
        }
        return last;
    }

    /** The moment at which the heartbeat was sent; null if that is too long ago. */
    @Nullable
    Long sentAt(long number) {
        return sentAt.get(number);
    }
}
