package io.shardbus.testkit;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.core.entity.EntityCell;
import io.shardbus.model.StopReason;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.spi.PersistenceStore;
import io.shardbus.persistence.spi.ReminderStore.Reminder;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.persistence.RemindedTypes;
import io.shardbus.runtime.region.RegionHandle;
import io.shardbus.runtime.region.SoloRegion;
import io.shardbus.runtime.reminder.DueReminders;
import io.shardbus.runtime.reminder.EntityDelivery;
import io.shardbus.store.InMemoryRememberedEntities;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One entity of a definition, run as in production but without a cluster: mailbox, restart policy, timers, passivation,
 * codec, transfer of state and checks of answers are the real ones; the time is that of the test. Messages and answers
 * go through the codec as between two nodes. Not for several threads at once; close it.
 *
 * <pre>
 * try (var auction = EntityTestKit.of(definition, "42")) {
 *     auction.ask(new Bid("ann", 5));
 *     auction.advance(Duration.ofMinutes(10));
 *     assertTrue(auction.ask(new Show()).closed());
 * }
 * </pre>
 *
 * <p>An entity sends to others through references that its factory was given: give it those of a {@link TestSharding}.
 * References of {@link io.shardbus.EntityContext#entityRef} lead to further entities of the definition in this kit.
 * Methods wait for code on worker and virtual threads. If the entity waits for a future of its own, the methods return
 * before that future completes, and {@link #awaitQuiet} waits for it. Time passes only by {@link #advance}: timers of
 * {@code EntityContext}, and {@code setTimer} and {@code setPeriodic} of its Vertx, then fire in their order.
 */
public final class EntityTestKit<M> implements AutoCloseable {
    /** Real time for what must happen while manual time stands still. */
    private static final long DEADLINE_SECONDS = 10;

    private static final long TICK = 10;
    /** A longer time passes in coarser ticks. */
    private static final long FINE = Duration.ofMinutes(10).toMillis();

    private static final long COARSE_TICK = 100;
    /** A longer time passes in the coarsest ticks. */
    private static final long LONG = Duration.ofDays(1).toMillis();

    private static final long LONG_TICK = 1_000;
    /** Number of ticks after which the event loop has its turn, and the deadline begins again. */
    private static final int MOMENTS = 100_000;
    /** Rounds of reminders at one moment of the test, where each reminder sets the next one. */
    private static final int MOST_ROUNDS = 100;

    private static final long FOREVER = Long.MAX_VALUE / 2;

    /** The last fencing token, of all kits of this process: a store that outlives a kit has seen its tokens. */
    private static final AtomicLong TOKENS = new AtomicLong();

    private final Vertx vertx;
    private final ManualTime time;
    private final ElapsedClock clock;
    private final EntityDefinition<M> definition;
    private final ShardingOptions options;
    private final String id;
    private final EffectLog log = new EffectLog();
    private final FailingStore store;
    private final LongSupplier wall;
    private SoloRegion<M> region;
    private @Nullable DueReminders reminders;

    private EntityTestKit(
            Function<LongSupplier, EntityDefinition<M>> factory, String id, ShardingOptions options, boolean ownClock) {
        this.vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        this.time = new ManualTime(vertx);
        this.clock = ElapsedClock.manual(time::now);
        this.wall = ownClock ? time::now : presentAnd(time);
        this.id = id;
        this.options = new ShardingOptions(options).setSerializeLocal(true);
        try {
            EntityDefinition<M> given = factory.apply(time::now);
            this.store = new FailingStore(given.rememberedEntitiesStore().orElseGet(InMemoryRememberedEntities::new));
            EntityDefinition<M> heard = log.listenTo(given);
            this.definition = given.isRememberEntities() ? heard.withRememberedEntitiesStore(store) : heard;
            this.region = newRegion();
        } catch (Throwable e) {
            // also checked ones, which a future throws unchecked
            vertx.close();
            throw e;
        }
    }

    /** The present, and later by as much as the test has moved the time. */
    private static LongSupplier presentAnd(ManualTime time) {
        ElapsedClock real = new ElapsedClock();
        long begin = time.now();
        return () -> real.wallMillis() + time.now() - begin;
    }

    /** The entity {@code "test"} of this definition, with the default options of a node. */
    public static <M> EntityTestKit<M> of(EntityDefinition<M> definition) {
        return of(definition, "test");
    }

    /** The entity with this id. */
    public static <M> EntityTestKit<M> of(EntityDefinition<M> definition, String id) {
        return of(definition, id, new ShardingOptions());
    }

    /** The entity with this id on a node with these options. */
    public static <M> EntityTestKit<M> of(EntityDefinition<M> definition, String id, ShardingOptions options) {
        return new EntityTestKit<>(clock -> definition, id, options, false);
    }

    /**
     * The entity {@code "test"} of the definition that the function returns for the test's clock, in milliseconds; for
     * entities that read a clock.
     */
    public static <M> EntityTestKit<M> withClock(Function<LongSupplier, EntityDefinition<M>> definition) {
        return new EntityTestKit<>(definition, "test", new ShardingOptions(), true);
    }

    private SoloRegion<M> newRegion() {
        var next = new SoloRegion<>(definition, options, vertx, time.vertx(), clock, TOKENS);
        await("the region opens", next.open());
        return next;
    }

    /** A reference to the entity, as other code has it; its asks time out by the test's time. */
    public EntityRef<M> ref() {
        return region.handle().entityRef(id);
    }

    /** Sends a message. The entity has handled it when this returns, unless it waits for a future. */
    public void tell(M message) {
        RegionHandle<M> handle = region.handle();
        handle.check(message);
        onLane(() -> handle.entityRef(id).tell(message));
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws ShardingException the failure of the ask, if it fails
     * @throws AssertionError if the entity has not answered after 10 s of real time; to test an ask that times out use
     *     {@link #asking}
     */
    public <R> R ask(Ask<R> message) {
        return await("the entity answers " + message, asking(message));
    }

    /**
     * Asks, without waiting for the answer: the test may go on first. The future fails with TIMED_OUT when {@link
     * #advance} has passed the deadline.
     */
    public <R> Future<R> asking(Ask<R> message) {
        Promise<R> answer = Promise.promise();
        RegionHandle<M> handle = region.handle();
        onLane(() -> handle.entityRef(id).ask(message).onComplete(answer));
        return answer.future();
    }

    /** As {@link #ask}, with a message that is no {@link Ask}. */
    public <R> R request(M message, Class<R> answer) {
        Promise<R> answered = Promise.promise();
        RegionHandle<M> handle = region.handle();
        onLane(() -> handle.entityRef(id)
                .request(message, answer, askTimeout(handle))
                .onComplete(answered));
        return await("the entity answers " + message, answered.future());
    }

    private static Duration askTimeout(RegionHandle<?> handle) {
        return Duration.ofMillis(handle.settings().times().ask());
    }

    /** Starts the entity without a message. */
    public void start() {
        RegionHandle<M> handle = region.handle();
        Promise<Object> started = Promise.promise();
        onLane(() ->
                handle.entityRef(id).start().<Object>map(location -> location).onComplete(started));
        await("the entity starts", started.future());
    }

    /**
     * Delivers the entity's reminders from now on, as {@link io.shardbus.reminder.Reminders} does on a node: {@link
     * #advance} sends the message of each when it is due. Without {@link #withClock} the time begins at the present;
     * with it, the time is that of the test's clock. An entity that sets the next reminder when one is delivered needs
     * {@link #withClock}, and must compute the time of that reminder from the test's clock.
     *
     * @param store the store of the definition
     */
    public void startReminders(PersistenceStore store) {
        String type = definition.type().name();
        RemindedTypes.on(vertx).started(type);
        reminders = new DueReminders(
                type,
                store,
                known -> store.reminders().of(known, id).map(EntityTestKit::inOrder),
                new EntityDelivery<>(
                        definition,
                        entity -> ref(),
                        () -> region.handle().counters().reminderFailed()),
                wall,
                FOREVER,
                () -> {});
    }

    private static List<Reminder> inOrder(List<Reminder> reminders) {
        return reminders.stream()
                .sorted(Comparator.comparingLong(Reminder::due))
                .toList();
    }

    /** Delivers what is due; the time until the next reminder is. */
    private long remind() {
        DueReminders due = reminders;
        if (due == null) {
            return FOREVER;
        }
        for (int i = 0; i < MOST_ROUNDS; i++) {
            long pause = await("reminders are read", fromLane(due::round));
            settle();
            if (!await("the lane answers", fromLane(() -> Future.succeededFuture(due.hasAnswers())))) {
                return pause;
            }
        }
        throw new AssertionError("the entity has set reminders " + MOST_ROUNDS + " times for a time that has passed:"
                + " let it read the test's clock, see EntityTestKit.withClock");
    }

    /**
     * Moves time on: timers fire, asks time out, an idle entity is passivated, a pause after a failure ends, a
     * reminder is due where {@link #startReminders} was called, each at its moment.
     *
     * @throws AssertionError if a handler that was given to {@code Vertx.setTimer} or {@code setPeriodic} throws, with
     *     the exception as its cause; the time then is that of the timer. Also if the entity sets reminders again and
     *     again for a time that has passed
     */
    public void advance(Duration duration) {
        long end = time.now() + duration.toMillis();
        long tick = duration.toMillis() > LONG ? LONG_TICK : duration.toMillis() > FINE ? COARSE_TICK : TICK;
        while (time.now() < end) {
            long until = Math.min(end, time.now() + remind());
            Promise<Void> paused = Promise.promise();
            region.afterwards(() -> {
                try {
                    advanceUntilSomethingHappens(until, tick);
                    paused.complete();
                } catch (RuntimeException | Error e) {
                    paused.fail(new AssertionError("the handler of a timer of the Vertx threw: " + e, e));
                }
            });
            await("time passes", paused.future());
            settle();
        }
        remind();
    }

    private void advanceUntilSomethingHappens(long end, long tick) {
        for (int i = 0; i < MOMENTS && time.now() < end; i++) {
            long next = Math.min(end, time.now() + tick);
            time.set(Math.max(time.now(), Math.min(next, time.nextDue().orElse(next))));
            region.tick();
            if (time.fireOne() || !region.isAtRest() || log.hasNews()) {
                return;
            }
        }
    }

    /** Time until each of the entity's timers fires, the next one first. */
    public List<Duration> timers() {
        return time.waiting();
    }

    /** Passivates the entity, as a limit of active entities does; the next message starts another instance. */
    public void passivate() {
        region.putAway(id);
        await("the entity is passivated", until(() -> region.cell(id).isEmpty()));
        settle();
    }

    /**
     * Moves the entity with its shard to another node, as a rebalance does. The state that it {@linkplain
     * io.shardbus.spi.HandsOver hands over} is sent along, and {@link #counters} show whether it arrived. An entity
     * that was not live, or hands over no state, starts with its next message.
     */
    public void move() {
        await("the shard moves", region.move(id));
        settleIn();
    }

    /** Lets an entity start that starts by itself where its shard has come home. */
    private void settleIn() {
        settle();
        onLane(region::tick);
    }

    /**
     * Ends the instance as a node does for this reason, and starts another one.
     *
     * @param reason SHUTDOWN also ends the region, after which only stored data is left; FAILURE is not allowed: send
     *     the entity a message that makes it fail
     */
    public void restart(StopReason reason) {
        switch (reason) {
            case PASSIVATION -> passivate();
            case HANDOFF -> move();
            case LEASE_LOST -> loseLease();
            case SHUTDOWN -> shutDown();
            case FAILURE -> throw new IllegalArgumentException("send the entity a message that makes it fail");
        }
        start();
    }

    private void loseLease() {
        await("the entity ends", losingLease());
        settleIn();
    }

    /**
     * Ends the lease, as on a node that is cut off. The future completes when the instance has ended; an instance that
     * does not end is stopped by force when {@link #advance} has passed its stop timeout.
     */
    public Future<Void> losingLease() {
        Future<Void> ended = region.loseLease();
        settle();
        return ended;
    }

    private void shutDown() {
        RegionHandle<M> before = region.handle();
        endRegion();
        region = newRegion();
        before.succeededBy(region.handle());
        region.bringHome(id);
        settleIn();
    }

    /** Lets the time pass that code which does not end is given. */
    private void endRegion() {
        Future<Void> ended = region.close();
        settle();
        if (!ended.isComplete()) {
            time.set(time.now() + region.handle().settings().times().stop() + options.getLeaseDurationMs());
        }
        await("the entity ends", ended);
    }

    /**
     * Makes the store of remembered entities fail from now on, until {@link #healStore}; for a definition that
     * remembers its entities.
     */
    public void failStore(Throwable failure) {
        if (!definition.isRememberEntities()) {
            throw new IllegalStateException("the definition remembers no entities, so there is no store");
        }
        store.failWith(failure);
    }

    /**
     * Makes the store of remembered entities work again; pending writes are repeated when their pause has passed, by
     * {@link #advance}.
     */
    public void healStore() {
        store.failWith(null);
    }

    /** Whether an instance of the entity is live. */
    public boolean isLive() {
        settle();
        return await(
                "the lane answers",
                fromLane(() -> Future.succeededFuture(
                        region.cell(id).map(EntityCell::isLive).orElse(false))));
    }

    /** The effects on the entity since the last call, in order. */
    public List<EntityEffect> takeEffects() {
        settle();
        return log.take();
    }

    /**
     * The region's counters so far, such as {@code dead_letters} or {@code handover_taken}, without those that are 0.
     */
    public Map<String, Long> counters() {
        settle();
        return region.handle().counters().snapshot();
    }

    /** Waits, in real time, until the entity handles no message and no message waits for it. */
    public void awaitQuiet() {
        await(
                "the entity is quiet",
                until(() -> region.isAtRest()
                        && region.cell(id).map(EntityCell::isQuiet).orElse(true)));
    }

    /** The result of a task on the lane's event loop, which runs after the tasks that wait there. */
    private <T> Future<T> fromLane(Supplier<Future<T>> task) {
        Promise<T> result = Promise.promise();
        region.afterwards(() -> task.get().onComplete(result));
        return result.future();
    }

    /** Runs the task on the lane, and then the tasks that it has caused. */
    private void onLane(Runnable task) {
        Promise<Void> done = Promise.promise();
        region.afterwards(() -> {
            try {
                task.run();
                done.complete();
            } catch (RuntimeException e) {
                done.fail(e);
            }
        });
        await("the lane runs a task", done.future());
        settle();
    }

    /**
     * Waits until the lane is at rest, twice in a row as what ran between may have given it more, and no code is on a
     * thread.
     */
    private void settle() {
        int[] atRest = new int[1];
        await("code of the entity returns", until(() -> {
            atRest[0] = region.isAtRest() && !isOnThread() ? atRest[0] + 1 : 0;
            return atRest[0] >= 2;
        }));
    }

    private boolean isOnThread() {
        return region.cell(id).map(cell -> cell.code().occupiesThread()).orElse(false);
    }

    /** Completes when the condition holds, which is looked at on the lane again and again. */
    private Future<Void> until(BooleanSupplier condition) {
        Promise<Void> held = Promise.promise();
        look(condition, held, region);
        return held.future();
    }

    private void look(BooleanSupplier condition, Promise<Void> held, SoloRegion<M> of) {
        of.afterwards(() -> {
            if (condition.getAsBoolean()) {
                held.tryComplete();
            } else if (!held.future().isComplete()) {
                vertx.setTimer(1, timer -> look(condition, held, of));
            }
        });
    }

    private static <T> T await(String what, Future<T> future) {
        try {
            return future.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not in " + DEADLINE_SECONDS + " s of real time: " + what, e);
        }
    }

    @Override
    public void close() {
        try {
            endRegion();
        } finally {
            await("Vert.x closes", vertx.close());
        }
    }
}
