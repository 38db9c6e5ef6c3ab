package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.Commit;
import io.shardbus.core.persistence.CommitBatch;
import io.shardbus.core.persistence.CommitPort;
import io.shardbus.core.persistence.CommitQueue;
import io.shardbus.core.persistence.CommitSettings;
import io.shardbus.core.persistence.LogKey;
import io.shardbus.core.persistence.PageSize;
import io.shardbus.core.persistence.ReadOrder;
import io.shardbus.core.persistence.StoreTrouble;
import io.shardbus.core.routing.Lane;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoreLimits;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.EntityCounters;
import io.shardbus.runtime.entity.EntityLane;
import io.shardbus.runtime.entity.HostedContext;
import io.shardbus.runtime.entity.LanePart;
import io.shardbus.runtime.entity.UserCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of a type's shards on one lane: carries out what {@link CommitQueue} wants, and reads entities. All calls
 * are made on the lane.
 *
 * @param <R> the rows of the type's model, without positions
 * @param <L> what is read of an entity
 */
abstract class LaneLogs<R, L> implements CommitPort<R>, LanePart {
    private static final Logger LOG = LoggerFactory.getLogger(LaneLogs.class);
    /** A shard that another node has is not looked for at once again: the coordinator may still name this node. */
    private static final long SUPERSEDED_PAUSE = 1000;
    /** Most rows of one entity in a page. */
    private static final int PAGE = 1000;

    private final TypeSpec spec;
    private final PersistenceStore store;
    private final EntityLane lane;
    private final Vertx vertx;
    private final EntityCounters counters;
    private final AppendSignal appended;
    private final CommitSettings settings;
    private final CommitQueue<R> queue;
    private final Backlog backlog;
    private final EntityReads<L> reads;
    private final ReplayTurns replays;
    private final PageSize pageSize = new PageSize(PAGE);
    /** Pages that wait for their log. */
    private final Map<LogKey, List<Runnable>> pages = new HashMap<>();
    /** Pages that wait until fewer are under way. */
    private final ReadOrder<Runnable> pagesInTurn = new ReadOrder<>();

    private final int pagesAtOnce;
    private int pagesUnderWay;

    private @Nullable Lane hosting;
    private @Nullable StoreConnection connection;
    private @Nullable StoredType type;
    private boolean flushWanted;
    /** Commits that are not settled, for meters; written on the lane. */
    private volatile long depth;

    private boolean closed;
    /** The moment for which a timer is set; -1 for none. */
    private long wakeAt = -1;

    LaneLogs(TypeSpec spec, PersistenceStore store, HostedContext place, Vertx vertx) {
        this.spec = spec;
        this.store = store;
        this.lane = place.lane();
        this.vertx = vertx;
        this.counters = place.counters();
        this.appended = AppendSignal.on(vertx);
        this.replays = new ReplayTurns(lane);
        StoreLimits limits = store.limits();
        this.settings =
                CommitSettings.DEFAULT.with(limits.commitsInFlight(), limits.commitQueueBytes(), limits.patienceMs());
        this.reads = new EntityReads<>(this, limits.recoveriesInFlight());
        this.pagesAtOnce = limits.recoveriesInFlight();
        this.queue = new CommitQueue<>(this, settings);
        this.backlog = Backlog.on(vertx);
        backlog.add(this, Backlog.Kind.COMMITS, spec.name(), () -> depth);
    }

    /** Settings of the commits of this lane. */
    final CommitSettings settings() {
        return settings;
    }

    /** The row at this position of its log. */
    abstract R at(R row, long position);

    abstract Future<Set<Integer>> write(StoreConnection to, List<LogAppend<R>> appends);

    /** Reads the stored rows of entities, each id once: of all, or of the first ones up to the end of a full answer. */
    abstract Future<List<L>> read(StoreConnection from, StoredType of, List<String> ids);

    /** Stores what a command leads to, if the entity's state was read in this generation of its log. */
    final void commit(LogKey key, long generation, Commit<R> commit, Runnable outdated) {
        if (queue.generation(key) != generation) {
            outdated.run();
            return;
        }
        queue.add(key, commit);
        depth = queue.depth();
        flushSoon();
    }

    /** Whether an entity may have more than one command under way. */
    final boolean hasRoom() {
        return queue.hasRoom();
    }

    /** Key of a shard's log: one object for all of its entities. */
    final LogKey key(int shard, FencingToken token) {
        return queue.key(shard, token);
    }

    /** Generation of a log, for any thread. If it has changed since a read, what was read must be read again. */
    final LongSupplier generations(LogKey key) {
        return queue.generations(key);
    }

    /** Reads an entity when its log is open and none of its commits is under way. */
    final Future<L> load(LogKey key, String id, HostedContext of) {
        Future<L> loaded = reads.add(key, id, of);
        flushSoon();
        return loaded;
    }

    /** Puts a read of an entity into the order; a message that comes before its turn hastens it. */
    static <T> void inTurn(ReadOrder<T> order, T read, HostedContext of) {
        order.add(read, of.isWanted());
        of.whenWanted(() -> order.hasten(read));
    }

    /** Calls the store for an entity whose log is open, under the fence of that. */
    final <T> Future<T> fenced(LogKey key, FencedCall<T> call) {
        CommitBatch.Part<R> place = queue.place(key);
        StoreConnection to = connection;
        StoredType of = type;
        if (place == null || to == null || of == null) {
            return Future.failedFuture(new CodedFailure(
                    FailureCode.STORE_UNAVAILABLE, "the log of shard " + key.shard() + " is not open"));
        }
        return onLane(call.on(to, of, new LogFence(place.log(), key.token(), place.opening())));
    }

    /** A page of a long entity: waits for its log as the first page does, and is asked for again as that is. */
    final <T> Future<T> page(LogKey key, HostedContext of, FencedCall<T> call) {
        Promise<T> page = Promise.promise();
        page(key, of, call, new Attempts(), page);
        return page.future();
    }

    private <T> void page(LogKey key, HostedContext of, FencedCall<T> call, Attempts attempts, Promise<T> page) {
        of.whenWanted(null);
        CodedFailure refusal = refusal(key);
        if (refusal != null) {
            page.fail(refusal);
        } else if (queue.place(key) == null) {
            pages.computeIfAbsent(key, first -> new ArrayList<>()).add(() -> page(key, of, call, attempts, page));
            flushSoon();
        } else if (pagesUnderWay >= pagesAtOnce) {
            inTurn(pagesInTurn, () -> page(key, of, call, attempts, page), of);
        } else {
            pagesUnderWay++;
            fenced(key, call).onComplete(result -> {
                pagesUnderWay--;
                if (result.succeeded()) {
                    queue.read();
                    page.complete(result.result());
                } else {
                    readFailed(result.cause());
                    attempts.failed(this, result.cause(), page::fail, () -> page(key, of, call, attempts, page));
                }
                while (pagesUnderWay < pagesAtOnce && !pagesInTurn.isEmpty()) {
                    pagesInTurn.take().run();
                }
            });
        }
    }

    /** A call of the store that names the fence of a log. */
    interface FencedCall<T> {
        Future<T> on(StoreConnection connection, StoredType type, LogFence fence);
    }

    /** Recoveries that have their rows. */
    final ReplayTurns replays() {
        return replays;
    }

    /** Limit of the rows that are read of one entity at once. */
    final PageSize pageSize() {
        return pageSize;
    }

    final boolean isReadable(LogKey key, String id) {
        return queue.isReadable(key, id);
    }

    /** The reason why nothing can be read now; null where it can be, or will be soon. */
    final @Nullable CodedFailure refusal(LogKey key) {
        FailureCode code = queue.refusal(key);
        if (code == null) {
            return null;
        }
        return code == FailureCode.SUPERSEDED
                ? new CodedFailure(code, queue.loss(key))
                : new CodedFailure(code, queue.unavailable());
    }

    final Future<List<L>> read(List<String> ids) {
        StoreConnection from = connection;
        StoredType of = type;
        return from == null || of == null
                ? Future.failedFuture(new IllegalStateException("no log is open"))
                : onLane(read(from, of, ids).map(LaneLogs::some));
    }

    private static <L> List<L> some(List<L> read) {
        if (read.isEmpty()) {
            throw new IllegalStateException("the store gave no entity");
        }
        return read;
    }

    /** A read failed: where the connection is lost, the logs are opened again. */
    final void readFailed(Throwable failure) {
        pageSize.failed();
        failed(failure);
        if (trouble(failure) == StoreTrouble.UNREACHABLE) {
            later(now -> queue.readFailed(reason(failure), now));
        }
    }

    final void readSucceeded() {
        queue.read();
    }

    /** The failure for a reader that has waited for too long. */
    final CodedFailure unread(Throwable failure) {
        return new CodedFailure(FailureCode.STORE_UNAVAILABLE, reason(failure));
    }

    /** Runs it on the lane. */
    final void after(long millis, Runnable task) {
        vertx.setTimer(millis, fired -> later(now -> task.run()));
    }

    private interface Moment {
        void at(long now);
    }

    private void later(Moment moment) {
        lane.execute((at, now) -> {
            hosting = at;
            moment.at(now);
            depth = queue.depth();
        });
    }

    /** Completes on the lane. */
    private <T> Future<T> onLane(Future<T> future) {
        Promise<T> promise = Promise.promise();
        future.onComplete(result -> later(now -> promise.handle(result)));
        return promise.future();
    }

    /** Flushes at once if no other task waits on the lane, else behind those that wait, with what they add. */
    private void flushSoon() {
        if (!flushWanted) {
            flushWanted = true;
            later(now -> {
                flushWanted = false;
                queue.flush(now);
                reads.flush();
            });
        }
    }

    private Future<StoreConnection> connected() {
        StoreConnection present = connection;
        if (present != null && type != null) {
            return Future.succeededFuture(present);
        }
        var context = vertx.getOrCreateContext();
        return onLane(UserCode.call(store::start).compose(identity -> store.register(spec)))
                .map(registered -> {
                    StoreConnection made = connection;
                    if (closed) {
                        throw new IllegalStateException("the lane was closed while its store started");
                    }
                    if (made == null) {
                        made = new TimedConnection(store.connect(context), counters);
                        connection = made;
                    }
                    type = registered;
                    return made;
                });
    }

    @Override
    public void open(List<LogKey> logs) {
        connected()
                .compose(to -> open(to, logs))
                .onComplete(result -> later(now -> {
                    if (result.failed()) {
                        failed(result.cause());
                        queue.openFailed(logs, trouble(result.cause()), reason(result.cause()), now);
                        return;
                    }
                    for (int i = 0; i < logs.size(); i++) {
                        opened(logs.get(i), result.result().get(i), now);
                    }
                }));
    }

    private void opened(LogKey key, OpenedLog answer, long now) {
        if (answer instanceof OpenedLog.Open open) {
            queue.opened(key, open.log(), open.opening(), open.end(), now);
        } else if (answer instanceof OpenedLog.Sealed) {
            String why = "the log of shard " + key.shard() + " is closed for good: nodes with another number of shards"
                    + " or another addressing have begun a newer layout of the type; stop all nodes, and start all with"
                    + " the same";
            queue.superseded(key, why, now);
        } else {
            queue.superseded(key, "another node has the log of shard " + key.shard(), now);
        }
    }

    private Future<List<OpenedLog>> open(StoreConnection to, List<LogKey> logs) {
        StoredType of = type;
        if (closed || of == null) {
            return Future.failedFuture(new IllegalStateException("the lane is closed"));
        }
        return to.open(logs.stream()
                .map(key -> new LogOpening(of, key.shard(), key.token()))
                .toList());
    }

    @Override
    public void append(CommitBatch<R> batch) {
        StoreConnection to = connection;
        if (to == null) {
            throw new IllegalStateException("a log that is open has a connection");
        }
        write(to, batch.parts().stream().map(this::rows).toList())
                .onComplete(result -> later(now -> {
                    if (result.succeeded()) {
                        appended.stored(
                                spec.name(),
                                batch.parts().stream()
                                        .mapToInt(part -> part.key().shard())
                                        .toArray());
                        queue.appended(batch, result.result(), now);
                    } else {
                        failed(result.cause());
                        queue.appendFailed(batch, trouble(result.cause()), reason(result.cause()), now);
                    }
                }));
    }

    private LogAppend<R> rows(CommitBatch.Part<R> part) {
        List<R> rows = new ArrayList<>();
        long position = part.end();
        for (Commit<R> commit : part.commits()) {
            for (R row : commit.rows()) {
                rows.add(at(row, ++position));
            }
        }
        return new LogAppend<>(new LogFence(part.log(), part.key().token(), part.opening()), part.end(), rows);
    }

    private static StoreTrouble trouble(Throwable failure) {
        if (failure instanceof StoreException store) {
            return switch (store.kind()) {
                case ROW_REFUSED -> StoreTrouble.ROW_REFUSED;
                case REPEAT, BLOCKED -> StoreTrouble.REPEAT;
                case INCOMPATIBLE -> StoreTrouble.UNUSABLE;
                case UNREACHABLE -> StoreTrouble.UNREACHABLE;
            };
        }
        return StoreTrouble.UNREACHABLE;
    }

    final void failed(Throwable failure) {
        if (failure instanceof CodedFailure) {
            LOG.debug("type={}: the store {} was not asked", spec.name(), store.name(), failure);
            return;
        }
        counters.storeFailed(spec.name(), reason(failure));
        if (!(failure instanceof StoreException)) {
            LOG.warn(
                    "type={}: the store {} broke its contract: it failed with no StoreException",
                    spec.name(),
                    store.name(),
                    failure);
        }
    }

    private String reason(Throwable failure) {
        return store.name() + ": "
                + (failure instanceof StoreException known ? known.getMessage() : failure.toString());
    }

    @Override
    public void readable(LogKey log) {
        reads.look(log);
        List<Runnable> waiting = pages.remove(log);
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
        flushSoon();
    }

    @Override
    public void gaveUp(String reason) {
        counters.storeUnreachable(this, reason);
    }

    @Override
    public void troubled(boolean isTroubled) {
        if (!isTroubled) {
            counters.storeReached(this);
            LOG.info("type={}: the store {} answers again", spec.name(), store.name());
        }
    }

    @Override
    public void superseded(LogKey log) {
        String why = queue.loss(log);
        UserCode.call(store::start)
                .map(StoreIdentity::highestTerm)
                .otherwise(0L)
                .onSuccess(highest -> LOG.warn(
                        "type={} shard={} term={}: {}. The highest term of {} is {}; the shard ends here",
                        spec.name(),
                        log.shard(),
                        log.token().term(),
                        why,
                        store.name(),
                        highest));
        vertx.setTimer(
                SUPERSEDED_PAUSE, fired -> lane.execute((at, now) -> at.hosted().superseded(log.shard(), log.token())));
    }

    @Override
    public void regressed(LogKey log, long confirmed, long end) {
        counters.storeRegressed();
        LOG.error(
                "type={} shard={}: store_regressed: {} had confirmed position {}, and now ends at {}; entities are read"
                        + " again from what is stored",
                spec.name(),
                log.shard(),
                store.name(),
                confirmed,
                end);
    }

    @Override
    public void threw(LogKey log, String id, Throwable failure) {
        LOG.error(
                "type={} shard={}: entity {}: the continuation after a command's commit failed",
                spec.name(),
                log.shard(),
                id,
                failure);
    }

    @Override
    public boolean isHosted(LogKey log) {
        Lane at = hosting;
        return at == null || at.hosted().isHosted(log.shard());
    }

    @Override
    public void wakeAt(long moment) {
        if (closed || (wakeAt >= 0 && wakeAt <= moment)) {
            return;
        }
        later(now -> {
            if (wakeAt >= 0 && wakeAt <= moment) {
                return;
            }
            wakeAt = moment;
            vertx.setTimer(
                    Math.max(1, moment - now),
                    fired -> later(then -> {
                        if (wakeAt == moment) {
                            wakeAt = -1;
                            queue.flush(then);
                        }
                    }));
        });
    }

    @Override
    public Future<Void> close() {
        closed = true;
        backlog.remove(this);
        counters.storeReached(this);
        StoreConnection open = connection;
        return open == null ? Future.succeededFuture() : open.close();
    }
}
