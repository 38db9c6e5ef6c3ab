package io.shardbus.simulation;

import io.shardbus.core.coordinator.Election.Outcome;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.protocol.TermRecord;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one term record: operations reach it in some order, one takes hold after the other, their outcomes come back late or not
 * at all. Writes stand still while a member of the view does not answer, as those of a replicated cache do.
 */
final class TermStore {
    private static final long TIMEOUT = 700;

    private final Simulation world;
    private @Nullable TermRecord record;

    TermStore(Simulation world) {
        this.world = world;
    }

    void read(SimNode node, long operation) {
        world.scheduler().after(world.delay(), () -> {
            if (!world.membership().mayUseStore(node.id)) {
                answer(node, TIMEOUT / 2, () -> node.reign.readFailed(operation));
                return;
            }
            TermRecord found = record;
            answer(node, world.delay(), () -> node.reign.readCompleted(operation, found));
        });
    }

    void replace(SimNode node, ElectionCommand.Replace write) {
        attempt(node, write, world.scheduler().now() + TIMEOUT, world.delay());
    }

    private void attempt(SimNode node, ElectionCommand.Replace write, long deadline, long delay) {
        world.scheduler().after(delay, () -> {
            if (world.membership().writesStall() && world.scheduler().now() < deadline) {
                attempt(node, write, deadline, 10);
            } else if (!world.membership().mayUseStore(node.id)
                    || world.membership().writesStall()) {
                answer(node, world.delay(), () -> node.reign.replaceCompleted(write.operation(), Outcome.UNKNOWN));
            } else {
                apply(node, write);
            }
        });
    }

    private void apply(SimNode node, ElectionCommand.Replace write) {
        boolean equal = Objects.equals(record, write.expected());
        if (equal) {
            world.timeline().add(node, "wrote", write.next());
            record = write.next();
        }
        Outcome honest = equal ? Outcome.WRITTEN : Outcome.UNEQUAL;
        Outcome told = world.chance(world.options().unknownPercent) ? Outcome.UNKNOWN : honest;
        answer(node, world.delay(), () -> node.reign.replaceCompleted(write.operation(), told));
    }

    private void answer(SimNode node, long delay, Runnable outcome) {
        world.scheduler().after(delay, () -> node.onControl(0, outcome));
    }
}
