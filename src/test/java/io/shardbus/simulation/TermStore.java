package io.shardbus.simulation;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one term record, with a replica on each member: reads and comparisons happen on the primary, a write that
 * succeeds is on all. Operations reach it in some order, their outcomes come back late or not at all. Writes stand
 * still while a member of the view does not answer, as those of a replicated cache do. One of unknown outcome took
 * hold, did not, does later, or did on some of the replicas only.
 */
final class TermStore {
    private static final long TIMEOUT = 700;

    private final Simulation world;
    private final SplittableRandom dice;
    private final Map<NodeId, TermRecord> replicas = new HashMap<>();
    private long slowUntil;
    private int slowness;
    private @Nullable NodeId unwritten;
    private long unwrittenUntil;
    private @Nullable NodeId unheard;
    private long unheardUntil;
    private long late;

    TermStore(Simulation world) {
        this.world = world;
        this.dice = world.dice("store");
    }

    /** Every operation takes up to so much longer for a while. */
    void slow(int millis, long until) {
        slowness = millis;
        slowUntil = until;
    }

    private long delay() {
        long usual = Network.delay(dice);
        return world.scheduler().now() < slowUntil ? usual + dice.nextInt(slowness) : usual;
    }

    /** A member has the state of another from now on. */
    void copy(@Nullable NodeId from, NodeId to) {
        TermRecord record = replicas.get(from);
        replicas.remove(to);
        if (record != null) {
            put(to, record);
        }
    }

    /** The member sees what its own replica shows, sooner or later. */
    private void put(NodeId member, TermRecord record) {
        replicas.put(member, record);
        SimNode node = world.node(member);
        if (node != null) {
            world.scheduler().after(delay(), () -> node.onControl(0, () -> node.control.sighted(record)));
        }
    }

    boolean hasRecord(@Nullable NodeId replica) {
        return replicas.get(replica) != null;
    }

    /** What a node writes does not take hold until then, and it is never told so. */
    void loseWrites(NodeId of, long until) {
        unwritten = of;
        unwrittenUntil = until;
    }

    /** A node hears of its writes so much later for a while. */
    void answerLate(NodeId of, long by, long until) {
        unheard = of;
        unheardUntil = until;
        late = by;
    }

    private long lateness(SimNode node) {
        return node.id.equals(unheard) && world.scheduler().now() < unheardUntil ? late : 0;
    }

    private boolean losesWrites(SimNode node) {
        return node.id.equals(unwritten) && world.scheduler().now() < unwrittenUntil;
    }

    private boolean refuses(SimNode node) {
        return world.options().storeRefusesFirst && node.id.equals(new NodeId("n1"));
    }

    void read(SimNode node, Consumer<@Nullable TermRecord> completed, Runnable failed) {
        world.scheduler().after(delay(), () -> {
            NodeId primary = world.membership().primary(node.id);
            if (refuses(node) || !world.membership().mayUseStore(node.id) || !answers(primary, node)) {
                answer(node, TIMEOUT / 2, failed);
                return;
            }
            TermRecord found = replicas.get(primary);
            answer(node, delay(), () -> completed.accept(found));
        });
    }

    private boolean answers(@Nullable NodeId primary, SimNode asker) {
        SimNode found = primary == null ? null : world.node(primary);
        return found != null && !found.isSilent() && world.network().areConnected(primary, asker.id);
    }

    void replace(SimNode node, ElectionCommand.Replace write) {
        world.rules().writes(node, write);
        attempt(node, write, world.scheduler().now() + TIMEOUT, delay());
    }

    private void attempt(SimNode node, ElectionCommand.Replace write, long deadline, long delay) {
        world.scheduler().after(delay, () -> {
            if (refuses(node) || losesWrites(node)) {
                answer(node, TIMEOUT, () -> node.control.replaceCompleted(write.operation(), Outcome.UNKNOWN));
            } else if (world.membership().writesStall(node.id)
                    && world.scheduler().now() < deadline) {
                attempt(node, write, deadline, 10);
            } else if (!world.membership().mayUseStore(node.id)
                    || world.membership().writesStall(node.id)) {
                tell(node, write, Outcome.UNKNOWN);
            } else if (dice.nextInt(100) < world.options().unknownPercent) {
                tell(node, write, Outcome.UNKNOWN);
                leaveUnknown(node, write);
            } else {
                tell(node, write, apply(node, write, List.of()) ? Outcome.WRITTEN : Outcome.UNEQUAL);
            }
        });
    }

    private void leaveUnknown(SimNode node, ElectionCommand.Replace write) {
        switch (dice.nextInt(4)) {
            case 0 -> apply(node, write, List.of());
            case 1 -> applyLate(node, write);
            case 2 ->
                apply(
                        node,
                        write,
                        world.membership().replicas(node.id).stream()
                                .filter(member -> dice.nextBoolean())
                                .toList());
            default -> {
                // it never took hold
            }
        }
    }

    private void applyLate(SimNode node, ElectionCommand.Replace write) {
        world.scheduler().after(100 + dice.nextInt(4_000), () -> {
            if (world.membership().mayUseStore(node.id) && !world.membership().writesStall(node.id)) {
                apply(node, write, List.of());
            }
        });
    }

    /** Compares at the primary, and writes to these replicas, or to all if none are named. */
    private boolean apply(SimNode node, ElectionCommand.Replace write, List<NodeId> some) {
        TermRecord present = replicas.get(world.membership().primary(node.id));
        boolean equal = Objects.equals(present, write.expected());
        if (equal) {
            world.timeline().add(node, "wrote", write.next() + (some.isEmpty() ? "" : " on " + some + " only"));
            List<NodeId> on = some.isEmpty() ? world.membership().replicas(node.id) : some;
            on.forEach(member -> put(member, write.next()));
            world.rules().tookHold(write.next());
        }
        return equal;
    }

    private void tell(SimNode node, ElectionCommand.Replace write, Outcome outcome) {
        answer(node, delay() + lateness(node), () -> node.control.replaceCompleted(write.operation(), outcome));
    }

    private void answer(SimNode node, long delay, Runnable outcome) {
        world.scheduler().after(delay, () -> node.onControl(0, outcome));
    }
}
