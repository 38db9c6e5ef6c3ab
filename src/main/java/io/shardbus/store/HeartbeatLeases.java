package io.shardbus.store;

import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.RecordStore;
import io.shardbus.wire.TextFields;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * External leases, kept as entries of a store on which a cluster agrees. A lease entry names its owner and the owner's
 * run, which is one provider in one process. Each run also has one heartbeat entry, which it rewrites as long as it
 * lasts. A run loses its leases when none of the heartbeats that it sent within the last lease duration was confirmed.
 * Another run takes a lease over when it has seen the heartbeat entry of the owner unchanged for 1.25 times the lease
 * duration. Each time that a lease is obtained its entry gets another number: so a request that takes effect late finds
 * another entry than it expects.
 */
public final class HeartbeatLeases implements LeaseProvider {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLeases.class);
    private static final String BEAT = "lease-beat/";
    private static final String LEASE = "lease/";

    /** The numbered fields of a lease; others are a later build's. */
    private static final int OWNER = 1;

    private static final int LIFE = 2;
    private static final int REQUEST = 3;

    /** In durations of a lease. */
    private static final int DEAD_AFTER = 10;

    /** Other owners whose heartbeats are remembered. */
    private static final int MOST_SIGHTINGS = 4_096;

    /** The numbered field of a heartbeat entry that changes with each write. */
    private static final int NUMBER = 1;

    /** Last observed heartbeat of another owner, and since when it has not changed. */
    private record Sighting(Optional<String> beat, long since) {}

    private final Context context;
    private final RecordStore entries;
    private final String life;
    private final long duration;
    private final LongSupplier clock;
    private final LongSupplier awake;
    private final Map<String, Consumer<Throwable>> held = new HashMap<>();
    private final Map<String, Future<?>> last = new HashMap<>();
    /** Names whose entry may be this run's without being held. */
    private final Set<String> doubtful = new HashSet<>();

    private final Map<String, Sighting> sightings = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Sighting> eldest) {
            return size() > MOST_SIGHTINGS;
        }
    };

    private Optional<String> beat = Optional.empty();
    private long beats;
    private long requests;
    private long validUntil = Long.MIN_VALUE;
    private long timer = -1;
    private boolean closed;

    /**
     * @param life tells this provider from all others, also from an earlier one of the same node
     * @param duration of a lease after its owner's last confirmed heartbeat, in milliseconds
     * @param clock elapsed milliseconds, by which own leases end
     * @param awake elapsed milliseconds in which this machine ran, independent of the wall clock: for how long the
     *     heartbeat entries of others have not changed
     */
    public HeartbeatLeases(
            Vertx vertx, RecordStore entries, String life, long duration, LongSupplier clock, LongSupplier awake) {
        this.context = ((VertxInternal) vertx).createEventLoopContext();
        this.entries = entries;
        this.life = life;
        this.duration = duration;
        this.clock = clock;
        this.awake = awake;
    }

    @Override
    public ShardLease lease(String name, String owner) {
        return new Lease(name, owner);
    }

    private final class Lease implements ShardLease {
        private final String name;
        private final String owner;

        Lease(String name, String owner) {
            this.name = name;
            this.owner = owner;
        }

        @Override
        public Future<Boolean> acquire(Consumer<Throwable> lost) {
            return inTurn(name, () -> {
                start();
                return alive().compose(valid -> obtain(name, owner)).map(obtained -> keep(name, obtained, lost));
            });
        }

        @Override
        public Future<Void> release() {
            return inTurn(name, () -> {
                held.remove(name);
                return clear(name);
            });
        }
    }

    /** One operation for a name at a time, on the context. */
    private <T> Future<T> inTurn(String name, Supplier<Future<T>> operation) {
        Promise<T> done = Promise.promise();
        context.runOnContext(ignored -> {
            Future<?> before = last.getOrDefault(name, Future.succeededFuture());
            Future<T> mine = before.transform(any -> onContext(operation));
            last.put(name, mine);
            mine.onComplete(result -> context.runOnContext(go -> last.remove(name, mine)))
                    .onComplete(done);
        });
        return done.future();
    }

    private <T> Future<T> onContext(Supplier<Future<T>> operation) {
        Promise<T> done = Promise.promise();
        // composed, so that a store that throws fails the operation, and the next one has its turn
        context.runOnContext(ignored ->
                Future.succeededFuture().compose(now -> operation.get()).onComplete(done));
        return done.future();
    }

    private Future<Optional<String>> read(String entry) {
        return back(entries.read(entry).map(Optional::ofNullable));
    }

    private Future<Boolean> replace(String entry, Optional<String> expected, Optional<String> next) {
        return back(entries.replace(entry, expected.orElse(null), next.orElse(null)));
    }

    private <T> Future<T> back(Future<T> answer) {
        Promise<T> done = Promise.promise();
        answer.onComplete(result -> context.runOnContext(ignored -> done.handle(result)));
        return done.future();
    }

    private void start() {
        if (timer < 0 && !closed) {
            timer = context.owner().setPeriodic(Math.max(1, duration / 5), ignored -> tick());
        }
    }

    private void tick() {
        loseWhatRanOut();
        // one at a time if the store does not answer: a request for a lease waits for all before it
        if (!last.containsKey(BEAT)) {
            beat().onFailure(
                            failure -> LOG.debug("the heartbeat entry of this node's leases was not written", failure));
        }
        if (clock.getAsLong() < validUntil) {
            clearDoubtful();
            removeDead();
        }
    }

    /**
     * Removes the heartbeat entries that have stood still for so long that their runs have ended, or have lost all
     * leases at least: one that goes on after all makes another entry.
     */
    private void removeDead() {
        long before = awake.getAsLong() - DEAD_AFTER * duration;
        Map.copyOf(sightings).forEach((other, seen) -> {
            if (seen.beat().isPresent() && seen.since() <= before) {
                sightings.put(other, new Sighting(Optional.empty(), seen.since()));
                replace(BEAT + other, seen.beat(), Optional.empty())
                        .onFailure(failure -> LOG.debug("the heartbeat entry of {} was not removed", other, failure));
            }
        });
    }

    /** Called only while heartbeats are written: otherwise thousands of leases would fail again and again. */
    private void clearDoubtful() {
        Set.copyOf(doubtful).forEach(name -> {
            if (!last.containsKey(name)) {
                inTurn(name, () -> held.containsKey(name) ? Future.succeededFuture() : clear(name))
                        .onFailure(failure -> LOG.debug("lease {} could not be cleared yet", name, failure));
            }
        });
    }

    private void loseWhatRanOut() {
        if (clock.getAsLong() < validUntil || held.isEmpty()) {
            return;
        }
        Map<String, Consumer<Throwable>> lost = new HashMap<>(held);
        held.clear();
        Throwable reason = new TimeoutException("no heartbeat was written for " + duration + " ms");
        lost.values().forEach(listener -> listener.accept(reason));
    }

    private Future<Void> alive() {
        return clock.getAsLong() < validUntil ? Future.succeededFuture() : beat();
    }

    /** Writes a heartbeat; fails unless the store confirms the write. */
    private Future<Void> beat() {
        return inTurn(BEAT, () -> {
            long sent = clock.getAsLong();
            Optional<String> next = Optional.of(
                    new TextFields().put(NUMBER, Long.toString(++beats)).text());
            return replace(BEAT + life, beat, next)
                    .compose(written -> {
                        if (written) {
                            beat = next;
                            // the answer may come before the timer that was due: others may have taken them meanwhile
                            loseWhatRanOut();
                            validUntil = sent + duration;
                            watch();
                            return Future.<Void>succeededFuture();
                        }
                        return Future.failedFuture("the heartbeat entry is not the expected one");
                    })
                    .recover(failure -> read(BEAT + life).compose(found -> {
                        beat = found;
                        return Future.failedFuture(failure);
                    }));
        });
    }

    /** The end of validity is met when it comes, not at the next tick. */
    private void watch() {
        long end = validUntil;
        context.owner().setTimer(Math.max(1, end - clock.getAsLong()), ignored -> {
            if (validUntil == end) {
                loseWhatRanOut();
            }
        });
    }

    private Future<Boolean> obtain(String name, String owner) {
        if (held.containsKey(name)) {
            return Future.succeededFuture(true);
        }
        String own = new TextFields()
                .put(OWNER, owner)
                .put(LIFE, life)
                .put(REQUEST, Long.toString(++requests))
                .text();
        return read(LEASE + name).compose(found -> {
            Future<Boolean> free =
                    found.isEmpty() || isOwn(found) ? Future.succeededFuture(true) : standsStill(lifeOf(found.get()));
            return free.compose(mayTake -> mayTake ? write(name, found, own) : Future.succeededFuture(false));
        });
    }

    private Future<Boolean> write(String name, Optional<String> expected, String own) {
        return replace(LEASE + name, expected, Optional.of(own))
                .onSuccess(written -> {
                    if (written) {
                        doubtful.remove(name);
                    }
                })
                .onFailure(unknown -> doubtful.add(name));
    }

    private boolean isOwn(Optional<String> lease) {
        return lease.isPresent() && lifeOf(lease.get()).equals(life);
    }

    private boolean keep(String name, boolean obtained, Consumer<Throwable> lost) {
        if (obtained && clock.getAsLong() >= validUntil) {
            throw new IllegalStateException("the lease was obtained too late to be relied on");
        }
        if (obtained) {
            held.put(name, lost);
        }
        return obtained;
    }

    private Future<Void> clear(String name) {
        doubtful.add(name);
        return read(LEASE + name)
                .compose(found ->
                        isOwn(found) ? replace(LEASE + name, found, Optional.empty()) : Future.succeededFuture(false))
                .onSuccess(any -> doubtful.remove(name))
                .mapEmpty();
    }

    /**
     * The run that holds the lease. An entry that cannot be parsed counts as one of a run without heartbeats, so it
     * expires.
     */
    private static String lifeOf(String lease) {
        return TextFields.parse(lease).flatMap(fields -> fields.get(LIFE)).orElse(lease);
    }

    /** Whether the heartbeat of another run has stood still for so long that the run has lost its leases. */
    private Future<Boolean> standsStill(String other) {
        return read(BEAT + other).map(found -> {
            long now = awake.getAsLong();
            Sighting before = sightings.get(other);
            // an entry that another run has removed is no heartbeat
            if (before == null || found.isPresent() && !before.beat().equals(found)) {
                sightings.put(other, new Sighting(found, now));
                return false;
            }
            return now >= before.since() + duration * 5 / 4;
        });
    }

    @Override
    public Future<Void> close() {
        return onContext(() -> {
            closed = true;
            if (timer >= 0) {
                context.owner().cancelTimer(timer);
            }
            return Future.join(List.copyOf(last.values()))
                    .otherwiseEmpty()
                    .compose(ended -> replace(BEAT + life, beat, Optional.empty()))
                    .<Void>mapEmpty()
                    .otherwiseEmpty();
        });
    }
}
