package io.shardbus.persistence.spi;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way of one lane to the store. Called on the lane's event loop alone. Openings and writes of one connection take
 * effect in the order of the calls, and their futures complete in it; reads may be overtaken by later calls. A call may
 * be made while others are under way.
 *
 * <p>Every call ends within the store's own time limit. One that does not ends with
 * {@link StoreException.Kind#UNREACHABLE}, and so do all that are under way behind it: none of those may take effect
 * before the next opening of its log is answered, and none after.
 */
public interface StoreConnection {
    /**
     * Opens logs, at most one for each shard of a type. An opening succeeds where no newer token has opened the log and
     * no newer layout of the type has been opened; it raises the log's token, and the number of its opening by one. An
     * opening with the token that the log has is an opening, too. The first opening of a layout closes the logs of all
     * older layouts for good.
     *
     * <p>The ends in the answer are read after the raise: no write under an earlier opening is stored from then on.
     *
     * @return for each opening its outcome, in the same order
     */
    Future<List<OpenedLog>> open(List<LogOpening> openings);

    /**
     * Stores events, each log's as a whole or not at all, all of them in one statement or transaction. A log is refused
     * where its token, its opening or its end is another one; the others are stored.
     *
     * @param appends each for another log; one without rows stores nothing, and its log is in the answer if it is not
     *     refused
     * @return the numbers of the logs that were stored. On a failure of the kinds {@code REPEAT}, {@code ROW_REFUSED}
     *     and {@code BLOCKED} no log was.
     */
    Future<Set<Integer>> append(List<LogAppend<EventRow>> appends);

    /**
     * As {@link #append}, for durable states: a row takes the place of the one with the revision before. A row whose
     * predecessor has another revision fails the call with {@code ROW_REFUSED}.
     */
    Future<Set<Integer>> write(List<LogAppend<StateRow>> writes);

    /**
     * Stores snapshots, under the fences of their logs; ends of logs are not compared. An older snapshot does not
     * replace a newer one.
     *
     * @param snapshots each for another log; {@link LogAppend#end} has no meaning here
     * @return the numbers of the logs that were stored
     */
    Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots);

    /**
     * Snapshots and the events behind them, read after all writes whose futures have completed.
     *
     * @param ids each once
     * @param limit events of one entity at most
     * @return an entity for each id, in the same order; one of which nothing is stored has no events
     */
    Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit);

    /** The next events of an entity, after this sequence number, at most so many, in order. */
    Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit);

    /** The durable states of entities, by id; one of which nothing is stored is not in it. */
    Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids);

    /** The sequence number of the last event, or the revision of the state; an entity without one is not in it. */
    Future<Map<String, Long>> newest(StoredType type, List<String> ids);

    /**
     * Deletes events of an entity up to this sequence number, but never its last one, and the snapshot where it is
     * wanted and not newer: a call of unknown outcome may take effect behind a later snapshot. The first event that a
     * projection of the {@link OffsetStore} has not read stays, and so do all behind it: a projection that has an
     * offset in any log of the type reads all of them. Done again, it deletes what was read meanwhile.
     *
     * @return whether the fence held; if not, nothing is deleted
     */
    Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo);

    /** Lets calls that are under way end, and frees the connection. Later calls fail. Harmless when repeated. */
    Future<Void> close();
}
