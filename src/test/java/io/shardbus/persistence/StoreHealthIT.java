package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.store.sqlite.SqliteStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The health of a store")
class StoreHealthIT {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("that has not answered for its patience keeps the node from being ready, until it answers")
    void readiness() {
        UnsteadyStore store = new UnsteadyStore();
        store.patience(300);
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(Account.type().on(store));
            ClusterTestKit.Node node = cluster.node(0);
            var account = node.sharding().entityRef(Account.TYPE, "a");
            assertEquals(1, ClusterTestKit.await(account.ask(new Deposit(1))));
            cluster.until("ready", node.sharding()::isReady);
            store.cut(true);
            var refused =
                    assertThrows(ShardingException.class, () -> ClusterTestKit.await(account.ask(new Deposit(5))));
            assertTrue(
                    List.of(FailureCode.STORE_UNAVAILABLE, FailureCode.OUTCOME_UNKNOWN)
                            .contains(refused.code()),
                    refused::toString);
            cluster.until("not ready", () -> !node.sharding().isReady());
            String reason = String.join(" ", node.sharding().notReadyReasons());
            assertTrue(reason.contains("type 'account' refuse commands: the store does not answer"), reason);
            store.cut(false);
            cluster.until("ready again", node.sharding()::isReady);
            assertEquals(1, ClusterTestKit.await(account.ask(new Balance())));
        }
    }

    @Test
    @DisplayName("that has lost what it confirmed is counted, and its entities go on from what is there")
    void regressed() throws SQLException {
        Vertx vertx = Vertx.vertx();
        String file = directory.resolve("a.db").toString();
        SqliteStore store = SqliteStore.create(vertx, new SqliteOptions().setFile(file));
        try (var cluster = ClusterTestKit.start(1)) {
            cluster.startType(Account.type().on(store));
            ClusterTestKit.Node node = cluster.node(0);
            var account = node.sharding().entityRef(Account.TYPE, "a");
            ClusterTestKit.await(account.ask(new Deposit(1)));
            ClusterTestKit.await(account.ask(new Deposit(5)));
            try (Connection sql = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = sql.createStatement()) {
                assertEquals(1, statement.executeUpdate("DELETE FROM shardbus_event WHERE seq = 2"));
            }
            assertThrows(ShardingException.class, () -> ClusterTestKit.await(account.ask(new Deposit(7))));
            assertEquals(1, ClusterTestKit.await(account.ask(new Balance())));
            var counters = ClusterTestKit.await(
                            node.sharding().region(Account.TYPE).orElseThrow().state())
                    .counters();
            assertEquals(1, counters.get("store_regressed"));
        } finally {
            ClusterTestKit.await(store.close());
            ClusterTestKit.await(vertx.close());
        }
    }
}
