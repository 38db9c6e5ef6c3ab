package benchmark;

import io.vertx.core.Future;
import java.util.List;

/** The least that the same rows cost in the same store with the same driver: no fence, no entities, no messages. */
interface Floor extends AutoCloseable {
    /** What a view takes: all events of a log, by pages of so many. */
    int PAGE = 500;

    /** Number of calls that may be under way at once. */
    int chains();

    /** Stores so many new events with one commit. */
    Future<?> insert(int chain, int rows);

    /** Reads all events of these entities of a type, or their snapshots. */
    Future<?> load(int chain, String type, List<String> ids, boolean snapshots);

    /** Reads a page of an entity's events behind a sequence number; the last number, 0 at the end. */
    Future<Long> page(String type, String id, long after);

    /** The logs of a type. */
    Future<List<Integer>> logs(String type);

    /** Reads a page of a log and writes it to a view if wanted, with one commit; the last position, 0 at the end. */
    Future<Long> project(int chain, int log, long after, boolean writes);

    @Override
    void close();
}
