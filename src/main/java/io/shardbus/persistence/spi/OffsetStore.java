package io.shardbus.persistence.spi;

import io.shardbus.model.FencingToken;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Store of the positions up to which projections have read each log. Any thread; futures complete on the caller's event
 * loop, if it is on one.
 */
public interface OffsetStore {
    /** Once the reasons of a parked event have this number of characters together, further reasons are dropped. */
    int MOST_REASONS = 50_000;

    /** An event that a projection passed over, with the reason. */
    record Parked(int log, long position, String reason) {
        /** Limit of one reason, in characters. */
        public static final int LONGEST_REASON = 2_000;

        /**
         * A parked event with a reason that every store can keep: cut to the limit, and without NUL, which PostgreSQL
         * does not store.
         */
        public static Parked of(int log, long position, String reason) {
            String text = reason.replace('\0', ' ');
            return new Parked(
                    log, position, text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "...");
        }
    }

    /**
     * A move of a log's offset.
     *
     * @param log the store's number of the log
     * @param before the offset that the log must have
     * @param after the offset that it gets
     */
    record Move(int log, long before, long after) {}

    /**
     * Takes logs over for a worker, and returns the positions up to which the projection has read them. From now on
     * moves with an older token are refused. Takes no log over while the projection is paused.
     *
     * @param logs of which the caller is the only worker
     * @return by log; 0 if nothing was read. Without logs that a newer token has; empty while the projection is paused
     */
    Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token);

    /**
     * Moves an offset.
     *
     * @return false, without a change, if the offset is not {@code before} or a newer token has the log
     */
    Future<Boolean> move(String projection, int log, long before, long after, FencingToken token);

    /**
     * Moves offsets of several logs, each as {@link #move} does. A store may override this to use one commit for all.
     *
     * @param moves each of another log
     * @return the logs whose offsets moved; fails if that is not known for all
     */
    default Future<Set<Integer>> moveAll(String projection, List<Move> moves, FencingToken token) {
        Set<Integer> moved = ConcurrentHashMap.newKeySet();
        return Future.join(moves.stream()
                        .map(move -> move(projection, move.log(), move.before(), move.after(), token)
                                .onSuccess(isMoved -> {
                                    if (isMoved) {
                                        moved.add(move.log());
                                    }
                                }))
                        .toList())
                .map(all -> moved);
    }

    /** The positions up to which the projection has read its logs, by log, of all workers. */
    Future<Map<Integer, Long>> positions(String projection);

    /**
     * Parks an event. An event that is parked again with another reason has both reasons, up to {@link #MOST_REASONS}.
     */
    Future<Void> park(String projection, Parked event);

    /**
     * The first parked events, in the order of logs and positions.
     *
     * @param limit how many at most, from 1
     */
    Future<List<Parked>> parked(String projection, int limit);

    /** Number of parked events. */
    Future<Long> parkedCount(String projection);

    /**
     * Pauses a projection, or ends the pause; the store keeps the setting until the next call. Moves of offsets that
     * were claimed before a pause are still carried out. May be repeated.
     */
    Future<Void> setPaused(String projection, boolean paused);

    /** Whether the projection is paused; false for one that the store does not know. */
    Future<Boolean> isPaused(String projection);

    /**
     * Sets all offsets of a paused projection to 0 and drops its parked events. Moves of a log after that are refused
     * until the log is claimed again.
     *
     * @return false, without a change, if the projection is not paused
     */
    Future<Boolean> reset(String projection);

    /** The lowest offset of a log among the projections that have claimed it; {@code Long.MAX_VALUE} without any. */
    Future<Long> lowest(int log);
}
