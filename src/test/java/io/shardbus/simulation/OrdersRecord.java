package io.shardbus.simulation;

import io.shardbus.core.control.OrderCommand;
import io.shardbus.core.control.StandingOrders;
import io.shardbus.core.control.WrittenOrders;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The record of standing orders: one for the side that may use the store. A write reads the record, and replaces it if
 * it is still the same a moment later, also when its node has died meanwhile. Where the options say so some operations
 * take long, some fail and some never answer; a write that fails may have taken hold, and one that does not answer may
 * take hold when the node has long given it up.
 */
final class OrdersRecord {
    private static final int TRIES = 5;
    private static final long REFUSED_AFTER = 350;
    private static final int SLOW_PERCENT = 6;
    private static final int LONGEST = 2_500;
    private static final int FAIL_PERCENT = 8;
    /** In every third seed. */
    private static final int HANG_PERCENT = 25;
    /** Most writes that hang take hold when the node has given them up. */
    private static final int SHORTEST_HANG = 8_000;

    private static final int LONGEST_HANG = 14_000;
    /** A write reads, and hangs, and reads again and writes, each with its delay, and its last try stalls. */
    static final long LATEST = LONGEST_HANG + 3 * LONGEST;

    private static final long NEVER = -1;

    /** Hears how a write ended. */
    interface Outcome {
        void written(StandingOrders before, WrittenOrders now);

        void failed(boolean superseded);
    }

    private static final Outcome UNHEARD = new Outcome() {
        @Override
        public void written(StandingOrders before, WrittenOrders now) {}

        @Override
        public void failed(boolean superseded) {}
    };

    private final Simulation world;
    private final SplittableRandom dice;
    /** Which operations do not answer. */
    private final SplittableRandom hangs;

    private WrittenOrders written = WrittenOrders.NONE;
    /** Counts what was written. */
    private long version;

    private long calmSince = NEVER;
    private @Nullable NodeId stalled;
    private long stalledFor;

    OrdersRecord(Simulation world) {
        this.world = world;
        this.dice = world.dice("orders");
        this.hangs = world.dice("orders that hang");
    }

    StandingOrders stand() {
        return written.orders();
    }

    /** From now on operations are quick and do not fail. */
    void calm() {
        calmSince = world.scheduler().now();
    }

    /** Whether a write that began before the calm may still take hold, also one of a node that has died. */
    boolean mayStillChange() {
        return world.options().ordersFail
                && (calmSince == NEVER || world.scheduler().now() < calmSince + LATEST);
    }

    /** The next write of a node takes so long, once it has read the record. */
    void stallWrite(NodeId of, long millis) {
        stalled = of;
        stalledFor = millis;
    }

    private long delayOfWrite(SimNode node) {
        if (!node.id.equals(stalled)) {
            return delay();
        }
        stalled = null;
        return stalledFor;
    }

    private boolean fails() {
        return world.options().ordersFail && calmSince == NEVER;
    }

    private long delay() {
        long usual = Network.delay(dice);
        return fails() && dice.nextInt(100) < SLOW_PERCENT ? usual + dice.nextInt(LONGEST) : usual;
    }

    /** Whether no order was ever written: what no operator asks for costs a simulated run nothing. */
    boolean isUntouchedFor(SimNode node) {
        return version == 0 && !fails() && world.membership().mayUseStore(node.id);
    }

    private boolean hangs() {
        return world.options().seed % 3 == 0 && fails() && hangs.nextInt(100) < HANG_PERCENT;
    }

    void read(SimNode node, Consumer<WrittenOrders> completed, Runnable failed) {
        if (hangs()) {
            return;
        }
        world.scheduler().after(delay(), () -> {
            WrittenOrders found = written;
            if (!world.membership().mayUseStore(node.id) || fails() && dice.nextInt(100) < FAIL_PERCENT) {
                answer(node, REFUSED_AFTER, failed);
            } else {
                answer(node, delay(), () -> completed.accept(found));
            }
        });
    }

    void update(SimNode node, OrderCommand.Write wanted, Outcome outcome) {
        update(node, wanted, outcome, TRIES);
    }

    private void update(SimNode node, OrderCommand.Write wanted, Outcome outcome, int tries) {
        world.scheduler().after(delay(), () -> {
            WrittenOrders found = written;
            long expected = version;
            TermId writer = wanted.term();
            WrittenOrders next = found.after(writer, wanted.change()).orElse(wanted.renews() ? found : null);
            if (!world.membership().mayUseStore(node.id) || tries == 0) {
                answer(node, REFUSED_AFTER, () -> outcome.failed(false));
            } else if (!found.yieldsTo(writer)) {
                answer(node, delay(), () -> outcome.failed(true));
            } else if (next == null) {
                answer(node, delay(), () -> outcome.written(found.orders(), found));
            } else {
                boolean hung = hangs();
                long hanging = hung ? hangs.nextInt(SHORTEST_HANG, LONGEST_HANG) : 0;
                Outcome heard = hung && hangs.nextBoolean() ? UNHEARD : outcome;
                world.scheduler().after(delayOfWrite(node) + hanging, () -> {
                    if (!replace(node, expected, found.orders(), next, heard)) {
                        update(node, wanted, heard, tries - 1);
                    }
                });
            }
        });
    }

    /** False if another writer was quicker. */
    private boolean replace(SimNode node, long expected, StandingOrders before, WrittenOrders next, Outcome outcome) {
        boolean fails = fails() && dice.nextInt(100) < FAIL_PERCENT;
        if (fails && dice.nextBoolean()) {
            answer(node, REFUSED_AFTER, () -> outcome.failed(false));
            return true;
        }
        if (version != expected) {
            return false;
        }
        written = next;
        version++;
        world.timeline().add(node, "writes orders", next);
        world.givenOrders().hold(next.orders());
        if (fails) {
            answer(node, REFUSED_AFTER, () -> outcome.failed(false));
        } else {
            answer(node, delay(), () -> outcome.written(before, next));
        }
        return true;
    }

    private void answer(SimNode node, long delay, Runnable outcome) {
        world.scheduler().after(delay, () -> node.onControl(0, outcome));
    }
}
