package io.shardbus.store.sqlite;

import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoreLimits;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Store of persistent entities in one file of this machine, with full durability: a confirmed write is on the disk.
 * Processes of this machine may share the file; processes of several machines cannot. Made once in a process for each
 * file; several types and nodes use the same instance.
 */
public final class SqliteStore implements PersistenceStore {
    private final Vertx vertx;
    private final SqliteFile file;
    private final long timeoutMs;
    private final StoreLimits limits;
    private final SqliteThread writer;
    private final SqliteThread loader;
    private final SqliteThread reader;
    private final SqliteReader events = new SqliteReader(this);
    private final SqliteOffsets offsets = new SqliteOffsets(this);

    private SqliteStore(Vertx vertx, SqliteOptions options) {
        this.vertx = vertx;
        this.file = new SqliteFile(options);
        this.timeoutMs = options.getStoreTimeoutMs();
        this.limits = options.limits();
        this.writer = new SqliteThread(file, "writer", true);
        this.loader = new SqliteThread(file, "loader", false);
        this.reader = new SqliteThread(file, "reader", false);
        writer.start();
        loader.start();
        reader.start();
    }

    /**
     * A store in this file, which is made with the store's start if it is missing.
     *
     * @throws IllegalArgumentException for an option out of range
     */
    public static SqliteStore create(Vertx vertx, SqliteOptions options) {
        SqliteOptions copy = new SqliteOptions(options);
        copy.validate();
        return new SqliteStore(vertx, copy);
    }

    @Override
    public Future<StoreIdentity> start() {
        return write(file::prepare);
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return write(db -> new SqliteWrites(db).register(type));
    }

    @Override
    public StoreConnection connect(Context lane) {
        return new SqliteConnection(this, lane);
    }

    @Override
    public EventReader reader() {
        return events;
    }

    @Override
    public OffsetStore offsets() {
        return offsets;
    }

    @Override
    public ReminderStore reminders() {
        return new SqliteReminders(this);
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    @Override
    public String name() {
        return file.name();
    }

    @Override
    public Future<Void> close() {
        // one after the other: SQLite removes its log with the last connection, and with none if two close at once
        return loader.end().compose(ended -> reader.end()).compose(ended -> writer.end());
    }

    Vertx vertx() {
        return vertx;
    }

    long timeoutMs() {
        return timeoutMs;
    }

    SqliteThread writer() {
        return writer;
    }

    SqliteThread loader() {
        return loader;
    }

    /** Runs a write; its future completes on the caller's context. */
    <T> Future<T> write(SqliteCall.Work<T> work) {
        return run(writer, work);
    }

    /** Runs a read for projections. */
    <T> Future<T> read(SqliteCall.Work<T> work) {
        return run(reader, work);
    }

    private <T> Future<T> run(SqliteThread thread, SqliteCall.Work<T> work) {
        SqliteCall<T> call = new SqliteCall<>(vertx.getOrCreateContext(), work);
        long timer = vertx.setTimer(
                timeoutMs,
                late -> call.giveUp(new StoreException(
                        StoreException.Kind.UNREACHABLE,
                        name() + " did not answer within " + timeoutMs + " ms (storeTimeoutMs)")));
        thread.submit(call);
        return call.future().onComplete(ended -> vertx.cancelTimer(timer));
    }
}
