package io.shardbus.runtime.region;

import io.shardbus.core.routing.Silence;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardSilence;
import io.shardbus.runtime.clock.ElapsedClock;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The last waits of a region's messages for homes: those for a shard that moved or whose home was lost, and those of
 * {@value #SHORTEST} ms and more. Any thread.
 */
final class RecentSilences {
    static final int MOST = 500;
    /** The first message for a shard waits for less than this where all is well. */
    static final long SHORTEST = 10;

    private final LongSupplier clock;
    private final RecentRing<Sample> ring = new RecentRing<>(MOST);

    /** @param at by the elapsed clock */
    private record Sample(long at, Silence silence) {}

    /** @param clock elapsed milliseconds */
    RecentSilences(LongSupplier clock) {
        this.clock = clock;
    }

    void add(Silence silence) {
        if (silence.moving() || silence.lost() || silence.millis() >= SHORTEST) {
            ring.add(new Sample(clock.getAsLong(), silence));
        }
    }

    /** The latest first. */
    List<ShardSilence> latest(NodeId node, String type, ElapsedClock wall) {
        long now = wall.now();
        long present = wall.wallMillis();
        return ring.latest().stream()
                .map(sample -> new ShardSilence(
                        node,
                        present - (now - sample.at()),
                        type,
                        sample.silence().shard(),
                        sample.silence().token(),
                        sample.silence().millis(),
                        sample.silence().messages(),
                        sample.silence().moving()))
                .toList();
    }
}
