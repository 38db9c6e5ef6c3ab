package io.shardbus.store.postgres;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.shardbus.integration.Await;
import io.shardbus.options.PostgresOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.testkit.EventStoreContract;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

@DisplayName("The store in PostgreSQL keeps the contract")
@Tag("slow")
class PostgresContractIT {
    private static Vertx vertx;
    private static String uri;
    private static String partitionedUri;

    @BeforeAll
    static void makeDatabase() {
        vertx = Vertx.vertx();
        uri = TestPostgres.newDatabase(vertx);
        partitionedUri = TestPostgres.newDatabase(vertx);
    }

    @AfterAll
    static void close() {
        Await.result(vertx.close());
    }

    @TestFactory
    Stream<DynamicTest> keepsTheContract() {
        return checks(new Factory(new PostgresOptions().setUri(uri)));
    }

    @TestFactory
    Stream<DynamicTest> keepsTheContractInPartitions() {
        return checks(new Factory(new PostgresOptions().setUri(partitionedUri).setPartitions(3)));
    }

    private static Stream<DynamicTest> checks(Factory stores) {
        return EventStoreContract.checks(stores).stream().map(check -> dynamicTest(check.name(), check::run));
    }

    private record Factory(PostgresOptions options) implements EventStoreContract.StoreFactory {
        @Override
        public PersistenceStore open(Vertx checks) {
            return PostgresStore.create(checks, options);
        }

        @Override
        public boolean breakConnections() {
            Await.result(PgConnection.connect(vertx, PgConnectOptions.fromUri(options.getUri()))
                    .compose(connection -> connection
                            .query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()")
                            .execute()
                            .eventually(connection::close)));
            return true;
        }
    }
}
