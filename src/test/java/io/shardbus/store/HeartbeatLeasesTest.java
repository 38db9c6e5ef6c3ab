package io.shardbus.store;

import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.contract.LeaseProviderContract;
import io.shardbus.spi.LeaseProvider;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leases on entries in memory, on a clock that the test moves. */
class HeartbeatLeasesTest extends LeaseProviderContract {
    private static final long DURATION = 200;

    private final Vertx vertx = Vertx.vertx();
    private final InMemoryRecordStore memory = new InMemoryRecordStore();
    private final Faulty entries = new Faulty();
    private final AtomicLong clock = new AtomicLong();
    private final List<LeaseProvider> lives = Stream.of("a", "b", "c")
            .<LeaseProvider>map(life -> new HeartbeatLeases(
                    vertx, life.equals("a") ? entries : memory, life, DURATION, clock::get, clock::get))
            .toList();

    /** What the first life sees of the memory. */
    private final class Faulty implements RecordStore {
        volatile boolean cut;
        volatile boolean mute;
        volatile boolean broken;
        /** Keeps the answers to signs of life; null: they are given at once. */
        volatile @Nullable List<Runnable> lateBeats;

        final List<String> attempts = new CopyOnWriteArrayList<>();

        @Override
        public Future<@Nullable String> read(String key) {
            if (broken) {
                throw new IllegalStateException("broken");
            }
            return cut ? Future.failedFuture("cut") : memory.read(key);
        }

        @Override
        public Future<Boolean> replace(String key, @Nullable String expected, @Nullable String next) {
            attempts.add(key);
            if (broken) {
                throw new IllegalStateException("broken");
            }
            if (cut) {
                return Future.failedFuture("cut");
            }
            Future<Boolean> written = memory.replace(key, expected, next);
            List<Runnable> late = lateBeats;
            if (late != null && key.startsWith("lease-beat/")) {
                Promise<Boolean> answer = Promise.promise();
                late.add(() -> written.onComplete(answer));
                return answer.future();
            }
            return mute ? Future.failedFuture("the answer is lost") : written;
        }
    }

    @AfterEach
    void close() {
        await(vertx.close());
    }

    @Override
    protected List<LeaseProvider> lives() {
        return lives;
    }

    @Test
    void aLeaseWithoutASignOfLifeIsLost() {
        assertTrue(acquire(lease(0)));
        entries.cut = true;
        clock.addAndGet(DURATION - 1);
        assertEquals(List.of(), losses);
        clock.addAndGet(1);
        until("the loss is told", () -> losses.size() == 1);
    }

    @Test
    void anotherTakesALeaseThatIsNoLongerHeld() {
        assertTrue(acquire(lease(0)));
        entries.cut = true;
        assertFalse(acquire(lease(1)));
        clock.addAndGet(DURATION * 5 / 4 - 1);
        assertFalse(acquire(lease(1)), "the first may hold it still, by a slower clock");
        clock.addAndGet(1);
        assertTrue(acquire(lease(1)));
        entries.cut = false;
        assertFalse(acquire(lease(0)));
    }

    @Test
    void theSignsOfADeadHolderGoLongAfterItsLease() {
        assertTrue(acquire(lease(0)));
        entries.cut = true;
        assertFalse(acquire(lease(1)));
        clock.addAndGet(DURATION * 5 / 4);
        assertTrue(acquire(lease(1)));
        assertNotNull(await(memory.read("lease-beat/a")), "others may have to see for how long it stands still");
        clock.addAndGet(10 * DURATION);
        until("it is gone", () -> await(memory.read("lease-beat/a")) == null);
        entries.cut = false;
        ShardLease another = lives.get(0).lease("another", "host-0:1");
        until(
                "a holder that was only frozen goes on",
                () -> await(another.acquire(losses::add).otherwise(false)));
    }

    @Test
    void aStoreThatThrowsHoldsUpNoLaterRequest() {
        entries.broken = true;
        assertThrows(Throwable.class, () -> acquire(lease(0)));
        entries.broken = false;
        assertTrue(acquire(lease(0)));
    }

    @Test
    void noOtherTakesItFromALiveHolder() {
        assertTrue(acquire(lease(0)));
        assertFalse(acquire(lease(1)));
        for (int i = 0; i < 20; i++) {
            String before = await(memory.read("lease-beat/a"));
            until("a sign of life", () -> !before.equals(await(memory.read("lease-beat/a"))));
            // the holder may not have heard yet that this one was written: the one before must last
            clock.addAndGet(DURATION / 4);
            assertFalse(acquire(lease(1)));
        }
        assertEquals(List.of(), losses);
    }

    @Test
    void anUnknownOutcomeIsNoLeaseAndIsClearedUp() {
        ShardLease other = lives.get(0).lease("warm", "host-0:1");
        assertTrue(acquire(other));
        entries.mute = true;
        assertThrows(Throwable.class, () -> acquire(lease(0)));
        entries.mute = false;
        until("what may have been written is gone", () -> acquire(lease(1)));
    }

    private long attempts(String key) {
        return entries.attempts.stream().filter(key::equals).count();
    }

    @Test
    void whatCouldNotBeClearedIsLeftAloneUntilSignsOfLifeAreWrittenAgain() {
        ShardLease held = lives.get(0).lease("given-back", "host-0:1");
        assertTrue(acquire(held));
        entries.cut = true;
        clock.addAndGet(DURATION);
        assertThrows(Throwable.class, () -> await(held.release()));
        long before = attempts("lease/given-back");
        long beats = attempts("lease-beat/a");
        until("signs of life were tried", () -> attempts("lease-beat/a") > beats + 3);
        assertEquals(before, attempts("lease/given-back"));
        entries.cut = false;
        until("it is gone", () -> await(memory.read("lease/given-back")) == null);
    }

    @Test
    void theLateAnswerToASignOfLifeDoesNotBringBackALease() {
        assertTrue(acquire(lease(0)));
        List<Runnable> late = new CopyOnWriteArrayList<>();
        clock.addAndGet(DURATION - 10);
        entries.lateBeats = late;
        until("a sign of life is under way", () -> !late.isEmpty());
        clock.addAndGet(20);
        late.get(0).run();
        until("the loss is told", () -> losses.size() == 1);
    }

    @Test
    void aTakeoverThatWasDecidedBeforeTheHolderCameBackFails() {
        assertTrue(acquire(lease(0)));
        String first = await(memory.read("lease/" + name));
        entries.cut = true;
        clock.addAndGet(DURATION);
        until("the loss is told", () -> losses.size() == 1);
        entries.cut = false;
        assertTrue(acquire(lease(0)));
        assertFalse(
                await(memory.replace("lease/" + name, first, "of another")),
                "a takeover that was decided before the holder came back");
        assertEquals(1, losses.size());
    }

    @Test
    void aReleaseThatTakesEffectLateTakesNothingFromTheNextRequest() {
        assertTrue(acquire(lease(0)));
        String first = await(memory.read("lease/" + name));
        await(lease(0).release());
        assertTrue(acquire(lease(0)));
        assertFalse(await(memory.replace("lease/" + name, first, null)));
        assertFalse(acquire(lease(1)));
    }

    @Test
    void whoseClockIsSetAheadTakesNothingFromWhoLives() {
        AtomicLong wall = new AtomicLong();
        LeaseProvider ahead =
                new HeartbeatLeases(vertx, memory, "d", DURATION, () -> clock.get() + wall.get(), clock::get);
        ShardLease wanted = ahead.lease("cluster-shard-type-0", "host-3:1");
        ShardLease held = lives.get(0).lease("cluster-shard-type-0", "host-0:1");
        assertTrue(acquire(held));
        entries.cut = true;
        assertFalse(acquire(wanted));
        wall.addAndGet(3_600_000);
        assertFalse(acquire(wanted), "the first holds it still");
        clock.addAndGet(DURATION * 5 / 4);
        assertTrue(acquire(wanted));
    }
}
