package io.shardbus.simulation.stored;

import io.shardbus.EntityDefinition;
import io.shardbus.model.FencingToken;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.Retention;
import io.shardbus.simulation.Violation;
import io.shardbus.simulation.Violation.Kind;
import io.shardbus.simulation.time.Scheduler;
import io.shardbus.simulation.time.Timeline;
import io.shardbus.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Processes with persistent entities, a store, senders and faults, all from a seed. Homes are given without regard to
 * leases and clocks: processes that have lost their shards go on, and only the store keeps them from storing.
 */
public final class StoredWorld {
    static final long EPOCH = 1_700_000_000_000L;
    static final long STOP_TIMEOUT = 2_000;
    private static final int PROCESSES = 3;
    private static final long FAULTS_UNTIL = 12_000;
    private static final long STEP = 50;
    private static final long CALM_BY = 90_000;
    /** Commands of one entity that may be under way, by seed. */
    private static final List<Integer> WINDOWS = List.of(16, 3, 16, 1);
    /** With this the expected lines of a run stay out of the logs. */
    private static final String QUIET = "simulated";

    private final Scheduler scheduler = new Scheduler();
    private final Timeline timeline;
    private final Random dice;
    private final Random bursts;
    private final int shards;
    private final SimulatedStore store;
    private final Truth truth;
    private final EntityDefinition<Tally.Command> definition;
    private final List<StoredProcess> processes = new ArrayList<>();
    private final List<Home> homes = new ArrayList<>();
    private final StoredSenders senders;
    private final StoredFaults faults;
    private final @Nullable Followers followers;
    private final @Nullable Alarms alarms;
    private long tokens;
    private int started;
    private @Nullable Violation violation;

    /** Newest home of a shard. */
    record Home(int process, FencingToken token) {}

    /** What a world may have beside commands. */
    public enum Extra {
        /** A projection and a reaction follow the events. */
        FOLLOWED,
        /** Entities are erased from outside. */
        ERASED,
        /** Entities set reminders, and a worker delivers them. */
        REMINDED,
        /** Entities store their states as a whole. */
        SAVED
    }

    public StoredWorld(long seed, Set<Extra> extras, boolean digesting) {
        this.timeline = new Timeline(scheduler, digesting);
        Random seeds = new Random(seed * 0x9E3779B97F4A7C15L + 17);
        this.dice = new Random(seeds.nextLong());
        this.shards = 1 + dice.nextInt(3);
        this.truth = new Truth(this);
        this.store = new SimulatedStore(MemoryStore.create(), this::after, new Random(seeds.nextLong()), truth);
        Retention retention = dice.nextInt(3) == 0 ? Retention.all() : Retention.afterSnapshots(dice.nextInt(3));
        EventSourced<Tally.Command, Tally.Noted, Tally.State> type = Tally.type(1 + dice.nextInt(6), retention, truth)
                .withCommitWindow(WINDOWS.get(Math.floorMod(seed, WINDOWS.size())));
        this.definition = extras.contains(Extra.SAVED) ? SavedTally.type(truth).on(store) : type.on(store);
        this.senders = new StoredSenders(this, new Random(seeds.nextLong()), extras);
        this.faults = new StoredFaults(this, new Random(seeds.nextLong()));
        this.followers =
                extras.contains(Extra.FOLLOWED) ? new Followers(this, type, new Random(seeds.nextLong())) : null;
        this.alarms = extras.contains(Extra.REMINDED) ? new Alarms(this, new Random(seeds.nextLong())) : null;
        this.bursts = new Random(seeds.nextLong());
    }

    /**
     * Runs the seed to its end.
     *
     * @return the digest of all events, where it is wanted
     * @throws Violation the first promise that was broken
     */
    public long run() {
        MDC.put(QUIET, "yes");
        try {
            begin();
            runUntil(FAULTS_UNTIL);
            faults.end();
            calmDown();
            return timeline.digest();
        } finally {
            MDC.remove(QUIET);
        }
    }

    private void begin() {
        store.weather().rough();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(newProcess());
        }
        for (int shard = 0; shard < shards; shard++) {
            homes.add(new Home(0, FencingToken.NONE));
            give(shard, dice.nextInt(PROCESSES));
        }
        if (followers != null) {
            followers.begin();
        }
        if (alarms != null) {
            alarms.begin();
        }
        senders.begin(FAULTS_UNTIL);
        faults.begin(FAULTS_UNTIL);
    }

    /** All that is to be answered is; then other homes read all entities, and store once more. */
    private void calmDown() {
        runUntilDone("answers");
        for (int shard = 0; shard < shards; shard++) {
            give(shard, (home(shard).process() + 1) % PROCESSES);
        }
        senders.last();
        runUntilDone("last answers");
    }

    private void runUntilDone(String what) {
        while (!senders.isDone()
                || !followers().map(Followers::isDone).orElse(true)
                || !alarms().map(Alarms::isDone).orElse(true)) {
            mustHold(now() < CALM_BY, Kind.UNREST, () -> what + " that do not come: " + senders.open());
            runUntil(now() + STEP);
        }
    }

    private void runUntil(long end) {
        try {
            while (now() < end && violation == null) {
                scheduler.runUntil(Math.min(end, now() + STEP));
            }
        } catch (RuntimeException | Error failure) {
            if (violation == null) {
                broken(
                        Kind.EXCEPTION,
                        failure + " at " + List.of(failure.getStackTrace()).subList(0, 12));
            }
        }
        if (violation != null) {
            throw violation;
        }
    }

    long now() {
        return scheduler.now();
    }

    void after(long millis, Runnable task) {
        scheduler.after(millis, task);
    }

    int shards() {
        return shards;
    }

    SimulatedStore store() {
        return store;
    }

    Truth truth() {
        return truth;
    }

    Optional<Followers> followers() {
        return Optional.ofNullable(followers);
    }

    Optional<Alarms> alarms() {
        return Optional.ofNullable(alarms);
    }

    Home home(int shard) {
        return homes.get(shard);
    }

    StoredProcess process(int number) {
        return processes.get(number);
    }

    int processes() {
        return PROCESSES;
    }

    StoredProcess newProcess() {
        return new StoredProcess(this, "p" + ++started, definition);
    }

    /** Another process takes the place of one that is gone, with the shards that no other has got. */
    void replace(int number) {
        if (!processes.get(number).isDead()) {
            return;
        }
        processes.set(number, newProcess());
        turn(processes.get(number).id, "starts", "");
        for (int shard = 0; shard < shards; shard++) {
            if (home(shard).process() == number) {
                give(shard, number);
            }
        }
    }

    FencingToken nextToken() {
        return new FencingToken(1, 1, ++tokens);
    }

    /** The shard is at home there from now on; its former home is not asked. */
    void give(int shard, int number) {
        FencingToken token = nextToken();
        homes.set(shard, new Home(number, token));
        truth.given(shard, token);
        StoredProcess process = processes.get(number);
        turn(process.id, "is home", shard + " " + token);
        process.host(shard, token);
    }

    /** The shard has left the home with this token, as was wanted. */
    void moved(int shard, FencingToken token) {
        if (home(shard).token().equals(token)) {
            give(shard, (home(shard).process() + 1 + dice.nextInt(PROCESSES - 1)) % PROCESSES);
        }
    }

    /** An entity acts after a command, on the lane of its process. */
    void acted() {
        for (int number = 0; number < PROCESSES; number++) {
            if (processes.get(number).isLane() && now() < FAULTS_UNTIL) {
                senders.act(number);
            }
        }
    }

    /** Whether other work waits on a lane as a burst begins. */
    boolean isLaneBusy() {
        return bursts.nextInt(4) == 0;
    }

    void note(Object who, String what, Object detail) {
        timeline.add(who, what, detail);
    }

    void turn(Object who, String what, Object detail) {
        timeline.turn(who, what, detail);
    }

    void mustHold(boolean holds, Kind kind, Supplier<String> text) {
        if (!holds) {
            broken(kind, text.get());
        }
    }

    /** The first one counts; it is thrown when the code under way has returned, as that may catch it. */
    void broken(Kind kind, String text) {
        if (violation == null) {
            violation = new Violation(kind, text + "\n" + timeline.tail());
        }
    }

    /** What the run did, to see that it does something. */
    String summary() {
        return truth.appends + " batches, " + truth.recoveries + " recoveries, " + truth.snapshots + " snapshots, "
                + senders.summary() + ", " + now() + " ms";
    }
}
