package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.ShardRegion;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.options.PostgresOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.shardbus.store.postgres.PostgresHandler;
import io.shardbus.store.postgres.PostgresServer;
import io.shardbus.store.postgres.PostgresStore;
import io.shardbus.store.postgres.TestPostgres;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Accounts on a server that is stopped at once under load")
class RestartedServerIT {
    private static final int ACCOUNTS = 20;
    private static final int ROUNDS = 2;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final AtomicInteger answered = new AtomicInteger();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    @Test
    @DisplayName("lose nothing and double nothing, and their view has each event once")
    void loseAndDoubleNothing() {
        try (PostgresServer server = TestPostgres.ownServer();
                LoneNode node = new LoneNode(new ShardingOptions())) {
            PostgresStore store = PostgresStore.create(node.vertx(), new PostgresOptions().setUri(server.uri()));
            Await.result(store.start());
            sql(node, server, "CREATE TABLE movements (id text, seq bigint)");
            EventSourced<Account.Message, Account.Event, Long> accounts = Account.type();
            ShardRegion<Account.Message> region = node.start(accounts.on(store));
            Projection<Account.Event> view = Projection.of(
                    "movements",
                    accounts,
                    PostgresHandler.each(
                            store,
                            (event, sql) -> sql.preparedQuery("INSERT INTO movements VALUES ($1, $2)")
                                    .execute(Tuple.of(event.id(), event.sequenceNumber()))));
            Projections projections = Projections.create(node.vertx(), node.sharding(), store);
            Await.result(projections.start(view));

            List<Future<Long>> deposits = IntStream.range(0, ACCOUNTS)
                    .mapToObj(number -> deposit(region, "account-" + number, 0))
                    .toList();
            for (int round = 0; round < ROUNDS; round++) {
                awaitAnswers(200);
                server.stopAtOnce();
                server.startAgain();
            }
            awaitAnswers(200);
            stopped = true;

            long sum = 0;
            for (int number = 0; number < ACCOUNTS; number++) {
                long expected = Await.result(deposits.get(number));
                sum += expected;
                assertEquals(expected, ask(region, "account-" + number, new Account.Balance()));
                assertEquals(expected, ask(region, "account-" + number, new Account.Last()), "number of events");
            }
            assertEquals(List.of(), failures);
            assertEquals(answered.get(), sum);
            Await.until(() -> Await.result(projections.lag(view)), () -> Await.result(projections.lag(view)) == 0);
            Row seen = sql(node, server, "SELECT count(*), count(DISTINCT (id, seq)) FROM movements");
            assertEquals(List.of(sum, sum), List.of(seen.getLong(0), seen.getLong(1)));
            Await.result(store.close());
        }
    }

    /** Deposits 1 again and again; completes with the balance that the last answer said. */
    private Future<Long> deposit(ShardRegion<Account.Message> region, String id, long before) {
        if (stopped) {
            return Future.succeededFuture(before);
        }
        return region.entityRef(id)
                .request(new Account.Deposit(1), Long.class, DEADLINE)
                .transform(answer -> {
                    if (answer.failed()) {
                        failures.add(id + ": " + answer.cause());
                        return Future.succeededFuture(before);
                    }
                    if (answer.result() != before + 1) {
                        failures.add(id + ": " + answer.result() + " after " + before);
                    }
                    answered.incrementAndGet();
                    return deposit(region, id, answer.result());
                });
    }

    private static long ask(ShardRegion<Account.Message> region, String id, Account.Message message) {
        return Await.result(region.entityRef(id).request(message, Long.class, DEADLINE));
    }

    private void awaitAnswers(int more) {
        int goal = answered.get() + more;
        Await.until(() -> answered + " answers, " + failures, () -> answered.get() >= goal || !failures.isEmpty());
    }

    private static Row sql(LoneNode node, PostgresServer server, String statement) {
        return Await.result(PgConnection.connect(node.vertx(), PgConnectOptions.fromUri(server.uri()))
                .compose(connection -> connection
                        .query(statement)
                        .execute()
                        .map(rows -> rows.iterator().hasNext() ? rows.iterator().next() : null)
                        .eventually(connection::close)));
    }
}
