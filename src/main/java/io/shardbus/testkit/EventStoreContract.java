package io.shardbus.testkit;

import io.shardbus.persistence.spi.PersistenceStore;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Contract of every store of persistent entities, as checks without a test framework. JUnit runs them so:
 *
 * <pre>{@code
 * @TestFactory
 * Stream<DynamicTest> keepsTheContract() {
 *     return EventStoreContract.checks(factory).stream().map(check -> dynamicTest(check.name(), check::run));
 * }
 * }</pre>
 *
 * <p>The checks use types of their own, named {@code contract-<number>}, and leave them in the store.
 */
public final class EventStoreContract {
    /**
     * Number of random histories that are compared with the model; {@code -Dshardbus.contract.histories} sets
     * another number.
     */
    public static final int DEFAULT_HISTORIES = 100;

    private EventStoreContract() {}

    /** Opens the store under test. */
    public interface StoreFactory {
        /**
         * Opens a store with the same content as the stores that were opened before. A store that keeps its content
         * outside of the process returns another instance each time, as each process of a cluster has one. The checks
         * close it.
         */
        PersistenceStore open(Vertx vertx);

        /**
         * Breaks the connections that the stores have now, as a restart of the server does.
         *
         * @return false if the store has no connections that could break
         */
        default boolean breakConnections() {
            return false;
        }
    }

    /** Check of one rule of the contract. */
    public static final class Check {
        private final String name;
        private final StoreFactory factory;
        private final Consumer<StoreProbe> body;

        Check(String name, StoreFactory factory, Consumer<StoreProbe> body) {
            this.name = name;
            this.factory = factory;
            this.body = body;
        }

        /** The rule that is checked, as a sentence. */
        public String name() {
            return name;
        }

        /**
         * Runs the check, on a thread that may wait.
         *
         * @throws AssertionError if the store breaks the rule, with the details
         */
        public void run() {
            try (StoreProbe probe = new StoreProbe(factory)) {
                body.accept(probe);
            }
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** All checks, each independent of the others. */
    public static List<Check> checks(StoreFactory factory) {
        return checks(factory, Integer.getInteger("shardbus.contract.histories", DEFAULT_HISTORIES));
    }

    /**
     * All checks.
     *
     * @param histories how many random histories are compared with the model
     */
    public static List<Check> checks(StoreFactory factory, int histories) {
        List<Check> checks = new ArrayList<>();
        FenceChecks.addTo((name, body) -> checks.add(new Check(name, factory, body)));
        RowChecks.addTo((name, body) -> checks.add(new Check(name, factory, body)));
        StateChecks.addTo((name, body) -> checks.add(new Check(name, factory, body)));
        OffsetChecks.addTo((name, body) -> checks.add(new Check(name, factory, body)));
        ReminderChecks.addTo((name, body) -> checks.add(new Check(name, factory, body)));
        checks.add(new Check(
                histories + " random histories of two writers and a reader are those of the model",
                factory,
                probe -> StoreHistories.run(probe, histories)));
        return checks;
    }

    /** Takes the checks of one subject. */
    interface Checks {
        void add(String name, Consumer<StoreProbe> body);
    }
}
