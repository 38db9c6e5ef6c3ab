package io.shardbus.runtime.region;

import io.netty.util.internal.PlatformDependent;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.routing.Lane;
import io.shardbus.logging.LogPace;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.EntityLane;
import io.shardbus.runtime.entity.LanePart;
import io.shardbus.runtime.entity.LaneTask;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way onto a lane: tasks from any thread, in the order of each thread, one wake-up for a burst. A task that the
 * lane's own code adds runs at once.
 */
public final class LaneQueue implements EntityLane {
    private static final Logger LOG = LoggerFactory.getLogger(LaneQueue.class);
    private static final int BURST = 1024;
    /** Milliseconds without a burst after which the lane is behind: its ticks begin a burst every 10 ms. */
    private static final long LATE = 100;

    /** Places of the queue for tasks of the region itself, beside those for messages of users. */
    private static final int OWN_TASKS = 16;

    /** If the machine is suspended in a burst, fewer messages than this begin before it is noticed. */
    private static final int WALL_CLOCK_EVERY = 64;

    private final Context context;
    private final ElapsedClock clock;
    private final Queue<LaneTask> tasks = PlatformDependent.newMpscQueue();
    private final AtomicBoolean woken = new AtomicBoolean();
    /** Number of tasks that were run, written after each: a thread that reads it sees the asks that they added. */
    private final AtomicLong progress = new AtomicLong();

    private volatile long burstFrom;
    private final Lane lane;
    private final RegionHandle<?> region;
    private final int most;
    private final Runnable drained;
    private final @Nullable LaneLatency latency;
    private final LogPace pace;
    private final Map<Object, LanePart> parts = new HashMap<>();
    private final LaneWire wire = new LaneWire();
    private final OutsideCallers outside;

    private final CallerAnswers answers;
    /** The thread that works on the lane at this moment; null between two bursts. */
    private volatile Thread worker = IDLE;

    private static final Thread IDLE = new Thread("idle lane");
    private long now;
    private int readings;
    private long tasksRun;
    /** Whether senders are to wait. */
    private volatile boolean full;

    /**
     * @param most messages that may wait here
     * @param drained called on the lane when senders need no longer wait
     */
    LaneQueue(Context context, ElapsedClock clock, Lane lane, RegionHandle<?> region, int most, Runnable drained) {
        this.region = region;
        this.context = context;
        this.clock = clock;
        this.lane = lane;
        this.most = most;
        this.drained = drained;
        this.burstFrom = clock.now();
        this.pace = new LogPace(clock::now);
        this.outside = new OutsideCallers(region.type().name(), clock, (ContextInternal) context);
        this.answers = new CallerAnswers(outside);
        this.latency = region.newLatency(burstFrom);
    }

    @Override
    public void execute(LaneTask task) {
        if (isLane() && tasks.isEmpty()) {
            run(task);
            return;
        }
        tasks.add(task);
        if (!isLane()) {
            wake();
        }
    }

    @Override
    public void executeNow(LaneTask task) {
        if (isLane()) {
            run(task);
        } else {
            execute(task);
        }
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public @Nullable LaneLatency latency() {
        return latency;
    }

    @Override
    public int micros() {
        return clock.micros();
    }

    @Override
    public long microsSince(int reading) {
        return clock.microsSince(reading);
    }

    /** The begin of the present burst, in elapsed milliseconds; on the lane. */
    long now() {
        return now;
    }

    /** Time passed; on the lane. */
    void tick(Lane ticking, long moment) {
        ticking.tick(moment);
        if (latency != null) {
            latency.tick(moment, clock.wallMillis());
        }
    }

    @Override
    public void afterwards(Runnable task) {
        context.runOnContext(ignored -> task.run());
    }

    /** As {@link #execute}, for what a user sends; false when too much waits already. */
    boolean send(LaneTask task) {
        int waiting = tasks.size();
        if (waiting >= most / 10 && waiting > 0) {
            // before the task is there, so that the burst that runs it sees this
            full = true;
            if (waiting >= most + OWN_TASKS) {
                return false;
            }
        }
        execute(task);
        return true;
    }

    /**
     * Fails asks whose deadlines have passed if the lane does not come to them itself: its thread is blocked, or it has
     * more in its queue than a burst takes. Also fails asks past their deadlines that wait behind a handler of their
     * caller. On the one thread that looks after blocked lanes.
     */
    void expireIfBehind() {
        long present = clock.now();
        outside.giveLate(present);
        if (present - burstFrom < LATE && tasks.size() <= BURST) {
            return;
        }
        for (LaneTask task : tasks) {
            if (task instanceof FutureAsk ask) {
                ask.expire(present);
            }
        }
        if (progress.get() > 0) {
            lane.forEachAsk(ask -> {
                if (ask instanceof FutureAsk mine) {
                    mine.expire(present);
                }
            });
        }
        answers.flush();
        if (present - burstFrom >= LATE) {
            outside.handOver();
        }
    }

    /** Whether nothing waits here and no burst is about to begin; on the lane's context. */
    boolean isAtRest() {
        return tasks.isEmpty() && !woken.get();
    }

    /** Whether so much waits that senders should. */
    boolean isFull() {
        return full;
    }

    RegionHandle<?> region() {
        return region;
    }

    /** On the lane. */
    LaneWire wire() {
        return wire;
    }

    OutsideCallers outside() {
        return outside;
    }

    CallerAnswers answers() {
        return answers;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends LanePart> T part(Object key, Supplier<T> make) {
        return (T) parts.computeIfAbsent(key, absent -> make.get());
    }

    /** Ends what the entities of the lane shared; on the lane's event loop. */
    Future<Void> closeParts() {
        List<Future<Void>> closing =
                parts.values().stream().map(LanePart::close).toList();
        parts.clear();
        return Future.join(closing).mapEmpty();
    }

    @Override
    public long stay() {
        return lane.stay();
    }

    /**
     * Elapsed milliseconds, read now. The wall clock, which alone shows a suspended machine, is looked at less often;
     * on the lane.
     */
    long readClock() {
        readings++;
        return readings % WALL_CLOCK_EVERY == 0 ? clock.now() : clock.withoutWall();
    }

    @Override
    public long wallMillis() {
        return clock.wallMillis();
    }

    @Override
    public boolean isLane() {
        return worker == Thread.currentThread();
    }

    private void wake() {
        if (!woken.get() && woken.compareAndSet(false, true)) {
            context.runOnContext(ignored -> drain());
        }
    }

    private void drain() {
        woken.set(false);
        burst(null);
    }

    /** Runs a task and what waits; on the lane's context only. */
    void burst(@Nullable LaneTask first) {
        worker = Thread.currentThread();
        now = clock.now();
        burstFrom = now;
        lane.at(now);
        boolean more = false;
        try {
            if (first != null) {
                run(first);
            }
            runWaiting();
            more = flush();
            if (answers.giveOwn()) {
                more |= flush() || answers.hasOwn();
            }
        } finally {
            worker = IDLE;
            answers.flush();
        }
        outside.give();
        if (full && tasks.size() <= most / 20) {
            full = false;
            drained.run();
        }
        if (more || !tasks.isEmpty()) {
            wake();
        }
    }

    /** After a fault the next tick's burst goes on. */
    private boolean flush() {
        try {
            return lane.flush(now);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            fault(e);
            return false;
        }
    }

    private void runWaiting() {
        for (int i = 0; i < BURST; i++) {
            LaneTask task = tasks.poll();
            if (task == null) {
                return;
            }
            run(task);
        }
    }

    /** The process may have been frozen since the task before, in which the lane may have read the clock. */
    private void run(LaneTask task) {
        lane.at(now);
        try {
            task.run(lane, now);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            fault(e);
        }
        progress.lazySet(++tasksRun);
    }

    /** A task of the lane has thrown: the exception is logged, and the lane goes on. On the lane. */
    void fault(Throwable fault) {
        if (pace.admits()) {
            String type = region.type().name();
            LOG.error("type={}: a task of a lane threw; the lane continues{}", type, pace.note(), fault);
        }
    }
}
