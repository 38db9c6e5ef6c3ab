package io.shardbus.core.persistence;

import java.util.List;

/** Port of a lane's commits to the store. Each call is answered on the lane, at once or later. */
public interface CommitPort<R> {
    /**
     * Opens logs; answered with {@link CommitQueue#opened} or {@link CommitQueue#superseded} for each, or with
     * {@link CommitQueue#openFailed} for all.
     */
    void open(List<LogKey> logs);

    /** Stores a batch; answered with {@link CommitQueue#appended} or {@link CommitQueue#appendFailed}. */
    void append(CommitBatch<R> batch);

    /** Reads of the log that wait may begin; called again after each opening and each answer of the store. */
    void readable(LogKey log);

    /** The store does not answer, or answers again. */
    void troubled(boolean isTroubled);

    /** The store has not answered for as long as commits wait; what is added is refused until it answers. */
    void gaveUp(String reason);

    /** Another home has the shard: it is to end here. */
    void superseded(LogKey log);

    /** The store has lost rows that it had confirmed; the log continues after the remaining ones. */
    void regressed(LogKey log, long confirmed, long end);

    /** The continuation after a commit of an entity threw this; the others hear of their commits all the same. */
    void threw(LogKey log, String id, Throwable failure);

    /** Whether the log's shard is at home on this lane; the log of one that has left is not opened again. */
    boolean isHosted(LogKey log);

    /** {@link CommitQueue#flush} is to be called at this moment. */
    void wakeAt(long moment);
}
