package io.shardbus.core.hosting;

import io.shardbus.model.NodeId;

/**
 * Settings of one lane.
 *
 * @param bufferSize messages that may wait on this lane for a home or for a place in a frame
 */
public record LaneSettings(
        NodeId self,
        int lane,
        int numberOfShards,
        int bufferSize,
        int mailboxSize,
        int frameMessages,
        int frameWindow,
        LaneTimes times) {
    /**
     * The times of a lane, in milliseconds.
     *
     * @param repeatInterval the first pause before an unanswered frame is repeated
     * @param giveUpAfter how long a channel without any answer is tried; a lease time
     * @param retryInterval the longest pause between questions for a home
     * @param stopTimeout how long an entity may take to end before it is stopped by force
     * @param patience how long an entity may be at one message before its shard stays for it; as long as asks wait
     */
    public record LaneTimes(
            long repeatInterval, long giveUpAfter, long retryInterval, long stopTimeout, long patience) {}

    /**
     * Number of messages that may wait on the way to a shard before its senders are told to wait: a tenth of
     * the buffer.
     */
    public int writeQueue() {
        return Math.max(1, bufferSize / 10);
    }

    public long repeatInterval() {
        return times.repeatInterval();
    }

    public long giveUpAfter() {
        return times.giveUpAfter();
    }

    public long retryInterval() {
        return times.retryInterval();
    }

    /**
     * Time that a shard which may stay waits for the drain of a node: 3 s of the usual lease of 8 s, in which its
     * messages wait.
     */
    public long drainPatience() {
        return times.giveUpAfter() * 3 / 8;
    }
}
