package io.shardbus.store.postgres;

import io.shardbus.options.PostgresOptions;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoreLimits;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Store of persistent entities in a PostgreSQL database, version 13 or later. Each lane writes on a connection of its
 * own; recovery and projections have one each. The first start makes the tables, if the database user may do that. Made
 * once in a process for each database; several types and nodes use the same instance.
 */
public final class PostgresStore implements PersistenceStore {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    /** The first builds with reminders made a table without it. Alone in its transaction: no other table waits. */
    private static final String ADD_NUMBER =
            "ALTER TABLE shardbus_reminder ADD COLUMN IF NOT EXISTS number bigint NOT NULL DEFAULT 0";

    private static final int PIPELINED = 256;
    private static final int VIEW_CONNECTIONS = 4;
    /** Time after which a silent connection is closed, in time limits of a statement. */
    private static final int SILENCE = 2;

    /** The first characters of the SQL states of a server that stops or has not started. */
    private static final String SHUTDOWN = "57P";

    private final Vertx vertx;
    private final PgConnectOptions connecting;
    private final long timeoutMs;
    private final StoreLimits limits;
    private final int partitions;
    private final Context context;
    private final PostgresLink loads;
    private final PostgresLink reads;
    private volatile Pool views;
    private boolean closed;
    private final PostgresReader reader = new PostgresReader(this);
    private final PostgresOffsets offsets = new PostgresOffsets(this);

    private PostgresStore(Vertx vertx, PostgresOptions options) {
        this.vertx = vertx;
        this.timeoutMs = options.getStoreTimeoutMs();
        this.limits = options.limits();
        this.partitions = options.getPartitions();
        this.connecting = connect(options.getUri())
                .setCachePreparedStatements(true)
                .setPipeliningLimit(PIPELINED)
                .addProperty("application_name", "shardbus")
                .addProperty("client_min_messages", "warning")
                .addProperty("statement_timeout", Long.toString(timeoutMs))
                .addProperty("default_transaction_isolation", "read committed")
                .addProperty("plan_cache_mode", "force_generic_plan")
                .addProperty("jit", "off");
        this.context = vertx.getOrCreateContext();
        this.loads = link();
        this.reads = link();
        this.views = makeViews();
    }

    /** The server ends a statement within the limit: a connection that is silent for longer has lost its server. */
    private Pool makeViews() {
        return PgBuilder.pool()
                .using(vertx)
                .with(new NetClientOptions()
                        .setTcpKeepAlive(true)
                        .setConnectTimeout((int) timeoutMs)
                        .setReadIdleTimeout((int) (timeoutMs * SILENCE))
                        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS))
                .connectingTo(connecting)
                .with(new PoolOptions().setMaxSize(VIEW_CONNECTIONS))
                .build();
    }

    /** The client's error for a URI that it cannot parse contains the whole URI, with a password. */
    @SuppressWarnings("UnusedException")
    private static PgConnectOptions connect(String uri) {
        try {
            return PgConnectOptions.fromUri(uri);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the store's uri cannot be read (it is not shown, as it may hold a"
                    + " password): write postgresql://USER:PASSWORD@HOST:PORT/DATABASE with a port from 1 to 65535");
        }
    }

    /**
     * A store in this database.
     *
     * @throws IllegalArgumentException for an option out of range, or an address that cannot be read
     */
    public static PostgresStore create(Vertx vertx, PostgresOptions options) {
        PostgresOptions copy = new PostgresOptions(options);
        copy.validate();
        return new PostgresStore(vertx, copy);
    }

    @Override
    public Future<StoreIdentity> start() {
        return call(() -> reads.run(this::prepare).compose(made -> reads.send(Sql.IDENTITY, Tuple.tuple())))
                .map(this::identity);
    }

    /** Makes tables that are missing, unless those that are there are of another release. */
    private Future<RowSet<Row>> prepare(PgConnection connection) {
        return connection
                .query("SELECT to_regclass('shardbus_store') IS NOT NULL")
                .execute()
                .compose(found -> found.iterator().next().getBoolean(0)
                        ? connection
                                .query("SELECT version FROM shardbus_store")
                                .execute()
                                .map(rows -> requireVersion(rows, 0))
                        : Future.succeededFuture())
                .compose(fits -> makeTables(connection));
    }

    /** One transaction, under a lock, as several nodes may start at once. */
    private Future<RowSet<Row>> makeTables(PgConnection connection) {
        return connection
                .query("SELECT to_regclass('shardbus_store') IS NOT NULL"
                        + " AND to_regclass('shardbus_reminder') IS NOT NULL"
                        + " AND to_regclass('shardbus_projection') IS NOT NULL,"
                        + " to_regclass('shardbus_reminder') IS NULL OR EXISTS (SELECT FROM pg_attribute"
                        + " WHERE attrelid = to_regclass('shardbus_reminder') AND attname = 'number')")
                .execute()
                .compose(found -> {
                    Row has = found.iterator().next();
                    Future<RowSet<Row>> tables = has.getBoolean(0)
                            ? Future.succeededFuture(found)
                            : connection
                                    .query(PostgresSchema.statements(partitions))
                                    .execute();
                    return has.getBoolean(1)
                            ? tables
                            : tables.compose(
                                    made -> connection.query(ADD_NUMBER).execute());
                });
    }

    /** The row of the table shardbus_store. */
    private Row requireVersion(RowSet<Row> rows, int column) {
        if (rows.size() == 0) {
            throw new StoreException(
                    Kind.INCOMPATIBLE,
                    name() + " has the table shardbus_store without its one row, so its id and version are not known:"
                            + " restore the row from a backup, or use another database");
        }
        Row row = rows.iterator().next();
        if (row.getInteger(column) != PostgresSchema.VERSION) {
            throw new StoreException(
                    Kind.INCOMPATIBLE,
                    name() + " has tables of version " + row.getInteger(column) + ", this release needs "
                            + PostgresSchema.VERSION + ": use the release that wrote it, or a backup");
        }
        return row;
    }

    private StoreIdentity identity(RowSet<Row> rows) {
        Row row = requireVersion(rows, 1);
        int present = Math.max(1, row.getInteger(5));
        if (present != partitions) {
            LOG.warn(
                    "store={} keeps its events in {} partitions, as they were made; partitions={} changes nothing",
                    name(),
                    present,
                    partitions);
        }
        for (int column : new int[] {3, 4}) {
            if ("off".equals(row.getString(column))) {
                LOG.error(
                        "store={} runs with {}=off: answered writes can be lost when the server stops",
                        name(),
                        row.getColumnName(column));
            }
        }
        return new StoreIdentity(row.getString(0), row.getLong(2));
    }

    @Override
    public Future<StoredType> register(TypeSpec spec) {
        Tuple parameters = Tuple.of(spec.name(), spec.model().name(), spec.shards(), spec.addressing());
        return call(() -> reads.send(Sql.REGISTER, parameters)
                .compose(made -> reads.send(Sql.TYPE, Tuple.of(spec.name())))
                .compose(rows -> known(spec, rows.iterator().next())));
    }

    private Future<StoredType> known(TypeSpec spec, Row row) {
        String model = row.getString(1);
        if (!model.equals(spec.model().name())) {
            return Future.failedFuture(new StoreException(
                    Kind.INCOMPATIBLE,
                    "type '" + spec.name() + "' is stored as " + model + ", and not as " + spec.model()));
        }
        int type = row.getInteger(0);
        int layout = row.getInteger(2);
        if (row.getInteger(3) == spec.shards() && row.getString(4).equals(spec.addressing())) {
            return Future.succeededFuture(new StoredType(type, layout));
        }
        return reads.send(Sql.NEXT_LAYOUT, Tuple.of(type, layout, spec.shards(), spec.addressing()))
                .compose(changed -> reads.send(Sql.TYPE, Tuple.of(spec.name())))
                .compose(rows -> known(spec, rows.iterator().next()));
    }

    @Override
    public StoreConnection connect(Context lane) {
        return new PostgresConnection(this, lane, link());
    }

    /**
     * The server takes no writes, and the address may lead to another one by now, as after a failover: what only reads
     * would stay with it.
     */
    private void leaveServer() {
        context.runOnContext(ignored -> {
            loads.leave();
            reads.leave();
        });
    }

    private PostgresLink link() {
        return new PostgresLink(vertx, connecting, name(), timeoutMs, this::leaveServer);
    }

    @Override
    public EventReader reader() {
        return reader;
    }

    @Override
    public OffsetStore offsets() {
        return offsets;
    }

    @Override
    public ReminderStore reminders() {
        return new PostgresReminders(this);
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    /** Host, port and database; no user, no password. */
    @Override
    public String name() {
        return "postgresql://" + connecting.getHost() + ":" + connecting.getPort() + "/" + connecting.getDatabase();
    }

    @Override
    public Future<Void> close() {
        return call(() -> Future.all(loads.close(), reads.close(), closeViews()).mapEmpty());
    }

    private synchronized Future<Void> closeViews() {
        closed = true;
        return views.close();
    }

    /** Reads for recovery. */
    <T> Future<T> loads(String statement, Tuple parameters, Function<RowSet<Row>, T> mapper) {
        return call(() -> loads.send(statement, parameters).map(mapper));
    }

    /** Reads for projections, and their offsets. */
    <T> Future<T> reads(String statement, Tuple parameters, Function<RowSet<Row>, T> mapper) {
        return call(() -> reads.send(statement, parameters).map(mapper));
    }

    /**
     * Runs a transaction on the connections for views; rolls back where it fails. Where the server says nothing for
     * twice the time limit of a statement, the connection is closed, and the transaction fails. A transaction that
     * could not begin is tried once more: the pool may hold a connection that was just closed.
     */
    <T> Future<T> transaction(Function<SqlConnection, Future<T>> work) {
        AtomicBoolean hasBegun = new AtomicBoolean();
        Function<SqlConnection, Future<T>> noted = connection -> {
            hasBegun.set(true);
            return work.apply(connection);
        };
        return attempt(noted)
                .recover(failure -> hasBegun.get() ? Future.failedFuture(failure) : attempt(noted))
                .recover(failure ->
                        Future.failedFuture(hasBegun.get() ? failure : PostgresFailures.ofConnecting(name(), failure)));
    }

    private <T> Future<T> attempt(Function<SqlConnection, Future<T>> work) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        Pool pool = views;
        pool.withTransaction(connection -> {
                    connection.closeHandler(closed -> caller.runOnContext(also -> promise.tryFail(lost())));
                    return work.apply(connection);
                })
                .onComplete(answer -> {
                    if (answer.succeeded()) {
                        promise.tryComplete(answer.result());
                    } else if (isLost(answer.cause())) {
                        promise.tryFail(lost());
                    } else {
                        renewIfReadOnly(pool, answer.cause());
                        promise.tryFail(PostgresFailures.ofTransaction(name(), answer.cause()));
                    }
                });
        return promise.future();
    }

    /** The address may lead to another server by now, as after a failover. */
    private synchronized void renewIfReadOnly(Pool pool, Throwable failure) {
        if (PostgresFailures.isReadOnly(failure) && views == pool && !closed) {
            views = makeViews();
            pool.close();
            leaveServer();
        }
    }

    private static boolean isLost(Throwable failure) {
        return failure instanceof ClosedConnectionException
                || failure instanceof PgException ended && ended.getSqlState().startsWith(SHUTDOWN);
    }

    private StoreException lost() {
        return new StoreException(Kind.UNREACHABLE, name() + " closed the connection, or was silent");
    }

    /** Makes a call on the store's event loop; its future completes on the caller's. */
    private <T> Future<T> call(Supplier<Future<T>> call) {
        Context caller = vertx.getOrCreateContext();
        Promise<T> promise = Promise.promise();
        context.runOnContext(
                ignored -> call.get().onComplete(answer -> caller.runOnContext(also -> promise.handle(answer))));
        return promise.future();
    }
}
