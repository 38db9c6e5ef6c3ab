package io.shardbus.runtime.region;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.DeadLetter;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.OwnMessage;
import java.util.List;
import java.util.function.LongSupplier;

/** The last dead letters of a region, without the messages themselves. Any thread. */
final class DeadLetters {
    static final int MOST = 100;

    private final LongSupplier clock;
    private final RecentRing<Sample> ring = new RecentRing<>(MOST);

    /** @param at by the elapsed clock */
    private record Sample(long at, int shard, String entityId, String message, FailureCode code, String reason) {}

    /** @param clock elapsed milliseconds */
    DeadLetters(LongSupplier clock) {
        this.clock = clock;
    }

    void add(Envelope envelope, Failure reason) {
        String message = OwnMessage.message(envelope.payload()).getClass().getSimpleName();
        ring.add(new Sample(
                clock.getAsLong(),
                envelope.shard(),
                envelope.entityId(),
                message,
                reason.code(),
                cut(reason.message())));
    }

    /** The latest first. */
    List<DeadLetter> latest(NodeId node, String type, ElapsedClock wall) {
        long now = wall.now();
        long present = wall.wallMillis();
        return ring.latest().stream()
                .map(sample -> new DeadLetter(
                        node,
                        present - (now - sample.at()),
                        type,
                        sample.shard(),
                        sample.entityId(),
                        sample.message(),
                        sample.code().name(),
                        sample.reason()))
                .toList();
    }

    private static String cut(String text) {
        return text.length() <= DeadLetter.LONGEST_REASON
                ? text
                : text.substring(0, DeadLetter.LONGEST_REASON - 1) + "…";
    }
}
