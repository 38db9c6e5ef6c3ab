package io.shardbus.simulation.stored;

import io.shardbus.model.FencingToken;
import io.shardbus.persistence.spi.EventReader;
import io.shardbus.persistence.spi.OffsetStore;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore;
import io.shardbus.persistence.spi.StoreConnection;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.persistence.spi.TypeSpec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The simulated store as a worker of one process has it: its calls travel, and their answers reach that process. */
final class SimulatedReads implements PersistenceStore {
    private final SimulatedStore store;
    private final Context loop;
    private final Truth truth;

    SimulatedReads(SimulatedStore store, Context loop, Truth truth) {
        this.store = store;
        this.loop = loop;
        this.truth = truth;
    }

    @Override
    public EventReader reader() {
        EventReader content = store.content().reader();
        return new EventReader() {
            @Override
            public Future<@Nullable Integer> type(String name) {
                return store.remote(loop, () -> content.type(name));
            }

            @Override
            public Future<List<LogInfo>> logs(int type) {
                return store.remote(loop, () -> content.logs(type));
            }

            @Override
            public Future<Map<Integer, List<ReadRow>>> read(List<From> from, int limit) {
                return store.remote(loop, () -> content.read(from, limit));
            }
        };
    }

    @Override
    public OffsetStore offsets() {
        return new Offsets(store.content().offsets());
    }

    private final class Offsets implements OffsetStore {
        private final OffsetStore content;

        Offsets(OffsetStore content) {
            this.content = content;
        }

        @Override
        public Future<Map<Integer, Long>> claim(String projection, List<Integer> logs, FencingToken token) {
            return store.remote(
                    loop,
                    () -> content.claim(projection, logs, token)
                            .onSuccess(claimed -> truth.follows().claimed(projection)));
        }

        @Override
        public Future<Boolean> move(String projection, int log, long before, long after, FencingToken token) {
            return store.remote(
                    loop,
                    () -> content.move(projection, log, before, after, token).onSuccess(moved -> {
                        if (moved) {
                            truth.follows().moved(projection, log, before, after);
                        }
                    }));
        }

        @Override
        public Future<Map<Integer, Long>> positions(String projection) {
            return store.remote(loop, () -> content.positions(projection));
        }

        @Override
        public Future<Void> park(String projection, Parked event) {
            return store.remote(loop, () -> content.park(projection, event));
        }

        @Override
        public Future<List<Parked>> parked(String projection, int limit) {
            return store.remote(loop, () -> content.parked(projection, limit));
        }

        @Override
        public Future<Long> parkedCount(String projection) {
            return store.remote(loop, () -> content.parkedCount(projection));
        }

        @Override
        public Future<Void> setPaused(String projection, boolean paused) {
            return store.remote(loop, () -> content.setPaused(projection, paused));
        }

        @Override
        public Future<Boolean> isPaused(String projection) {
            return store.remote(loop, () -> content.isPaused(projection));
        }

        @Override
        public Future<Boolean> reset(String projection) {
            return store.remote(loop, () -> content.reset(projection));
        }

        @Override
        public Future<Long> lowest(int log) {
            return store.remote(loop, () -> content.lowest(log));
        }
    }

    @Override
    public Future<StoreIdentity> start() {
        return store.start();
    }

    @Override
    public Future<StoredType> register(TypeSpec type) {
        return store.register(type);
    }

    @Override
    public StoreConnection connect(Context lane) {
        return store.connect(lane);
    }

    @Override
    public ReminderStore reminders() {
        ReminderStore content = store.content().reminders();
        return new ReminderStore() {
            @Override
            public Future<List<Reminder>> first(int type, List<Integer> parts, int limit) {
                return store.remote(loop, () -> content.first(type, parts, limit));
            }

            @Override
            public Future<List<Reminder>> of(int type, String id) {
                return store.remote(loop, () -> content.of(type, id));
            }

            @Override
            public Future<Void> settle(int type, List<Settled> settled) {
                return store.remote(loop, () -> {
                    truth.reminded().settled(type, settled);
                    return content.settle(type, settled);
                });
            }
        };
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }
}
