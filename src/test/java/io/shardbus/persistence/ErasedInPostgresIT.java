package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.ClusterSharding;
import io.shardbus.integration.Await;
import io.shardbus.model.CommandId;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Last;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An entity that is erased in PostgreSQL")
class ErasedInPostgresIT {
    private static final Duration SOON = Duration.ofSeconds(5);

    private Vertx vertx;
    private String uri;
    private PostgresStore store;
    private ClusterSharding sharding;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
        uri = TestPostgres.newDatabase(vertx);
        startNode();
    }

    private void startNode() {
        store = PostgresStore.create(vertx, new PostgresOptions().setUri(uri));
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        Await.result(sharding.start(
                Account.type().withSnapshots(StateCodec.json(Long.class), 2).on(store)));
    }

    private void restart() {
        Await.result(store.close());
        Await.result(vertx.close());
        vertx = Vertx.vertx();
        startNode();
    }

    @AfterEach
    void stop() {
        Await.result(store.close());
        Await.result(vertx.close());
    }

    private Long deposit(int number) {
        CommandId id = new CommandId("k" + number, 1000 + number);
        return ClusterTestKit.await(sharding.entityRef(Account.TYPE, "a").ask(new Deposit(number), id, SOON));
    }

    private long last() {
        return ClusterTestKit.await(sharding.entityRef(Account.TYPE, "a").ask(new Last()));
    }

    private long balance() {
        return ClusterTestKit.await(sharding.entityRef(Account.TYPE, "a").ask(new Balance()));
    }

    private List<Row> rows(String sql) {
        List<Row> rows = new ArrayList<>();
        Await.result(PgConnection.connect(vertx, PgConnectOptions.fromUri(uri))
                        .compose(connection -> connection.query(sql).execute().eventually(connection::close)))
                .forEach(rows::add);
        return rows;
    }

    @Test
    @DisplayName("has a row without a state, with the ids of its commands and without their answers")
    void erased() {
        for (int i = 1; i <= 5; i++) {
            deposit(i);
        }
        ClusterTestKit.await(sharding.operations().erase("account", "a"));

        List<Row> left = rows("SELECT seq, payload, meta FROM shardbus_event WHERE id = 'a'");
        assertEquals(1, left.size());
        assertEquals(6, left.get(0).getLong("seq"));
        assertNull(left.get(0).getBuffer("payload"));
        String known = left.get(0).getBuffer("meta").toString(StandardCharsets.ISO_8859_1.name());
        assertEquals(List.of(true, true), List.of(known.contains("k1"), known.contains("k5")));
        assertEquals(List.of(), rows("SELECT seq FROM shardbus_snapshot WHERE id = 'a'"));

        restart();
        for (int i = 1; i <= 5; i++) {
            assertNull(deposit(i));
        }
        assertEquals(0, balance());
        assertEquals(6, deposit(6));
        assertEquals(7, last());
        restart();
        assertNull(deposit(5));
        assertEquals(6, deposit(6));
        assertEquals(6, balance());
    }
}
