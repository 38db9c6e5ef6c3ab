package io.shardbus.projection;

import io.shardbus.logging.LogPace;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.persistence.Backlog;
import io.shardbus.runtime.persistence.StoredHere;
import io.shardbus.runtime.region.CallerContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: it has the logs of the shards whose number leaves its own when divided by the number of workers. In a round
 * it looks for new logs, reads what is new in all of them, and hands it on, as many logs at once as the handler takes.
 * Rounds follow each other while there is something new; the next one comes as soon as this node stores something, and
 * after the poll interval else. A round waits no longer than that for batches that take long; they go on beside it.
 */
final class ProjectionWorker<E> extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionWorker.class);
    /** Of all logs together in one read. */
    private static final int MOST_ROWS = 2000;

    /** Before the next round, where something was stored during the last one. */
    private static final long GATHER_MS = 5;

    private static final long LONGEST_STOP_MS = 10_000;

    private final Projection<E> projection;
    private final EventReader reader;
    private final OffsetStore offsets;
    private final int number;
    private final int total;
    private final FencingToken token;
    private final long stopMs;
    private final ElapsedClock clock;
    private final LogPace pace;
    private final LogPace paceOfClaims;
    private final LogPace paceOfLosses;
    private final Map<Integer, ProjectedLog> logs = new TreeMap<>();
    /** Something was stored here after the last round began. */
    private final AtomicBoolean isStored = new AtomicBoolean();

    private final Runnable stored = this::stored;
    /** Events of its logs that were not handled at the end of the last round. */
    private volatile long lag;
    /** As the store said in the last round. */
    private volatile boolean isPaused;
    /** Under which the pause is told beside the lag. */
    private final Object pause = new Object();

    private boolean stopped;
    private boolean isBusy;
    private long timer = -1;
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
        this.number = number;
        this.total = total;
        this.token = token;
        this.stopMs = stopMs;
    }

    @Override
    public Future<?> start() {
        StoredHere.on(vertx).listen(projection.type(), stored);
        Backlog.on(vertx).add(this, Backlog.Kind.PROJECTION, projection.name(), () -> lag);
        Backlog.on(vertx).add(pause, Backlog.Kind.PAUSED_PROJECTION, projection.name(), () -> isPaused ? 1 : 0);
        begin();
        return Future.succeededFuture();
    }

    /** Waits for the batch under way, for a bounded time: the token keeps what comes later from moving the offset. */
    @Override
    public Future<?> stop() {
        stopped = true;
        StoredHere.on(vertx).unlisten(projection.type(), stored);
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
                    "projection={} worker={} stops although its handler has not ended within {} ms",
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
        isStored.set(false);
        round = Future.succeededFuture().compose(now -> round()).onComplete(ended -> {
            isBusy = false;
            if (ended.failed()) {
                tellStoreFailed(ended.cause());
            }
            if (!stopped) {
                boolean more = ended.succeeded() && ended.result();
                long pollMs = projection.settings().pollMs();
                long pause = more ? 1 : isStored.get() ? Math.min(GATHER_MS, pollMs) : pollMs;
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

    /** True if there may be more at once. */
    private Future<Boolean> round() {
        return CallerContext.complete(reader.type(projection.type()))
                .compose(type -> type == null
                        ? Future.succeededFuture(false)
                        : CallerContext.complete(reader.logs(type)).compose(this::readLogs));
    }

    private Future<Boolean> readLogs(List<LogInfo> all) {
        Future<Map<Integer, Long>> asked = offsets.positions(projection.name());
        Future<Boolean> pausing = offsets.isPaused(projection.name());
        return CallerContext.complete(Future.all(asked, pausing)).compose(both -> {
            Map<Integer, Long> positions = both.resultAt(0);
            List<LogInfo> owned = all.stream().filter(this::isMine).toList();
            dropReset(positions);
            setPaused(both.resultAt(1));
            if (isPaused) {
                lag = lag(owned, positions);
                return Future.succeededFuture(false);
            }
            return readClaimed(all, owned, positions);
        });
    }

    private Future<Boolean> readClaimed(List<LogInfo> all, List<LogInfo> owned, Map<Integer, Long> positions) {
        List<LogInfo> mine =
                inTurn(all, positions).stream().filter(this::isMine).toList();
        List<Integer> unclaimed = mine.stream()
                .map(LogInfo::log)
                .filter(log -> !logs.containsKey(log) && !underWay().has(log))
                .toList();
        return claim(unclaimed).compose(claimed -> {
            lag = lag(owned, positions);
            return readNews(mine).onComplete(read -> lag = lag(owned, positions));
        });
    }

    /** Logs without an offset in the store are claimed anew: the projection was reset. */
    private void dropReset(Map<Integer, Long> positions) {
        logs.keySet().removeIf(log -> !underWay().has(log) && !positions.containsKey(log));
    }

    private void setPaused(boolean now) {
        if (now != isPaused) {
            LOG.info("projection={} worker={} {}", projection.name(), number, now ? "is paused" : "goes on");
        }
        isPaused = now;
    }

    private boolean isMine(LogInfo log) {
        return log.shard() % total == number;
    }

    /** The events between where it is and the ends of its logs. */
    private long lag(List<LogInfo> owned, Map<Integer, Long> positions) {
        return owned.stream()
                .mapToLong(info -> {
                    ProjectedLog log = logs.get(info.log());
                    long position = log == null ? positions.getOrDefault(info.log(), 0L) : log.position();
                    return Math.max(0, info.end() - position);
                })
                .sum();
    }

    /** The logs of the oldest layout that is not handled to its end: so an entity that changed logs keeps its order. */
    private static List<LogInfo> inTurn(List<LogInfo> all, Map<Integer, Long> positions) {
        int layout = all.stream()
                .filter(log -> !log.sealed() || positions.getOrDefault(log.log(), 0L) < log.end())
                .mapToInt(LogInfo::layout)
                .min()
                .orElse(0);
        return all.stream().filter(log -> log.layout() == layout).toList();
    }

    private Future<Void> claim(List<Integer> unclaimed) {
        if (unclaimed.isEmpty()) {
            return Future.succeededFuture();
        }
        return CallerContext.complete(offsets.claim(projection.name(), unclaimed, token))
                .map(claimed -> {
                    claimed.forEach((log, position) -> logs.put(log, new ProjectedLog(position)));
                    tellRefused(unclaimed.stream()
                            .filter(log -> !claimed.containsKey(log))
                            .toList());
                    return null;
                });
    }

    /** For a moment that is so where workers move. */
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

    /** The offset is asked for again: in the same store it was set back with the log. */
    private void lost(LogInfo info, long position) {
        logs.remove(info.log());
        if (paceOfLosses.admits()) {
            LOG.warn(
                    "projection={} log={} ends at position {}, and was read up to {}: its store has lost events. Reset"
                            + " the projection where its offset is behind the end, and see what else has lost rows{}",
                    projection.name(),
                    info.log(),
                    info.end(),
                    position,
                    paceOfLosses.note());
        }
    }

    private Future<Boolean> readNews(List<LogInfo> mine) {
        List<News> news = new ArrayList<>();
        for (LogInfo info : mine) {
            ProjectedLog log = underWay().has(info.log()) ? null : logs.get(info.log());
            if (log != null && log.position() > info.end()) {
                lost(info, log.position());
            } else if (log != null && log.position() < info.end() && log.isReady(clock.now())) {
                long rows = Math.min(projection.settings().batch(), info.end() - log.position());
                news.add(new News(new From(info.log(), log.position()), (int) rows));
            }
        }
        news.sort(Comparator.comparingInt(News::rows));
        return readOn(news, false);
    }

    /** Reads as many of the logs as fit into one read, hands their events on, and then the others. */
    private Future<Boolean> readOn(List<News> news, boolean movedBefore) {
        if (news.isEmpty() || stopped) {
            return Future.succeededFuture(movedBefore && !stopped);
        }
        int count = 1;
        while (count < news.size() && (count + 1) * news.get(count).rows() <= MOST_ROWS) {
            count++;
        }
        List<News> now = news.subList(0, count);
        List<News> later = news.subList(count, news.size());
        return CallerContext.complete(reader.read(
                        now.stream().map(News::from).toList(),
                        now.get(count - 1).rows()))
                .compose(this::handleAll)
                .compose(moved -> readOn(later, moved || movedBefore));
    }

    /** New rows of a log: the position to read from, and how many rows at most. */
    private record News(From from, int rows) {}

    private Future<Boolean> handleAll(Map<Integer, List<ReadRow>> read) {
        return underWay()
                .handle(
                        List.copyOf(new TreeMap<>(read).keySet()),
                        log -> stopped
                                ? Future.succeededFuture(false)
                                : handle(log, read.getOrDefault(log, List.of())).otherwise(failure -> {
                                    tellStoreFailed(failure);
                                    return false;
                                }));
    }

    /** True if the offset moved. */
    private Future<Boolean> handle(int number, List<ReadRow> rows) {
        ProjectedLog log = logs.get(number);
        if (log == null || rows.isEmpty()) {
            return Future.succeededFuture(false);
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
        Future<Boolean> handling = Future.succeededFuture()
                .compose(now -> projection
                        .handler()
                        .handle(
                                new ProjectionBatch<>(
                                        projection.name(), number, log.position(), after, token, decoded(batch)),
                                offsets));
        return CallerContext.complete(handling).transform(handled -> {
            if (handled.failed()) {
                return failed(number, log, batch, handled.cause());
            }
            if (handled.result()) {
                log.movedTo(after);
            } else {
                LOG.debug(
                        "projection={} log={} is read again from its offset, if it has no other worker",
                        projection.name(),
                        number);
                logs.remove(number);
            }
            return Future.succeededFuture(handled.result());
        });
    }

    private Future<Boolean> failed(int number, ProjectedLog log, List<ReadRow> batch, Throwable failure) {
        log.failed(clock.now());
        ReadRow first = batch.get(0);
        Projection.Settings settings = projection.settings();
        boolean isKnown = batch.size() == 1 && log.failures() >= settings.attempts();
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
            LOG.error(
                    "projection={} log={} is held at position {}, entity {}: attempt {} failed{}",
                    projection.name(),
                    number,
                    first.position(),
                    first.id(),
                    log.failures(),
                    pace.note(),
                    failure);
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
                        logs.remove(number);
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
