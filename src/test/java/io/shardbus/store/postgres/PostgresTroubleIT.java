package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.options.PostgresOptions;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.ReminderChange;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.projection.ProjectionBatch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A store in PostgreSQL whose server")
class PostgresTroubleIT {
    private static final FencingToken TOKEN = new FencingToken(1, 1, 1);

    private final Vertx vertx = Vertx.vertx();
    private PgConnectOptions server;
    private PgConnection admin;
    private volatile boolean silent;

    @BeforeEach
    void connect() {
        server = PgConnectOptions.fromUri(TestPostgres.newDatabase(vertx));
        admin = Await.result(PgConnection.connect(vertx, server));
    }

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    @DisplayName("refused a connection tries again with the next call")
    void connectsAgain() {
        String role = "role_of_" + server.getDatabase();
        run("CREATE ROLE " + role + " LOGIN PASSWORD 'x'");
        run("REVOKE CONNECT ON DATABASE " + server.getDatabase() + " FROM PUBLIC");
        PostgresStore store = store(role + ":x", server.getPort());
        assertEquals(StoreException.Kind.INCOMPATIBLE, refusal(store.start()));

        run("ALTER ROLE " + role + " SUPERUSER");

        Await.result(store.start());
        Await.result(store.close());
        run("ALTER ROLE " + role + " NOLOGIN NOSUPERUSER");
    }

    private String user() {
        String password = server.getPassword();
        return password == null || password.isEmpty() ? server.getUser() : server.getUser() + ":" + password;
    }

    @Test
    @DisplayName("has lost the row that says which store it is: the start says so, and succeeds when it is back")
    void lostItsIdentity() {
        PostgresStore store = store(user(), server.getPort());
        Await.result(store.start());
        run("CREATE TABLE saved AS SELECT * FROM shardbus_store");
        run("DELETE FROM shardbus_store");
        assertEquals(StoreException.Kind.INCOMPATIBLE, refusal(store.start()));
        run("INSERT INTO shardbus_store SELECT * FROM saved");
        Await.result(store.start());
        Await.result(store.close());
    }

    @Test
    @DisplayName("has tables of another release: the start says so, and makes no table among them")
    void hasTablesOfAnotherRelease() {
        PostgresStore store = store(user(), server.getPort());
        Await.result(store.start());
        run("UPDATE shardbus_store SET version = 2");
        run("DROP TABLE shardbus_reminder");
        assertEquals(StoreException.Kind.INCOMPATIBLE, refusal(store.start()));
        Future<String> table = admin.query("SELECT to_regclass('shardbus_reminder')::text")
                .execute()
                .map(found -> found.iterator().next().getString(0));
        assertNull(Await.result(table));
        Await.result(store.close());
    }

    @Test
    @DisplayName("falls silent in a transaction of a view fails it, and takes it when it is back")
    void endsASilentTransaction() {
        PostgresStore store = store(user(), proxy());
        Await.result(store.start());
        run("CREATE TABLE movements (position bigint)");
        Await.result(store.offsets().claim("view", List.of(1), TOKEN));
        PostgresHandler<String> handler = PostgresHandler.each(store, (event, sql) -> {
            silent = event.position() == 1;
            return sql.query("INSERT INTO movements VALUES (" + event.position() + ")")
                    .execute();
        });

        assertEquals(StoreException.Kind.UNREACHABLE, refusal(handler.handle(batch(1), store.offsets())));
        silent = false;
        assertEquals(true, Await.result(handler.handle(batch(2), store.offsets())));

        Future<Long> rows = admin.query("SELECT count(*) FROM movements")
                .execute()
                .map(found -> found.iterator().next().getLong(0));
        assertEquals(1, Await.result(rows));
        Await.result(store.close());
    }

    private static String readOnly(PostgresStore store) {
        return Await.result(store.loads(
                "SHOW transaction_read_only",
                Tuple.tuple(),
                rows -> rows.iterator().next().getString(0)));
    }

    @Test
    @DisplayName("takes no writes on a connection gets the next ones on another, as the address may lead elsewhere")
    void leavesAReadOnlyServer() {
        PostgresStore first = store(user(), server.getPort());
        Await.result(first.start());
        StoredType type = Await.result(first.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids")));
        Await.result(first.offsets().claim("view", List.of(1), TOKEN));
        Await.result(first.close());
        run("CREATE TABLE movements (position bigint)");
        // a session keeps what it begins with, as the connection to a server does that was demoted
        run("ALTER DATABASE " + server.getDatabase() + " SET default_transaction_read_only = on");
        PostgresStore store = store(user(), server.getPort());
        Await.result(store.start());
        Context lane = vertx.getOrCreateContext();
        StoreConnection connection = store.connect(lane);
        PostgresHandler<String> handler = PostgresHandler.each(
                store,
                (event, sql) -> sql.query("INSERT INTO movements VALUES (" + event.position() + ")")
                        .execute());
        assertEquals("on", readOnly(store));
        assertEquals(StoreException.Kind.BLOCKED, refusal(open(lane, connection, type)));
        assertEquals(StoreException.Kind.BLOCKED, refusal(store.offsets().move("view", 1, 0, 1, TOKEN)));
        assertEquals(StoreException.Kind.BLOCKED, refusal(handler.handle(batch(2), store.offsets())));

        run("ALTER DATABASE " + server.getDatabase() + " SET default_transaction_read_only = off");

        assertInstanceOf(
                OpenedLog.Open.class, Await.result(open(lane, connection, type)).get(0));
        assertEquals(true, Await.result(handler.handle(batch(2), store.offsets())));
        assertEquals(true, Await.result(store.offsets().move("view", 1, 2, 3, TOKEN)));
        assertEquals("off", readOnly(store), "what recovery reads");
        Await.result(connection.close());
        Await.result(store.close());
    }

    @Test
    @DisplayName("is to delete a long history gets it in parts, between which others' commits come")
    void deletesALongHistoryInParts() {
        PostgresStore store = store(user(), server.getPort());
        Await.result(store.start());
        StoredType type = Await.result(store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids")));
        Context lane = vertx.getOrCreateContext();
        StoreConnection connection = store.connect(lane);
        var log = assertInstanceOf(
                OpenedLog.Open.class, Await.result(open(lane, connection, type)).get(0));
        int events = 2 * Sql.DELETED_AT_ONCE + 3;
        run("INSERT INTO shardbus_event (type, id, seq, log, position, name, version, format, payload) SELECT "
                + type.number() + ", 'x', n, " + log.log() + ", n, 'a', 1, 1, '' FROM generate_series(1, " + events
                + ") AS n");
        run("INSERT INTO shardbus_offset VALUES ('view', " + log.log() + ", " + (events - 1) + ", 1, 1, 1)");
        run("CREATE TABLE deletions (events bigint)");
        run("CREATE FUNCTION counted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO deletions SELECT count(*) FROM gone; RETURN NULL; END $$");
        run("CREATE TRIGGER counting AFTER DELETE ON shardbus_event REFERENCING OLD TABLE AS gone"
                + " FOR EACH STATEMENT EXECUTE FUNCTION counted()");
        LogFence fence = new LogFence(log.log(), TOKEN, log.opening());

        assertEquals(true, Await.result(on(lane, () -> connection.delete(fence, type, "x", events, false))));

        assertEquals(List.of((long) events), numbers("SELECT seq FROM shardbus_event"));
        assertEquals(
                List.of((long) Sql.DELETED_AT_ONCE, (long) Sql.DELETED_AT_ONCE, 2L),
                numbers("SELECT events FROM deletions"));
        Await.result(connection.close());
        Await.result(store.close());
    }

    private List<Long> numbers(String query) {
        return Await.result(admin.query(query).execute().map(rows -> Rows.list(rows, row -> row.getLong(0))));
    }

    private static Future<List<OpenedLog>> open(Context lane, StoreConnection connection, StoredType type) {
        return on(lane, () -> connection.open(List.of(new LogOpening(type, 3, TOKEN))));
    }

    @Test
    @DisplayName("has tables of an earlier build adds what is missing, in any order of starts")
    void earlierReminders() {
        PostgresStore first = store(user(), server.getPort());
        Await.result(first.start());
        run("DROP TABLE shardbus_reminder");
        run("CREATE TABLE shardbus_reminder (type int NOT NULL, id text COLLATE \"C\" NOT NULL,"
                + " name text COLLATE \"C\" NOT NULL, part int NOT NULL, due bigint NOT NULL, payload bytea NOT NULL,"
                + " PRIMARY KEY (type, id, name))");
        run("INSERT INTO shardbus_reminder VALUES (1, 'x', 'old', 0, 70, '1')");
        run("DROP TABLE shardbus_projection");

        PostgresStore store = store(user(), server.getPort());
        Await.result(Future.all(first.start(), store.start()));
        assertEquals(false, Await.result(store.offsets().isPaused("sums")));
        StoredType type = Await.result(store.register(new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids")));
        Context lane = vertx.getOrCreateContext();
        StoreConnection connection = store.connect(lane);
        OpenedLog opened = Await.result(on(lane, () -> connection.open(List.of(new LogOpening(type, 3, TOKEN)))))
                .get(0);
        OpenedLog.Open log = assertInstanceOf(OpenedLog.Open.class, opened);
        var change = new ReminderChange("new", 80, Buffer.buffer("2"));
        var row = new EventRow("x", 1, 1, "a", 1, 1, Buffer.buffer(), null, Set.of(), List.of(change));
        LogFence fence = new LogFence(log.log(), TOKEN, log.opening());
        assertEquals(
                Set.of(log.log()),
                Await.result(on(lane, () -> connection.append(List.of(new LogAppend<>(fence, 0, List.of(row)))))));

        assertEquals(
                List.of(
                        new ReminderStore.Reminder("x", "new", 1, 80, Buffer.buffer("2")),
                        new ReminderStore.Reminder("x", "old", 0, 70, Buffer.buffer("1"))),
                Await.result(store.reminders().of(type.number(), "x")));
        Await.result(Future.all(first.close(), store.close()));
    }

    private static <T> Future<T> on(Context lane, Supplier<Future<T>> call) {
        Promise<T> promise = Promise.promise();
        lane.runOnContext(ignored -> call.get().onComplete(promise));
        return promise.future();
    }

    private static StoreException.Kind refusal(Future<?> call) {
        AssertionError refused = assertThrows(AssertionError.class, () -> Await.result(call));
        return assertInstanceOf(StoreException.class, refused.getCause()).kind();
    }

    private static ProjectionBatch<String> batch(long position) {
        var event = new EventEnvelope<>("a", position, 1, position, "added", Set.<String>of(), 0);
        return new ProjectionBatch<>("view", 1, 0, position, TOKEN, List.of(event));
    }

    private PostgresStore store(String user, int port) {
        String uri = "postgresql://" + user + "@" + server.getHost() + ":" + port + "/" + server.getDatabase();
        return PostgresStore.create(vertx, new PostgresOptions().setUri(uri).setStoreTimeoutMs(1000));
    }

    private void run(String statement) {
        Await.result(admin.query(statement).execute());
    }

    /** The port of a way to the server on which nothing arrives while it is silent, and nothing is refused. */
    private int proxy() {
        NetClient client = vertx.createNetClient();
        NetServer proxy = vertx.createNetServer().connectHandler(near -> {
            near.pause();
            client.connect(server.getPort(), server.getHost()).onSuccess(far -> {
                pipe(near, far);
                pipe(far, near);
                near.resume();
            });
        });
        return Await.result(proxy.listen(0, "127.0.0.1")).actualPort();
    }

    private void pipe(NetSocket from, NetSocket to) {
        from.handler(chunk -> {
            if (!silent) {
                to.write(chunk);
            }
        });
        from.closeHandler(closed -> to.close());
    }
}
