package io.shardbus.simulation.stored;

import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LoadedEntity;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogFence;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoredType;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lane's way to the simulated store; it connects again after its connection was lost. */
final class SimulatedConnection implements StoreConnection {
    /** A statement without an answer for so long ends its connection, in milliseconds. */
    static final long PATIENCE = 3_000;

    private final SimulatedStore store;
    private final Context lane;
    private final StoreConnection content;
    private Line line = new Line();
    private int appends;
    private boolean isClosed;

    SimulatedConnection(SimulatedStore store, Context lane) {
        this.store = store;
        this.lane = lane;
        this.content = store.content().connect(lane);
    }

    /** Carries a statement out, and tells its result when it is there. */
    private interface Effect<T> {
        void begin(Consumer<Future<T>> ended);
    }

    private static final class Statement<T> {
        private final Effect<T> effect;
        private final boolean mayFail;
        private final Promise<T> promise = Promise.promise();

        Statement(Effect<T> effect, boolean mayFail) {
            this.effect = effect;
            this.mayFail = mayFail;
        }
    }

    /** One connection, until it is lost. */
    private final class Line {
        /** Without an answer, in order. */
        private final Deque<Statement<?>> open = new ArrayDeque<>();

        private final Deque<Statement<?>> travelling = new ArrayDeque<>();
        private final Deque<Statement<?>> arrived = new ArrayDeque<>();
        private final Deque<Runnable> answers = new ArrayDeque<>();
        private @Nullable Statement<?> last;
        private boolean isBusy;
        private boolean isLost;

        void send(Statement<?> statement) {
            open.add(statement);
            travelling.add(statement);
            store.after(store.way(), this::arrive);
            store.after(PATIENCE, () -> {
                if (!isLost && open.contains(statement)) {
                    lose("no answer within " + PATIENCE + " ms");
                }
            });
        }

        private void arrive() {
            if (!isLost && store.weather().isDown()) {
                lose("the store is down");
            }
            if (!isLost) {
                arrived.add(travelling.remove());
                next();
            }
        }

        private void next() {
            while (!isLost && !isBusy && !arrived.isEmpty()) {
                carryOut(arrived.remove());
            }
        }

        private <T> void carryOut(Statement<T> statement) {
            isBusy = true;
            last = statement;
            if (statement.mayFail && store.repeats()) {
                answer(statement, Future.failedFuture(new StoreException(Kind.REPEAT, "a deadlock")));
            } else if (statement.mayFail && store.blocks()) {
                answer(statement, Future.failedFuture(new StoreException(Kind.BLOCKED, "the disk is full")));
            } else {
                statement.effect.begin(result -> answer(statement, result));
            }
        }

        private <T> void answer(Statement<T> statement, Future<T> result) {
            isBusy = false;
            if (isLost) {
                return;
            }
            answers.add(() -> {
                open.remove(statement);
                complete(statement, result);
            });
            store.after(store.way(), () -> {
                if (!isLost) {
                    answers.remove().run();
                }
            });
            next();
        }

        /** Those that are under way reach the store up to a certain one, and are carried out there in their order. */
        void lose(String reason) {
            isLost = true;
            Deque<Statement<?>> late = new ArrayDeque<>();
            if (last != null && open.contains(last) && store.doubles()) {
                late.add(last);
            }
            List<Statement<?>> underWay = new ArrayList<>(arrived);
            underWay.addAll(travelling);
            late.addAll(underWay.subList(0, store.below(underWay.size() + 1)));
            store.after(store.below(200), () -> carryOutLate(late));
            List<Statement<?>> failed = new ArrayList<>(open);
            open.clear();
            failed.forEach(statement ->
                    complete(statement, Future.failedFuture(new StoreException(Kind.UNREACHABLE, reason))));
        }

        private void carryOutLate(Deque<Statement<?>> late) {
            Statement<?> statement = late.poll();
            if (statement != null) {
                statement.effect.begin(result -> store.after(
                        store.below(3) == 0 ? store.below(8_000) : store.below(20), () -> carryOutLate(late)));
            }
        }
    }

    private <T> void complete(Statement<T> statement, Future<?> result) {
        @SuppressWarnings("unchecked")
        Future<T> typed = (Future<T>) result;
        lane.runOnContext(ignored -> typed.onComplete(statement.promise));
    }

    boolean isOf(Context loop) {
        return lane == loop;
    }

    /** The process that has it is gone, or its way is cut. */
    void lose(String reason) {
        Line before = line;
        line = new Line();
        if (!before.isLost) {
            before.lose(reason);
        }
    }

    private <T> Future<T> call(boolean mayFail, Effect<T> effect) {
        Statement<T> statement = new Statement<>(effect, mayFail);
        store.after(0, () -> {
            if (isClosed) {
                complete(statement, Future.failedFuture(new StoreException(Kind.UNREACHABLE, "closed")));
                return;
            }
            if (line.isLost) {
                line = new Line();
            }
            line.send(statement);
        });
        return statement.promise.future();
    }

    private <T> Future<T> call(boolean mayFail, Supplier<Future<T>> effect) {
        return this.call(mayFail, ended -> ended.accept(effect.get()));
    }

    /** Two transactions: the end of a log that is read with its raise may be the one before an append under way. */
    @Override
    public Future<List<OpenedLog>> open(List<LogOpening> openings) {
        return this.<List<OpenedLog>>call(true, ended -> {
            List<OpenedLog> raised = raise(openings);
            store.after(store.below(3), () -> ended.accept(Future.succeededFuture(withEnds(openings, raised))));
        });
    }

    private List<OpenedLog> raise(List<LogOpening> openings) {
        List<OpenedLog> raised = content.open(openings).result();
        for (int i = 0; i < raised.size(); i++) {
            store.witness().opened(openings.get(i), raised.get(i));
        }
        return raised;
    }

    private List<OpenedLog> withEnds(List<LogOpening> openings, List<OpenedLog> raised) {
        List<OpenedLog> opened = new ArrayList<>();
        for (int i = 0; i < raised.size(); i++) {
            opened.add(
                    raised.get(i) instanceof OpenedLog.Open open
                            ? new OpenedLog.Open(
                                    open.log(),
                                    open.opening(),
                                    store.end(openings.get(i).type().number(), open.log()))
                            : raised.get(i));
        }
        return opened;
    }

    @Override
    public Future<Set<Integer>> append(List<LogAppend<EventRow>> appends) {
        underWay(1);
        return call(
                        true,
                        () -> content.append(appends)
                                .onSuccess(logs -> appends.stream()
                                        .filter(append -> SimulatedStore.holds(logs, append))
                                        .forEach(store.witness()::appended)))
                .onComplete(ended -> underWay(-1));
    }

    private void underWay(int change) {
        appends += change;
        store.witness().underWay(appends);
    }

    @Override
    public Future<Set<Integer>> write(List<LogAppend<StateRow>> writes) {
        underWay(1);
        return call(
                        true,
                        () -> content.write(writes)
                                .onSuccess(logs -> writes.stream()
                                        .filter(write -> SimulatedStore.holds(logs, write))
                                        .forEach(store.witness()::written)))
                .onComplete(ended -> underWay(-1));
    }

    @Override
    public Future<Set<Integer>> saveSnapshots(List<LogAppend<SnapshotRow>> snapshots) {
        return call(
                true,
                () -> content.saveSnapshots(snapshots)
                        .onSuccess(logs -> snapshots.stream()
                                .filter(save -> SimulatedStore.holds(logs, save))
                                .forEach(store.witness()::saved)));
    }

    @Override
    public Future<List<LoadedEntity>> load(StoredType type, List<String> ids, int limit) {
        return call(true, () -> content.load(type, ids, limit));
    }

    @Override
    public Future<List<EventRow>> loadEvents(StoredType type, String id, long after, int limit) {
        return call(true, () -> content.loadEvents(type, id, after, limit));
    }

    @Override
    public Future<Map<String, StateRow>> loadStates(StoredType type, List<String> ids) {
        return call(true, () -> content.loadStates(type, ids));
    }

    @Override
    public Future<Boolean> delete(LogFence fence, StoredType type, String id, long through, boolean snapshotToo) {
        return call(true, () -> content.delete(fence, type, id, through, snapshotToo));
    }

    @Override
    public Future<Void> close() {
        return this.<Void>call(false, () -> {
            isClosed = true;
            store.closed(this);
            return Future.succeededFuture();
        });
    }
}
