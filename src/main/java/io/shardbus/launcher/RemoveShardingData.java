package io.shardbus.launcher;

import io.shardbus.store.UnreadableRecordException;
import io.shardbus.store.infinispan.StoppedStore;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Removes what sharding itself has stored of entity types, from one node's directory ({@code stateStoreDirectory})
 * while no node runs: remembered ids and fencing tokens. Data of the application is left alone. Run it on the
 * directory of every node: data that one directory still has comes back with that node.
 *
 * <p>Arguments: the directory, then the types. Ends with 0 when nothing of the types is left, 1 when the directory is
 * in use or cannot be read (nothing was removed, or not all of it: run it again), 2 when the arguments are wrong.
 */
public final class RemoveShardingData {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int MISUSED = 2;

    private RemoveShardingData() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out, System.err));
    }

    /** The exit code. */
    static int run(String[] arguments, PrintStream out, PrintStream err) {
        if (arguments.length < 2 || Arrays.stream(arguments).anyMatch(String::isBlank)) {
            err.println("usage: RemoveShardingData <directory> <type>...");
            return MISUSED;
        }
        var types = List.of(arguments).subList(1, arguments.length);
        try {
            new StoppedStore(Path.of(arguments[0])).remove(types).forEach((type, stored) -> report(type, stored, out));
            return DONE;
        } catch (IllegalStateException | UncheckedIOException | UnreadableRecordException e) {
            err.println("not removed: " + e.getMessage());
            return FAILED;
        }
    }

    private static void report(String type, StoppedStore.Stored stored, PrintStream out) {
        if (stored.isNothing()) {
            out.println(type + ": nothing was stored, nothing removed");
            return;
        }
        if (stored.entities() > 0) {
            out.println(type + ": remembered entities removed: " + stored.entities());
        }
        out.println(type + ": fencing tokens removed: " + stored.tokens());
    }
}
