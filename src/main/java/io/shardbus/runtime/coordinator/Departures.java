package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.spi.DeathWitness;
import io.shardbus.spi.DeathWitness.Suspect;
import io.shardbus.spi.DeathWitness.Verdict;
import io.shardbus.transport.RefusedConnectionWitness;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who left with a goodbye, who vanished, and of whom a witness proves that the process is gone. A witness is asked again and
 * again, for as long as leases of the vanished node may last.
 */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);
    private static final long FIRST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 800;

    private final NodeId self;
    private final Context context;
    private final @Nullable DeathWitness witness;
    private final long askedFor;
    private final Consumer<NodeId> proven;
    private final Set<NodeId> goodbyes = new HashSet<>();
    private final Set<NodeId> undecided = new HashSet<>();
    private final Map<NodeId, Suspect> met = new HashMap<>();

    /**
     * @param askedFor how long a death matters, in milliseconds
     * @param proven hears of each death once, on the context
     */
    Departures(NodeId self, Context context, @Nullable DeathWitness witness, long askedFor, Consumer<NodeId> proven) {
        this.self = self;
        this.context = context;
        this.witness = witness;
        this.askedFor = askedFor;
        this.proven = proven;
    }

    /** With the witness that the options name. */
    static Departures of(NodeParts parts, Vertx vertx, Context context, Consumer<NodeId> proven) {
        DeathWitness witness = parts.options().getDeathWitness().equals("refused-connection")
                ? new RefusedConnectionWitness(vertx)
                : null;
        long leases = parts.times().lease() + 2 * parts.times().margin();
        return new Departures(parts.self(), context, witness, leases, proven);
    }

    boolean hasWitness() {
        return witness != null;
    }

    void saidGoodbye(NodeId node) {
        goodbyes.add(node);
    }

    /** What members say of themselves; remembered for when they are no more. */
    void attributes(Map<NodeId, NodeAttributes> known) {
        if (witness == null) {
            return;
        }
        known.forEach((node, attributes) -> {
            if (attributes.busPort() > 0 && !node.equals(self) && !met.containsKey(node)) {
                Suspect member = new Suspect(node, attributes.busHost(), attributes.busPort());
                met.put(node, member);
                witness.met(member);
            }
        });
    }

    /** Members went and came; whether one of them vanished without goodbye. */
    boolean vanished(Set<NodeId> gone, Set<NodeId> come) {
        undecided.removeAll(come);
        boolean lost = false;
        for (NodeId node : gone) {
            if (goodbyes.remove(node)) {
                forget(node);
            } else {
                lost = true;
                undecided.add(node);
                watch(node, FIRST_PAUSE, 0);
            }
        }
        return lost;
    }

    /** Whether somebody vanished who may still run. */
    boolean isUndecided() {
        return !undecided.isEmpty();
    }

    private void watch(NodeId node, long pause, long watched) {
        if (!undecided.contains(node)) {
            return;
        }
        if (watched > askedFor) {
            undecided.remove(node);
            forget(node);
            return;
        }
        ask(node)
                .otherwise(Verdict.UNKNOWN)
                .onComplete(answer -> context.runOnContext(ignored -> {
                    if (answer.result() == Verdict.DEAD && undecided.remove(node)) {
                        LOG.info("the process of {} is gone: its shards need not wait for the end of its lease", node);
                        forget(node);
                        proven.accept(node);
                    } else {
                        long next = Math.min(2 * pause, LONGEST_PAUSE);
                        context.owner().setTimer(pause, timer -> watch(node, next, watched + pause));
                    }
                }));
    }

    private Future<Verdict> ask(NodeId node) {
        Suspect suspect = met.get(node);
        return witness == null || suspect == null ? Future.succeededFuture(Verdict.UNKNOWN) : witness.ask(suspect);
    }

    private void forget(NodeId node) {
        if (met.remove(node) != null && witness != null) {
            witness.forget(node);
        }
    }
}
