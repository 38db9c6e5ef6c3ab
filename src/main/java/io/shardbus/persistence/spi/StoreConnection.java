package io.shardbus.persistence.spi;

import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Connection of one lane to the store, called on the lane's event loop only. Openings and writes of one connection take
 * effect in the order of the calls, and their futures complete in that order; later calls may overtake reads. A call
 * may be made while others are under way.
 *
 * <p>Every call ends within the store's own time limit. A call that takes longer fails with {@link
 * StoreException.Kind#UNREACHABLE}, and so do all calls under way behind it. A write among these may take effect until
 * the next opening of its log is answered, but not after that.
 */
public interface StoreConnection {
    /**
     * Opens logs, at most one for each shard of a type. An opening succeeds if no newer token has opened the log and no
     * newer layout of the type has been opened. It sets the log's token, and raises the number of the log's opening by
     * one, even if the token is the present one. The first opening of a layout closes the logs of all older layouts for
     * good.
     *
     * <p>The ends in the answer are read after that change: from then on no write under an earlier opening is stored.
     *
     * @return for each opening its outcome, in the same order
     */
    Future<List<OpenedLog>> open(List<LogOpening> openings);

    /**
     * Stores events, in one statement or transaction; the events of each log as a whole or not at all. If the token,
     * the opening or the end of a log differs, its events are refused; those of the other logs are stored.
     *
     * @param appends each for another log; one without rows stores nothing, and its log is in the answer if it is not
     *     refused
     * @return the numbers of the logs whose events were stored. After a failure of the kinds {@code REPEAT}, {@code
     *     ROW_REFUSED} and {@code BLOCKED} no events were stored.
     */
    Future<Set<Integer>> append(List<LogAppend<EventRow>> appends);

    /**
     * As {@link #append}, for durable states: a row replaces the one with the previous revision. A row whose
     * predecessor has another revision fails the call with {@code ROW_REFUSED}.
     */
    Future<Set<Integer>> write(List<LogAppend<StateRow>> writes);

    /**
     * Stores snapshots, under the fences of their logs; ends of logs are not compared. An older snapshot does not
     * replace a newer one.
     *
     * @param snapshots each for another log; {@link LogAppend#end} has no meaning here
     * @return the numbers of the logs whose snapshots were stored
     */
    Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots);

    /**
     * Snapshots and the events after them, read after all writes whose futures have completed. The answer ends early
     * when it is full: see {@link ReadBytes}, which counts the rows entity by entity, snapshots before events. The last
     * entity of such an answer says that there are more events; the ids behind it are asked for again.
     *
     * @param ids each once
     * @param limit events of one entity at most
     * @return an entity for each id, in the same order, without events if nothing is stored of it; at least one
     */
    Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit);

    /**
     * The next events of an entity, after the sequence number {@code after}, at most {@code limit}, in order. The last
     * ones have come when there are fewer than {@code limit}, and they do not fill an answer, see {@link ReadBytes}.
     */
    Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit);

    /**
     * The durable states of entities, by id, without the entities of which nothing is stored. States are read in the
     * order of the ids; those behind the one that fills the answer are left out, see {@link ReadBytes}.
     */
    Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids);

    /**
     * Deletes events of an entity up to this sequence number, but never its last one. On request it also deletes the
     * snapshot, unless that is newer: a call with an unknown outcome may take effect after a later snapshot. The first
     * event that a projection of the {@link OffsetStore} has not read stays, and so do all events after it; a
     * projection that has an offset in any log of the type counts as a reader of all logs. A repeated call deletes
     * events that were read meanwhile.
     *
     * @return whether the log still has this token and opening; if not, nothing is deleted
     */
    Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo);

    /** Lets calls that are under way end, and frees the connection. Later calls fail. May be repeated. */
    Future<Void> close();
}
