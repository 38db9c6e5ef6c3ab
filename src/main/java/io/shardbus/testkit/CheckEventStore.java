package io.shardbus.testkit;

import io.shardbus.options.PostgresOptions;
import io.shardbus.options.SqliteOptions;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.EventStoreContract.Check;
import io.shardbus.testkit.EventStoreContract.StoreFactory;
import java.io.PrintStream;
import java.util.List;

/**
 * Checks a store against the contract from a command line, without a test framework:
 *
 * <pre>{@code
 * java -cp ... io.shardbus.testkit.CheckEventStore sqlite:check.db
 * java -cp ... io.shardbus.testkit.CheckEventStore postgresql://user:password@host/database
 * java -cp ... io.shardbus.testkit.CheckEventStore com.example.MyStoreFactory
 * }</pre>
 *
 * <p>A class is a {@link StoreFactory} with a public constructor without parameters. The checks leave their types in
 * the store: use a store for tests.
 */
public final class CheckEventStore {
    private CheckEventStore() {}

    /** Prints a line for each check, and ends with 1 if the store fails a check, with 2 for a wrong argument. */
    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println(
                    "usage: CheckEventStore sqlite:<file> | postgresql://<address> | <class of a StoreFactory>");
            System.exit(2);
        }
        try {
            System.exit(run(EventStoreContract.checks(factory(args[0])), System.out) ? 0 : 1);
        } catch (ReflectiveOperationException | IllegalArgumentException | ClassCastException e) {
            System.err.println("cannot check this store: " + e);
            System.exit(2);
        }
    }

    /** True if the store keeps all of them. */
    static boolean run(List<Check> checks, PrintStream out) {
        int broken = 0;
        for (Check check : checks) {
            try {
                check.run();
                out.println("kept    " + check.name());
            } catch (AssertionError | RuntimeException e) {
                broken++;
                out.println("BROKEN  " + check.name() + ": " + e.getMessage());
            }
        }
        out.println((checks.size() - broken) + " of " + checks.size() + " kept");
        return broken == 0;
    }

    private static StoreFactory factory(String store) throws ReflectiveOperationException {
        if (store.startsWith("sqlite:")) {
            SqliteOptions options = new SqliteOptions().setFile(store.substring("sqlite:".length()));
            return vertx -> SqliteStore.create(vertx, options);
        }
        if (store.startsWith("postgresql://") || store.startsWith("postgres://")) {
            PostgresOptions options = new PostgresOptions().setUri(store);
            return vertx -> PostgresStore.create(vertx, options);
        }
        return Class.forName(store)
                .asSubclass(StoreFactory.class)
                .getConstructor()
                .newInstance();
    }
}
