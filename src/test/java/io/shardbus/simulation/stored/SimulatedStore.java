package io.shardbus.simulation.stored;

import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.EventRow;
import io.shardbus.persistence.spi.LogAppend;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.SnapshotRow;
import io.shardbus.persistence.spi.StateRow;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoreLimits;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A store behind a network: statements travel, are carried out one after the other for each connection, and their
 * answers travel back. A connection may be lost at any moment; what was under way then is carried out, late or never,
 * some of it twice. What is stored, and which fence admits it, is the {@link MemoryStore}'s.
 */
final class SimulatedStore implements PersistenceStore {
    /** Time in which statements travel; tasks run one at a time, and in order where they are due at one moment. */
    interface Time {
        /** @param millis 0: after what is due now */
        void after(long millis, Runnable task);
    }

    /** Told at the moment at which a statement takes effect. */
    interface Witness {
        void opened(LogOpening opening, OpenedLog answer);

        void appended(LogAppend<EventRow> append);

        void saved(LogAppend<SnapshotRow> save);

        void written(LogAppend<StateRow> write);

        /** So many batches of one lane have no answer. */
        void underWay(int batches);

        /** No rule is checked. */
        Witness NONE = new Witness() {
            @Override
            public void opened(LogOpening opening, OpenedLog answer) {}

            @Override
            public void appended(LogAppend<EventRow> append) {}

            @Override
            public void saved(LogAppend<SnapshotRow> save) {}

            @Override
            public void written(LogAppend<StateRow> write) {}

            @Override
            public void underWay(int batches) {}
        };
    }

    /** Chances of trouble, in percent of the statements, and the longest way. */
    static final class Weather {
        private int repeats;
        private int blocked;
        private int slow;
        private int lost;
        private boolean isDown;

        /** A store that does all that is asked of it. */
        void calm() {
            repeats = 0;
            blocked = 0;
            slow = 0;
            lost = 0;
            isDown = false;
        }

        void rough() {
            repeats = 2;
            blocked = 1;
            slow = 2;
            lost = 4;
        }

        void down(boolean down) {
            isDown = down;
        }

        boolean isDown() {
            return isDown;
        }
    }

    private final MemoryStore content;
    private final Time time;
    private final Random dice;
    private final Witness witness;
    private final Weather weather = new Weather();
    private final List<SimulatedConnection> connections = new ArrayList<>();
    private volatile boolean isClosed;

    SimulatedStore(MemoryStore content, Time time, Random dice, Witness witness) {
        this.content = content;
        this.time = time;
        this.dice = dice;
        this.witness = witness;
    }

    Weather weather() {
        return weather;
    }

    Witness witness() {
        return witness;
    }

    void after(long millis, Runnable task) {
        time.after(millis, task);
    }

    int below(int bound) {
        return dice.nextInt(bound);
    }

    /** The time of a statement or an answer on its way, in milliseconds. */
    long way() {
        return dice.nextInt(100) < weather.slow ? dice.nextInt(2_000) : 1 + dice.nextInt(4);
    }

    /** Whether the store cannot carry out the next statement, and nothing of it is stored. */
    boolean repeats() {
        return dice.nextInt(100) < weather.repeats;
    }

    boolean blocks() {
        return dice.nextInt(100) < weather.blocked;
    }

    /** Whether what was under way when a connection was lost comes a second time. */
    boolean doubles() {
        return dice.nextInt(4) == 0;
    }

    /** Breaks all connections. */
    void breakAll() {
        List.copyOf(connections).forEach(connection -> connection.lose("the connection was lost"));
    }

    boolean isClosed() {
        return isClosed;
    }

    /** The process with this event loop is gone. */
    void loseConnectionsOf(Context lane) {
        List.copyOf(connections).stream()
                .filter(connection -> connection.isOf(lane))
                .forEach(connection -> {
                    connections.remove(connection);
                    connection.lose("the process is gone");
                });
    }

    /** What is stored, as it is at this moment. */
    MemoryStore content() {
        return content;
    }

    long end(int type, int log) {
        return content.reader().logs(type).result().stream()
                .filter(info -> info.log() == log)
                .mapToLong(EventReader.LogInfo::end)
                .findFirst()
                .orElse(0);
    }

    @Override
    public Future<StoreIdentity> start() {
        return content.start();
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return content.register(type);
    }

    @Override
    public StoreConnection connect(Context lane) {
        SimulatedConnection connection = new SimulatedConnection(this, lane);
        time.after(0, () -> connections.add(connection));
        return connection;
    }

    void closed(SimulatedConnection connection) {
        connections.remove(connection);
    }

    /** At once: workers have a {@link SimulatedReads}. */
    @Override
    public EventReader reader() {
        return content.reader();
    }

    @Override
    public OffsetStore offsets() {
        return content.offsets();
    }

    /** A call of a reader or an offset store: it may be lost before or after it has taken effect. */
    <T> Future<T> remote(Context loop, Supplier<Future<T>> effect) {
        Promise<T> answer = Promise.promise();
        time.after(way(), () -> {
            boolean isLost = dice.nextInt(100) < weather.lost;
            Future<T> result = weather.isDown || isLost && dice.nextBoolean()
                    ? Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "it was lost"))
                    : effect.get();
            Future<T> told = isLost && result.succeeded()
                    ? Future.failedFuture(new StoreException(StoreException.Kind.UNREACHABLE, "its answer was lost"))
                    : result;
            time.after(way(), () -> loop.runOnContext(now -> told.onComplete(answer)));
        });
        return answer.future();
    }

    @Override
    public ReminderStore reminders() {
        return content.reminders();
    }

    /** Shorter than a store's own, so that runs see the end of it. */
    @Override
    public StoreLimits limits() {
        return StoreLimits.DEFAULT.withPatience(3_000);
    }

    @Override
    public String name() {
        return "simulated";
    }

    /** The content stays. */
    @Override
    public Future<Void> close() {
        isClosed = true;
        return Future.succeededFuture();
    }

    static boolean holds(Set<Integer> logs, LogAppend<?> append) {
        return logs.contains(append.fence().log());
    }
}
