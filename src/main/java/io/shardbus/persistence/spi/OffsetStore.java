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
    /** An event that was parked with reasons of so many characters takes no more. */
    int MOST_REASONS = 50_000;

    /** An event that a projection passed over, and why. */
    record Parked(int log, long position, String reason) {
        /** Of one reason, in characters. */
        public static final int LONGEST_REASON = 2_000;

        /** With a reason as each store can keep it: without the NUL, which PostgreSQL does not store, and cut. */
        public static Parked of(int log, long position, String reason) {
            String text = reason.replace('\0', ' ');
            return new Parked(
                    log, position, text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "...");
        }
    }

    /** A move of a log's offset. */
    record Move(int log, long before, long after) {}

    /**
     * Takes logs over for a worker, and returns the positions up to which the projection has read them. From now on a
     * move with an older token is refused. Takes none while the projection is paused.
     *
     * @param logs of which the caller is the one worker
     * @return by log; 0 where nothing was read. A log that a newer token has is not in it; none where it is paused.
     */
    Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token);

    /**
     * Moves an offset.
     *
     * @return false, and nothing is stored, where the offset is not {@code before} or a newer token has the log
     */
    Future<Boolean> move(String projection, int log, long before, long after, FencingToken token);

    /**
     * Moves offsets of several logs, each as {@link #move} does. A store that overrides this makes one commit of them.
     *
     * @param moves each of another log
     * @return the logs whose offsets moved; fails where that is not known of all
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

    /** Notes an event that is passed over; done again with another reason, it has both, up to {@link #MOST_REASONS}. */
    Future<Void> park(String projection, Parked event);

    /**
     * The first events that were passed over, in the order of logs and positions.
     *
     * @param limit how many at most, from 1
     */
    Future<List<Parked>> parked(String projection, int limit);

    /** Number of parked events. */
    Future<Long> parkedCount(String projection);

    /**
     * Pauses a projection or lets it go on: kept by the store until the other is called. A move of an offset that was
     * claimed before is carried out all the same. Harmless when repeated.
     */
    Future<Void> setPaused(String projection, boolean paused);

    /** Whether the projection is paused; false for one that the store does not know. */
    Future<Boolean> isPaused(String projection);

    /**
     * Puts all offsets of a paused projection to 0 and forgets its parked events. A move that was not carried out
     * before it is refused, until the log is claimed again.
     *
     * @return false, and nothing has changed, where the projection is not paused
     */
    Future<Boolean> reset(String projection);

    /** The lowest offset of a log among the projections that have claimed it; {@code Long.MAX_VALUE} without any. */
    Future<Long> lowest(int log);
}
