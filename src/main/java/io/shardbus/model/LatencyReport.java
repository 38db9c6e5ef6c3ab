package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Durations of asks, handling and waiting on all nodes that answered.
 *
 * @param types by name
 * @param silent the members that did not answer
 */
public record LatencyReport(Map<String, OfType> types, Set<NodeId> silent) {
    /** Measured operation. */
    public enum Kind {
        /** An ask to an entity on the sender's node, measured at the sender until the answer arrives. */
        ASK_LOCAL,
        /** An ask to an entity on another node, measured at the sender until the answer arrives. */
        ASK_REMOTE,
        /** The handling of a message by the entity's code, until its future completes. */
        HANDLE,
        /** A message's wait in the entity's mailbox, in whole milliseconds; 0 for a message that is handled at once. */
        MAILBOX,
        /**
         * The wait at the sender because the shard's home is unknown or lost, measured on the first message that waits.
         */
        HOME,
        /** The wait at the sender for the next home of a shard that moves, measured on the first message that waits. */
        MOVE
    }

    /** Outcome of the operation. */
    public enum Outcome {
        OK,
        FAILED,
        /** The answer had not come at the deadline. */
        TIMED_OUT
    }

    /**
     * Recorded durations of a type.
     *
     * @param oneOf on average one in {@code oneOf} messages is measured, and also every failure; 0 if nothing is
     *     measured
     * @param slowest the slowest asks of the last hour, those of the last minute and quarter of an hour among them;
     *     the slowest first
     * @param hottest the entities that handled the most messages in the last 30 to 60 seconds, and those that handled
     *     messages for longest, {@link HotEntity#MOST} of each at most; those with the most messages first. The figures
     *     are estimated from the measured messages
     */
    public record OfType(int oneOf, List<Series> series, List<SlowAsk> slowest, List<HotEntity> hottest) {
        public OfType {
            series = List.copyOf(series);
            slowest = List.copyOf(slowest);
            hottest = List.copyOf(hottest);
        }
    }

    /**
     * Times of one kind.
     *
     * @param message the class of the messages without its package; empty for kinds that do not tell classes apart,
     *     such as waiting
     */
    public record Series(
            Kind kind,
            String message,
            Outcome outcome,
            TimeHistogram lastMinute,
            TimeHistogram lastQuarter,
            TimeHistogram lastHour) {
        /** The sum of this series and the other one. */
        public Series plus(Series other) {
            return new Series(
                    kind,
                    message,
                    outcome,
                    lastMinute.plus(other.lastMinute),
                    lastQuarter.plus(other.lastQuarter),
                    lastHour.plus(other.lastHour));
        }
    }

    /**
     * An ask that took long.
     *
     * @param at when it ended, in milliseconds since 1970
     * @param trace the headers of its trace, as the tracer writes them, for instance {@code traceparent}; may be empty
     * @param micros its duration in microseconds; accurate only to a millisecond if the ask is not one of the measured
     *     messages
     * @param failure name of its {@link FailureCode}; empty for one that was answered
     */
    public record SlowAsk(
            long at,
            String message,
            String entityId,
            Map<String, String> trace,
            Outcome outcome,
            boolean remote,
            long micros,
            String failure) {
        /** Number of asks that are kept for each window. */
        public static final int MOST = 20;

        public SlowAsk {
            trace = Map.copyOf(trace);
        }
    }

    /**
     * An entity that gets many messages, or handles them for long.
     *
     * @param perSecond messages a second that it handled, estimated
     * @param busy the share of time in which it handled messages until their futures completed, from 0 to 1, estimated
     * @param node the node on which it handled them, most of them if its shard has moved meanwhile; null in the figures
     *     of one node
     */
    public record HotEntity(
            String id,
            int shard,
            double perSecond,
            double busy,
            @Nullable NodeId node) {
        /** Number of entities that are kept for each type, by messages and by time each. */
        public static final int MOST = 50;

        /** In the figures of one node. */
        public HotEntity(String id, int shard, double perSecond, double busy) {
            this(id, shard, perSecond, busy, null);
        }

        /** The same figures, of that node. */
        public HotEntity on(NodeId handler) {
            return new HotEntity(id, shard, perSecond, busy, handler);
        }

        /** The same entity on another lane or node, where it was before its shard moved. */
        public HotEntity plus(HotEntity other) {
            return new HotEntity(
                    id,
                    shard,
                    perSecond + other.perSecond,
                    busy + other.busy,
                    other.perSecond > perSecond ? other.node : node);
        }
    }

    public LatencyReport {
        types = Map.copyOf(types);
        silent = Set.copyOf(silent);
    }
}
