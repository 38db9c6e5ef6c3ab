package io.shardbus.projection;

import io.shardbus.ShardingException;
import io.shardbus.logging.LogPace;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OffsetStore.Move;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.projection.LogsUnderWay.Batch;
import io.shardbus.projection.ProjectedLogs.News;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.runtime.persistence.AppendSignal;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Worker of a projection. It has the logs of the shards whose number modulo the number of workers is its own number. In
 * a round it looks up its logs and their ends, reads their new events, and passes these to the handler, as many logs at
 * a time as the handler takes. Rounds follow each other while there are new events; the next one after that begins as
 * soon as this node stores events for the worker's shards, at the latest after the poll interval. A round that begins
 * within 200 ms after a lookup uses the logs that the lookup has shown. A round waits at most the poll interval for
 * batches that take long; these continue beside later rounds.
 */
final class ProjectionWorker<E> extends VerticleBase {
    /** Failures of a handler's asks while a node is lost or leaves, which are no errors of the handler. */
    private static final Set<FailureCode> PASSING = EnumSet.of(
            FailureCode.TIMED_OUT,
            FailureCode.OUTCOME_UNKNOWN,
            FailureCode.SHUTTING_DOWN,
            FailureCode.NOT_IN_MAJORITY,
            FailureCode.ENTITY_STOPPED,
            FailureCode.SUPERSEDED);

    private static final Logger LOG = LoggerFactory.getLogger(ProjectionWorker.class);

    /** Pause before the next round if this node stored events during the last one. */
    private static final long GATHER_MS = 5;

    /** Time for which rounds use the logs that a lookup has shown. */
    private static final long LOOK_MS = 200;

    private static final long LONGEST_STOP_MS = 10_000;

    private final Projection<E> projection;
    private final EventReader reader;
    private final OffsetStore offsets;
    private final OffsetMoves moves;
    private final int number;
    private final int total;
    private final FencingToken token;
    private final long stopMs;
    private final ElapsedClock clock;
    private final LogPace pace;
    private final LogPace paceOfClaims;
    private final LogPace paceOfLosses;
    private final ProjectedLogs logs;
    /** Whether this node has stored events of the worker's shards since the last round began. */
    private final AtomicBoolean isStored = new AtomicBoolean();

    private final Runnable stored = this::stored;
    /** Number of positions of its logs that were not handled at the end of the last round. */
    private volatile long lag;
    /** Whether the projection was paused when the store was last asked. */
    private volatile boolean isPaused;
    /** When the store was last asked whether the projection is paused. */
    private long pauseAskedAt;
    /** Key of the pause in the backlog, beside that of the lag. */
    private final Object pause = new Object();

    private boolean stopped;
    private boolean isBusy;
    private long timer = -1;
    private @Nullable Integer type;
    private @Nullable Look look;
    private boolean hasLooked = true;
    /** Whether there may be more events: this node has stored some, or the last round moved an offset. */
    private boolean isToldOrMoved;

    private @Nullable LogsUnderWay underWay;
    private Future<?> round = Future.succeededFuture();

    ProjectionWorker(Projection<E> projection, PersistenceStore store, int number, int total, FencingToken token) {
        this(projection, store, number, total, token, LONGEST_STOP_MS);
    }

    ProjectionWorker(
            Projection<E> projection, PersistenceStore store, int number, int total, FencingToken token, long stopMs) {
        this(projection, store, number, total, token, stopMs, new ElapsedClock());
    }

    ProjectionWorker(
            Projection<E> projection,
            PersistenceStore store,
            int number,
            int total,
            FencingToken token,
            long stopMs,
            ElapsedClock clock) {
        this.clock = clock;
        this.pace = new LogPace(clock::now);
        this.paceOfClaims = new LogPace(clock::now);
        this.paceOfLosses = new LogPace(clock::now);
        this.projection = projection;
        this.reader = store.reader();
        this.offsets = projection.handler().offsets(store.offsets());
        this.logs = new ProjectedLogs(projection.settings().batch());
        this.moves = new OffsetMoves(offsets, projection.name(), token);
        this.number = number;
        this.total = total;
        this.token = token;
        this.stopMs = stopMs;
    }

    @Override
    public Future<?> start() {
        AppendSignal.on(vertx).listen(projection.type(), this::isMine, stored);
        Backlog.on(vertx).add(this, Backlog.Kind.PROJECTION, projection.name(), () -> lag);
        Backlog.on(vertx).add(pause, Backlog.Kind.PAUSED_PROJECTION, projection.name(), () -> isPaused ? 1 : 0);
        begin();
        return Future.succeededFuture();
    }

    /**
     * Waits up to 10 s for the batches under way. A batch that ends later cannot move the offset once the next worker
     * has claimed the log.
     */
    @Override
    public Future<?> stop() {
        stopped = true;
        AppendSignal.on(vertx).unlisten(projection.type(), stored);
        Backlog.on(vertx).remove(this);
        Backlog.on(vertx).remove(pause);
        vertx.cancelTimer(timer);
        Future<?> handled = round.eventually(() -> underWay().ended());
        if (handled.isComplete()) {
            return Future.succeededFuture();
        }
        Promise<Void> ended = Promise.promise();
        long late = vertx.setTimer(stopMs, waited -> {
            LOG.warn(
                    "projection={} worker={} stops although its handler has not ended a batch within {} ms",
                    projection.name(),
                    number,
                    stopMs);
            ended.tryComplete();
        });
        handled.onComplete(answer -> {
            vertx.cancelTimer(late);
            ended.tryComplete();
        });
        return ended.future();
    }

    /** Any thread. */
    private void stored() {
        if (isStored.compareAndSet(false, true)) {
            context.runOnContext(now -> {
                if (!isBusy && !stopped) {
                    vertx.cancelTimer(timer);
                    begin();
                }
            });
        }
    }

    private void begin() {
        isBusy = true;
        isToldOrMoved |= isStored.getAndSet(false);
        round = Future.succeededFuture().compose(now -> round()).onComplete(ended -> {
            isBusy = false;
            if (ended.failed()) {
                look = null;
                tellStoreFailed(ended.cause());
            }
            isToldOrMoved = ended.succeeded() && ended.result();
            if (!stopped) {
                long pause = isToldOrMoved ? 1 : isStored.get() ? Math.min(GATHER_MS, pollMs()) : pollMs();
                timer = vertx.setTimer(pause, again -> begin());
            }
        });
    }

    private void tellStoreFailed(Throwable failure) {
        if (pace.admits()) {
            LOG.warn("projection={} worker={} waits for its store{}", projection.name(), number, pace.note(), failure);
        }
    }

    private LogsUnderWay underWay() {
        LogsUnderWay logsUnderWay = underWay;
        if (logsUnderWay == null) {
            logsUnderWay = new LogsUnderWay(
                    vertx,
                    Math.max(1, projection.handler().logsAtOnce()),
                    projection.settings().pollMs(),
                    stored);
            underWay = logsUnderWay;
        }
        return logsUnderWay;
    }

    /** Longest pause before the next round; at most 200 ms if the next one is to look up the logs. */
    private long pollMs() {
        long pollMs = projection.settings().pollMs();
        return hasLooked ? pollMs : Math.min(LOOK_MS, pollMs);
    }

    /** Runs a round; true if the next one may begin at once, as there may be more events. */
    private Future<Boolean> round() {
        Look last = look;
        if (last != null
                && clock.now() - last.at()
                        < Math.min(LOOK_MS, projection.settings().pollMs())) {
            hasLooked = false;
            return readAgain(last);
        }
        hasLooked = true;
        return type().compose(known -> known == null ? Future.succeededFuture(false) : look(known));
    }

    /** The store's number of the type, which never changes. */
    private Future<@Nullable Integer> type() {
        return type == null
                ? CallerContext.complete(reader.type(projection.type())).onSuccess(found -> type = found)
                : Future.succeededFuture(type);
    }

    /** Result of a lookup: the worker's logs with their ends, those in turn, and the stored offsets. */
    private record Look(long at, List<LogInfo> owned, List<LogInfo> mine, Map<Integer, Long> positions) {}

    /** Reads what the last lookup has shown; if that is done, what may have been stored since. */
    private Future<Boolean> readAgain(Look last) {
        List<News> known = logs.news(last.mine(), ready());
        List<News> asked = known.isEmpty() && isToldOrMoved ? logs.unknown(last.mine(), ready()) : known;
        if (asked.isEmpty()) {
            return Future.succeededFuture(false);
        }
        Future<Boolean> pausing = askPaused();
        Page page = page(asked);
        return pausing.compose(paused -> {
            if (paused) {
                return Future.succeededFuture(false);
            }
            return page.rows().compose(rows -> {
                if (known.isEmpty() && ProjectedLogs.haveMore(rows, asked.get(0).rows())) {
                    look = null;
                }
                return handleOn(page).onComplete(read -> lag = logs.lag(last.owned(), last.positions()));
            });
        });
    }

    private Future<Boolean> look(int known) {
        long at = clock.now();
        look = null;
        Future<List<LogInfo>> listed = reader.logs(known);
        Future<Map<Integer, Long>> asked = offsets.positions(projection.name());
        Future<Boolean> pausing = askPaused();
        return CallerContext.complete(Future.all(listed, asked, pausing)).compose(answers -> {
            List<LogInfo> all = answers.resultAt(0);
            Map<Integer, Long> positions = answers.resultAt(1);
            List<LogInfo> owned =
                    all.stream().filter(info -> isMine(info.shard())).toList();
            logs.dropReset(positions, underWay()::has);
            if (isPaused) {
                lag = logs.lag(owned, positions);
                return Future.succeededFuture(false);
            }
            return readClaimed(at, all, owned, positions);
        });
    }

    private Future<Boolean> readClaimed(long at, List<LogInfo> all, List<LogInfo> owned, Map<Integer, Long> positions) {
        List<LogInfo> mine = ProjectedLogs.inTurn(all, positions).stream()
                .filter(info -> isMine(info.shard()))
                .toList();
        List<Integer> unclaimed = mine.stream()
                .map(LogInfo::log)
                .filter(log -> !logs.has(log) && !underWay().has(log))
                .toList();
        return claim(unclaimed).compose(claimed -> {
            lag = logs.lag(owned, positions);
            mine.forEach(this::checkEnd);
            look = mine.stream().allMatch(info -> logs.has(info.log())) ? new Look(at, owned, mine, positions) : null;
            return readOn(logs.news(mine, ready())).onComplete(read -> lag = logs.lag(owned, positions));
        });
    }

    private Future<Boolean> askPaused() {
        pauseAskedAt = clock.now();
        return CallerContext.complete(UserCode.call(() -> offsets.isPaused(projection.name())))
                .onSuccess(this::setPaused);
    }

    private void setPaused(boolean now) {
        if (now != isPaused) {
            LOG.info("projection={} worker={} {}", projection.name(), number, now ? "is paused" : "is resumed");
        }
        isPaused = now;
        look = now ? null : look;
    }

    private boolean isMine(int shard) {
        return shard % total == number;
    }

    private Future<Void> claim(List<Integer> unclaimed) {
        if (unclaimed.isEmpty()) {
            return Future.succeededFuture();
        }
        return CallerContext.complete(offsets.claim(projection.name(), unclaimed, token))
                .map(claimed -> {
                    claimed.forEach(logs::claimed);
                    tellRefused(unclaimed.stream()
                            .filter(log -> !claimed.containsKey(log))
                            .toList());
                    return null;
                });
    }

    /** Logs refused claims; some are refused for a moment while workers move. */
    private void tellRefused(List<Integer> refused) {
        if (!refused.isEmpty() && paceOfClaims.admits()) {
            LOG.warn(
                    "projection={} worker={}: a worker with a newer token than {} has the logs {}, which are not read"
                            + " here; or the projection was paused just now."
                            + " Where this lasts, another cluster uses this store, or the term of this cluster"
                            + " was set back: see shardbus_offset{}",
                    projection.name(),
                    number,
                    token,
                    refused,
                    paceOfClaims.note());
        }
    }

    /** Makes the next round claim the log again: offsets in the same store were restored together with it. */
    private void lost(LogInfo info, long position) {
        logs.remove(info.log());
        if (paceOfLosses.admits()) {
            LOG.warn(
                    "projection={} log={} ends at position {} but was read up to {}: its store has lost events. Reset"
                            + " the projection if its offset is above that end, and check what else has lost rows{}",
                    projection.name(),
                    info.log(),
                    info.end(),
                    position,
                    paceOfLosses.note());
        }
    }

    private void checkEnd(LogInfo info) {
        ProjectedLog log = underWay().has(info.log()) ? null : logs.get(info.log());
        // a closed log becomes shorter when events that were read are deleted: its entities have newer ones elsewhere
        if (log != null && !info.sealed() && log.position() > info.end()) {
            lost(info, log.position());
        }
    }

    /** Whether a batch of a log can begin now. */
    private IntPredicate ready() {
        long now = clock.now();
        return log -> !underWay().has(log) && logs.isReady(log, now);
    }

    /** Makes the next round claim the log again, which reads its stored offset. */
    private void unclaim(int number) {
        logs.remove(number);
        look = null;
    }

    private Future<Boolean> readOn(List<News> news) {
        return news.isEmpty() || stopped ? Future.succeededFuture(false) : handleOn(page(news));
    }

    /** Reads as many of the logs as fit into one read. */
    private Page page(List<News> news) {
        int count = 1;
        while (count < news.size() && (count + 1) * news.get(count).rows() <= logs.mostRows()) {
            count++;
        }
        List<News> now = news.subList(0, count);
        return new Page(
                CallerContext.complete(reader.read(
                                now.stream().map(News::from).toList(),
                                now.get(count - 1).rows()))
                        .onComplete(read -> logs.pageRead(read.result())),
                news.subList(count, news.size()));
    }

    /** Handles the events of a page while the next one is read. */
    private Future<Boolean> handleOn(Page page) {
        Promise<Boolean> moved = Promise.promise();
        handleOn(page, false, moved);
        return moved.future();
    }

    /** Chains no futures, as there may be thousands of pages. */
    private void handleOn(Page page, boolean movedBefore, Promise<Boolean> moved) {
        page.rows()
                .compose(rows -> {
                    Page next = page.later().isEmpty() || stopped ? null : page(page.later());
                    return handleAll(rows).map(movedNow -> new Handled(movedNow || movedBefore, next));
                })
                .onComplete(handled -> {
                    Page next = handled.succeeded() ? handled.result().next() : null;
                    if (handled.failed()) {
                        moved.fail(handled.cause());
                    } else if (next == null || stopped || isPaused) {
                        moved.complete(handled.result().moved() && !stopped);
                    } else {
                        context.runOnContext(
                                now -> handleOn(next, handled.result().moved(), moved));
                    }
                });
    }

    /** Whether the pages so far have moved an offset, and the next page. */
    private record Handled(boolean moved, @Nullable Page next) {}

    /** Rows of several logs, and the logs that are read after them. */
    private record Page(Future<Map<Integer, List<ReadRow>>> rows, List<News> later) {}

    private Future<Boolean> handleAll(Map<Integer, List<ReadRow>> read) {
        return underWay()
                .handle(
                        List.copyOf(new TreeMap<>(read).keySet()),
                        log -> handle(log, read.getOrDefault(log, List.of())));
    }

    /** In a round that takes longer than the poll interval, asks again for a pause before the next batch. */
    private Batch handle(int number, List<ReadRow> rows) {
        if (clock.now() - pauseAskedAt < projection.settings().pollMs()) {
            return handleNow(number, rows);
        }
        Future<Batch> begun = askPaused().map(paused -> handleNow(number, rows));
        Future<Boolean> moved = begun.compose(Batch::moved).otherwise(failure -> {
            tellStoreFailed(failure);
            return false;
        });
        return new Batch(begun.compose(Batch::handled), moved);
    }

    private Batch handleNow(int number, List<ReadRow> rows) {
        ProjectedLog log = logs.get(number);
        if (stopped || isPaused || log == null || rows.isEmpty()) {
            return Batch.of(Future.succeededFuture(false));
        }
        if (log.isFirstGapBefore(rows.get(0).position())) {
            LOG.warn(
                    "projection={} log={}: events from position {} to {} were deleted before the projection read them",
                    projection.name(),
                    number,
                    log.position() + 1,
                    rows.get(0).position() - 1);
        }
        List<ReadRow> batch = rows.subList(
                0, Math.min(rows.size(), log.batch(projection.settings().batch())));
        long after = batch.get(batch.size() - 1).position();
        Future<ProjectionBatch<E>> decoded = Future.succeededFuture()
                .map(now ->
                        new ProjectionBatch<>(projection.name(), number, log.position(), after, token, decoded(batch)));
        if (projection.handler() instanceof AtLeastOnce<E> handler) {
            Future<?> handled = CallerContext.complete(decoded.compose(handler::handleEvents));
            Future<Boolean> moving = handled.compose(all -> moves.move(new Move(number, log.position(), after)));
            return new Batch(handled, ended(number, log, batch, moving));
        }
        Future<Boolean> handling = decoded.compose(
                        events -> UserCode.call(() -> projection.handler().handle(events, offsets)))
                .map(moved -> Objects.requireNonNull(moved, "whether the handler has moved the offset"));
        return Batch.of(ended(number, log, batch, CallerContext.complete(handling)));
    }

    /** True if the offset moved. */
    private Future<Boolean> ended(int number, ProjectedLog log, List<ReadRow> batch, Future<Boolean> moving) {
        return moving.transform(moved -> {
                    if (moved.failed()) {
                        return failed(number, log, batch, moved.cause());
                    }
                    if (moved.result()) {
                        log.movedTo(batch.get(batch.size() - 1).position());
                    } else {
                        LOG.debug(
                                "projection={} log={} is read again from its offset, if it has no other worker",
                                projection.name(),
                                number);
                        unclaim(number);
                    }
                    return Future.succeededFuture(moved.result());
                })
                .otherwise(failure -> {
                    tellStoreFailed(failure);
                    return false;
                });
    }

    private Future<Boolean> failed(int number, ProjectedLog log, List<ReadRow> batch, Throwable failure) {
        ReadRow first = batch.get(0);
        // a handler that parks by itself needs no single rows: it knows which command failed
        ReadRow last = projection.handler().parksItself() ? first : batch.get(batch.size() - 1);
        log.failed(clock.now(), last.position(), failure instanceof StoreException);
        Projection.Settings settings = projection.settings();
        boolean isKnown = batch.size() == 1 && log.attempts() >= settings.attempts();
        if (isKnown && settings.onFailure() == Projection.OnFailure.PARK) {
            LOG.error(
                    "projection={} log={} parks event {} of {} at position {}",
                    projection.name(),
                    number,
                    first.sequence(),
                    first.id(),
                    first.position(),
                    failure);
            return park(number, log, first, failure);
        }
        if (pace.admits()) {
            boolean mayPass = failure instanceof ShardingException code && PASSING.contains(code.code());
            LOG.atLevel(mayPass ? Level.WARN : Level.ERROR)
                    .setCause(mayPass ? null : failure)
                    .log(
                            "projection={} log={} is held at position {}, entity {}: attempt {} failed{}{}",
                            projection.name(),
                            number,
                            first.position(),
                            first.id(),
                            log.failures(),
                            mayPass ? " with " + failure : "",
                            pace.note());
        }
        return Future.succeededFuture(false);
    }

    private Future<Boolean> park(int number, ProjectedLog log, ReadRow row, Throwable failure) {
        OffsetStore.Parked event = OffsetStore.Parked.of(number, row.position(), String.valueOf(failure));
        return CallerContext.complete(offsets.park(projection.name(), event)
                        .compose(parked ->
                                offsets.move(projection.name(), number, log.position(), row.position(), token)))
                .map(moved -> {
                    if (moved) {
                        log.movedTo(row.position());
                    } else {
                        unclaim(number);
                    }
                    return moved;
                });
    }

    private List<EventEnvelope<E>> decoded(List<ReadRow> rows) {
        List<EventEnvelope<E>> events = new ArrayList<>();
        for (ReadRow row : rows) {
            if (row.payload() == null) {
                events.add(envelope(row, null));
            } else {
                decoded(row, row.payload()).forEach(event -> events.add(envelope(row, event)));
            }
        }
        return events;
    }

    private List<E> decoded(ReadRow row, Buffer payload) {
        try {
            return projection.codec().decode(row.format(), row.name(), row.version(), payload);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "event " + row.sequence() + " (" + row.name() + ", version " + row.version() + ") of " + row.id()
                            + ": " + e.getMessage(),
                    e);
        }
    }

    private EventEnvelope<E> envelope(ReadRow row, @Nullable E event) {
        return new EventEnvelope<>(
                row.id(), row.sequence(), row.log(), row.position(), event, row.tags(), row.writtenMillis());
    }
}
