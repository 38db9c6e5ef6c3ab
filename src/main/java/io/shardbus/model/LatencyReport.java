package io.shardbus.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Durations of asks, handling and waiting on all nodes that answered.
 *
 * @param types by name
 * @param silent the members that did not answer
 */
public record LatencyReport(Map<String, OfType> types, Set<NodeId> silent) {
    /** Measured operation. */
    public enum Kind {
        /** An ask at its sender, until its answer is there; to an entity of the same node. */
        ASK_LOCAL,
        /** The same to an entity of another node. */
        ASK_REMOTE,
        /** The entity's code, until its future completes. */
        HANDLE,
        /** Waiting in the entity's mailbox; 0 for a message that is taken up at once. In whole milliseconds. */
        MAILBOX,
        /** At the sender, waiting for a home that was not known or lost: of the first message of each wait. */
        HOME,
        /** At the sender, waiting for the next home of a shard that moves: of the first message of each wait. */
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
     * @param oneOf on average one in so many messages is measured, and every failure; 0 if nothing is measured
     * @param slowest the slowest asks of the last hour, those of the last minute and quarter of an hour among them;
     *     the slowest first
     * @param hottest the entities with the most messages of the last half to whole minute, the busiest first; estimates
     *     from the measured messages
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
     * @param message the class of the messages without its package; empty where all are one, as for waiting
     */
    public record Series(
            Kind kind,
            String message,
            Outcome outcome,
            TimeHistogram lastMinute,
            TimeHistogram lastQuarter,
            TimeHistogram lastHour) {
        /** The times of both. */
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
     * @param at its end, milliseconds since 1970
     * @param trace the trace that it belongs to as its tracer writes it, for instance {@code traceparent}; may be empty
     * @param micros its time; of an ask that was not measured in whole milliseconds
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
     * An entity that gets many messages.
     *
     * @param perSecond messages a second that it handled, estimated
     * @param busy the share of time in which it handled messages until their futures completed, from 0 to 1, estimated
     */
    public record HotEntity(String id, int shard, double perSecond, double busy) {
        /** Number of entities that are kept for each type. */
        public static final int MOST = 50;

        /** The same entity on another lane or node, where it was before its shard moved. */
        public HotEntity plus(HotEntity other) {
            return new HotEntity(id, shard, perSecond + other.perSecond, busy + other.busy);
        }
    }

    public LatencyReport {
        types = Map.copyOf(types);
        silent = Set.copyOf(silent);
    }
}
