package io.shardbus.store.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import io.shardbus.options.SqliteOptions;
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
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The store in a file")
class SqliteStoreTest {
    private static final FencingToken TOKEN = new FencingToken(3, 1, 1);
    private static final TypeSpec ACCOUNT = new TypeSpec("account", TypeSpec.Model.EVENTS, 10, "ids");

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final Context lane = vertx.getOrCreateContext();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void storedRowsAreThereWhenTheFileIsOpenedAgain() {
        SqliteStore first = open("a.db");
        StoreConnection connection = first.connect(lane);
        StoredType type = Await.result(first.register(ACCOUNT));
        OpenedLog.Open log = opened(connection, type, TOKEN);
        assertEquals(Set.of(log.log()), append(connection, log, TOKEN, 0, event("x", 1, 1)));
        String id = Await.result(first.start()).id();
        Await.result(first.close());

        SqliteStore second = open("a.db");

        assertEquals(id, Await.result(second.start()).id());
        assertEquals(3, Await.result(second.start()).highestTerm());
        assertEquals(new OpenedLog.Open(log.log(), 2, 1), opened(second.connect(lane), type, TOKEN));
        assertEquals(
                List.of(event("x", 1, 1)), onLane(() -> second.connect(lane).loadEvents(type, "x", 0, 10)));
        Await.result(second.close());
    }

    @Test
    void callsThatWaitTogetherAreStoredButForTheRefusedOne() {
        SqliteStore store = open("a.db");
        StoreConnection connection = store.connect(lane);
        StoredType type = Await.result(store.register(ACCOUNT));
        OpenedLog.Open log = opened(connection, type, TOKEN);
        LogFence fence = new LogFence(log.log(), TOKEN, log.opening());

        List<Future<Set<Integer>>> calls = Await.result(onContext(() -> List.of(
                connection.append(List.of(new LogAppend<>(fence, 0, List.of(event("x", 1, 1))))),
                connection.append(List.of(new LogAppend<>(fence, 1, List.of(event("x", 1, 2))))),
                connection.append(List.of(new LogAppend<>(fence, 1, List.of(event("y", 1, 2))))))));

        assertEquals(Set.of(log.log()), Await.result(calls.get(0)));
        AssertionError refused = assertThrows(AssertionError.class, () -> Await.result(calls.get(1)));
        assertEquals(
                StoreException.Kind.ROW_REFUSED,
                assertInstanceOf(StoreException.class, refused.getCause()).kind());
        assertEquals(Set.of(log.log()), Await.result(calls.get(2)));
        Await.result(store.close());
    }

    @Test
    void closedVertxOfOneCallerLeavesTheThreadToTheOthers() throws InterruptedException {
        SqliteStore store = open("a.db");
        Vertx other = Vertx.vertx();
        Context gone = other.getOrCreateContext();
        CountDownLatch begun = new CountDownLatch(1);
        Promise<Boolean> closed = Promise.promise();
        store.writer().submit(new SqliteCall<>(gone, db -> {
            begun.countDown();
            return Await.result(closed.future());
        }));
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        Await.result(other.close());
        closed.complete(true);

        assertEquals(1, Await.result(store.register(ACCOUNT)).layout());
        Await.result(store.close());
    }

    @Test
    void writerThatWaitsForAnotherProcessSaysThatNothingIsStored() throws SQLException {
        SqliteStore store = open("a.db");
        StoreConnection connection = store.connect(lane);
        StoredType type = Await.result(store.register(ACCOUNT));
        OpenedLog.Open log = opened(connection, type, TOKEN);
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("a.db"));
                Statement statement = other.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            AssertionError refused =
                    assertThrows(AssertionError.class, () -> append(connection, log, TOKEN, 0, event("x", 1, 1)));
            assertEquals(
                    StoreException.Kind.REPEAT,
                    assertInstanceOf(StoreException.class, refused.getCause()).kind());
            statement.execute("ROLLBACK");
        }

        assertEquals(Set.of(log.log()), append(connection, log, TOKEN, 0, event("x", 1, 1)));
        Await.result(store.close());
    }

    @Test
    void earlierTableOfRemindersGetsItsNumbers() throws SQLException {
        Await.result(open("a.db").close());
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("a.db"));
                Statement statement = other.createStatement()) {
            statement.execute("DROP TABLE shardbus_reminder");
            statement.execute("CREATE TABLE shardbus_reminder (type INTEGER NOT NULL, id TEXT NOT NULL,"
                    + " name TEXT NOT NULL, part INTEGER NOT NULL, due INTEGER NOT NULL, payload BLOB NOT NULL,"
                    + " PRIMARY KEY (type, id, name)) STRICT");
            statement.execute("INSERT INTO shardbus_reminder VALUES (1, 'x', 'old', 0, 70, x'31')");
        }

        SqliteStore store = open("a.db");
        StoreConnection connection = store.connect(lane);
        StoredType type = Await.result(store.register(ACCOUNT));
        OpenedLog.Open log = opened(connection, type, TOKEN);
        append(connection, log, TOKEN, 0, reminding("x", 1, new ReminderChange("new", 80, Buffer.buffer("2"))));

        assertEquals(
                List.of(
                        new ReminderStore.Reminder("x", "new", 1, 80, Buffer.buffer("2")),
                        new ReminderStore.Reminder("x", "old", 0, 70, Buffer.buffer("1"))),
                Await.result(store.reminders().of(type.number(), "x")));
        assertEquals(1, Await.result(open("a.db").register(ACCOUNT)).layout(), "the next start has nothing to add");
        Await.result(store.close());
    }

    @Test
    void closedStoreLeavesOneFile() {
        for (int round = 0; round < 200; round++) {
            String name = round + ".db";
            SqliteStore store = open(name);
            StoredType type = Await.result(store.register(ACCOUNT));
            assertEquals(List.of(), onLane(() -> store.connect(lane).loadEvents(type, "x", 0, 10)));
            assertEquals(type.number(), onLane(() -> store.reader().type("account")));

            Await.result(store.close());

            assertTrue(Files.exists(directory.resolve(name)));
            assertFalse(Files.exists(directory.resolve(name + "-wal")), name + " keeps its log");
        }
    }

    @Test
    void fileWithOtherTablesIsRefused() throws SQLException {
        Await.result(open("a.db").close());
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("a.db"));
                Statement statement = other.createStatement()) {
            statement.execute("UPDATE shardbus_store SET version = 2");
        }

        StoreException refused = refusedStart("a.db");

        assertEquals(StoreException.Kind.INCOMPATIBLE, refused.kind());
        assertTrue(refused.getMessage().contains("version 2"), refused::getMessage);
    }

    @Test
    void fileOfAnotherKindIsRefused() throws IOException {
        Files.writeString(directory.resolve("a.db"), "no database at all, and long enough to be looked at".repeat(99));

        assertEquals(StoreException.Kind.INCOMPATIBLE, refusedStart("a.db").kind());
    }

    @Test
    void missingDirectoryIsNamed() {
        StoreException refused = refusedStart("missing/a.db");

        assertEquals(StoreException.Kind.UNREACHABLE, refused.kind());
        assertTrue(refused.getMessage().contains("missing/a.db"), refused::getMessage);
    }

    private StoreException refusedStart(String name) {
        SqliteStore store = SqliteStore.create(vertx, options(name));
        AssertionError failed = assertThrows(AssertionError.class, () -> Await.result(store.start()));
        Await.result(store.close());
        return assertInstanceOf(StoreException.class, failed.getCause());
    }

    private SqliteStore open(String name) {
        SqliteStore store = SqliteStore.create(vertx, options(name));
        Await.result(store.start());
        return store;
    }

    private SqliteOptions options(String name) {
        return new SqliteOptions().setFile(directory.resolve(name).toString()).setStoreTimeoutMs(500);
    }

    private static EventRow event(String id, long sequence, long position) {
        return new EventRow(id, sequence, position, "added", 1, 1, Buffer.buffer("1"), null, Set.of("red", "blue"));
    }

    private static EventRow reminding(String id, long sequence, ReminderChange change) {
        Buffer one = Buffer.buffer("1");
        return new EventRow(id, sequence, sequence, "added", 1, 1, one, null, Set.of(), List.of(change));
    }

    private OpenedLog.Open opened(StoreConnection connection, StoredType type, FencingToken token) {
        List<OpenedLog> answer = onLane(() -> connection.open(List.of(new LogOpening(type, 3, token))));
        return assertInstanceOf(OpenedLog.Open.class, answer.get(0));
    }

    private Set<Integer> append(
            StoreConnection connection, OpenedLog.Open log, FencingToken token, long end, EventRow... rows) {
        LogFence fence = new LogFence(log.log(), token, log.opening());
        return onLane(() -> connection.append(List.of(new LogAppend<>(fence, end, List.of(rows)))));
    }

    private <T> T onLane(Supplier<Future<T>> call) {
        return Await.result(onContext(call).compose(answer -> answer));
    }

    private <T> Future<T> onContext(Supplier<T> call) {
        Promise<T> promise = Promise.promise();
        lane.runOnContext(ignored -> promise.complete(call.get()));
        return promise.future();
    }
}
