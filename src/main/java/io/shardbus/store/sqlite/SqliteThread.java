package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with a connection of its own that runs calls in their order. All calls that wait when it becomes free run
 * in one transaction; a call that fails is rolled back to its savepoint, and the others are stored.
 */
final class SqliteThread extends Thread {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteThread.class);
    private static final int WAITING = 10_000;
    private static final int AT_ONCE = 256;

    private final String store;
    private final SqliteFile file;
    private final boolean writing;
    private final BlockingQueue<SqliteCall<?>> calls = new ArrayBlockingQueue<>(WAITING);
    private final Promise<Void> ended = Promise.promise();
    private volatile boolean closed;
    private @Nullable Db db;

    SqliteThread(SqliteFile file, String role, boolean writing) {
        super("shardbus-sqlite-" + role);
        this.store = file.name();
        this.file = file;
        this.writing = writing;
        setDaemon(true);
    }

    /** Puts a call behind those that wait; it fails at once if there are too many. */
    void submit(SqliteCall<?> call) {
        if (closed) {
            call.fail(new StoreException(Kind.UNREACHABLE, store + " is closed"));
        } else if (!calls.offer(call)) {
            call.fail(new StoreException(Kind.REPEAT, store + ": " + WAITING + " calls wait already"));
        } else if (closed) {
            drain();
        }
    }

    /** Ends the thread after the calls that wait. */
    Future<Void> end() {
        closed = true;
        interrupt();
        return ended.future();
    }

    @Override
    public void run() {
        List<SqliteCall<?>> batch = new ArrayList<>();
        while (!closed || !calls.isEmpty()) {
            try {
                batch.add(calls.take());
            } catch (InterruptedException e) {
                continue; // closed
            }
            calls.drainTo(batch, AT_ONCE - 1);
            batch.removeIf(call -> !call.take());
            if (!batch.isEmpty()) {
                runAll(batch);
            }
            batch.clear();
        }
        disconnect();
        drain();
        ended.complete();
    }

    /** Fails calls that came while the thread ended. */
    private void drain() {
        for (SqliteCall<?> call = calls.poll(); call != null; call = calls.poll()) {
            call.fail(new StoreException(Kind.UNREACHABLE, store + " is closed"));
        }
    }

    private void runAll(List<SqliteCall<?>> batch) {
        try {
            Db connected = connected();
            connected.execute(writing ? "BEGIN IMMEDIATE" : "BEGIN");
            for (SqliteCall<?> call : batch) {
                runOne(connected, call, batch.size() > 1);
            }
            connected.execute("COMMIT");
            batch.forEach(SqliteCall::deliver);
        } catch (SQLException e) {
            failAll(batch, SqliteFailures.of(store, e));
        } catch (StoreException e) {
            failAll(batch, e);
        } catch (LinkageError e) {
            String advice = ": put org.xerial:sqlite-jdbc, which this release needs, on the class path";
            failAll(batch, new StoreException(Kind.INCOMPATIBLE, store + ": " + e + advice, e));
        } catch (RuntimeException | Error e) {
            LOG.error("store={}: unexpected failure of a store call", store, e);
            failAll(batch, new StoreException(Kind.UNREACHABLE, store + ": " + e, e));
        }
    }

    /** Runs a call; one of several has a savepoint, to which it is rolled back if it fails. */
    private static void runOne(Db db, SqliteCall<?> call, boolean oneOfSeveral) throws SQLException {
        if (!oneOfSeveral) {
            call.run(db);
            return;
        }
        db.execute("SAVEPOINT a_call");
        try {
            call.run(db);
        } catch (SQLException e) {
            StoreException failure = SqliteFailures.of("sqlite", e);
            if (failure.kind() != Kind.ROW_REFUSED) {
                throw e;
            }
            call.refuse(failure);
        } catch (StoreException e) {
            call.refuse(e);
        }
        db.execute(call.isRefused() ? "ROLLBACK TO a_call" : "RELEASE a_call");
        if (call.isRefused()) {
            db.execute("RELEASE a_call");
        }
    }

    private void failAll(List<SqliteCall<?>> batch, StoreException failure) {
        Db connected = db;
        if (connected != null) {
            try {
                connected.execute("ROLLBACK");
            } catch (SQLException e) {
                LOG.debug("store={} had no transaction to roll back", store, e);
            }
        }
        if (SqliteFailures.isUnknown(failure)) {
            disconnect();
        }
        batch.forEach(call -> call.fail(failure));
    }

    private Db connected() throws SQLException {
        Db connected = db;
        if (connected == null) {
            connected = file.connect();
            db = connected;
        }
        return connected;
    }

    private void disconnect() {
        Db connected = db;
        db = null;
        if (connected != null) {
            try {
                connected.close();
            } catch (SQLException e) {
                LOG.warn("store={}: a connection did not close", store, e);
            }
        }
    }
}
