package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.spi.DeathWitness;
import io.shardbus.spi.DeathWitness.Suspect;
import io.shardbus.spi.DeathWitness.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Who left with a goodbye, who vanished, and of whom it is proven that the process is gone: by a witness, or by a member that has
 * its place. A witness is asked again and
 * again, for as long as leases of the vanished node may last.
 */
final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);
    private static final long FIRST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 800;
    private static final long LONGEST_ANSWER = 5_000;

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

    static Departures of(NodeParts parts, @Nullable DeathWitness witness, Context context, Consumer<NodeId> proven) {
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
                tell(member, told -> told.met(member));
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

    /**
     * A member has the place of a node that is none any more, and whose process is gone therefore. Counts as long as the word of a
     * witness would: one that vanished long ago may have run elsewhere since, and what came of that is not known here.
     */
    void succeeded(NodeId node) {
        if (undecided.remove(node)) {
            died(node);
        }
    }

    /** Whether a node vanished a short time ago, and may still run. */
    boolean hasVanished(NodeId node) {
        return undecided.contains(node);
    }

    private void died(NodeId node) {
        LOG.info("the process of {} is gone: its shards need not wait for the end of its lease", node);
        forget(node);
        proven.accept(node);
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
                .otherwise(failure -> {
                    LOG.atLevel(watched == 0 ? Level.WARN : Level.DEBUG)
                            .log("the death witness cannot tell whether the process of {} is gone", node, failure);
                    return Verdict.UNKNOWN;
                })
                .onComplete(answer -> context.runOnContext(ignored -> {
                    if (answer.result() == Verdict.DEAD && undecided.remove(node)) {
                        died(node);
                    } else {
                        long next = Math.min(2 * pause, LONGEST_PAUSE);
                        context.owner().setTimer(pause, timer -> watch(node, next, watched + pause));
                    }
                }));
    }

    private Future<Verdict> ask(NodeId node) {
        Suspect suspect = met.get(node);
        if (witness == null || suspect == null) {
            return Future.succeededFuture(Verdict.UNKNOWN);
        }
        try {
            return witness.ask(suspect).timeout(LONGEST_ANSWER, TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private void forget(NodeId node) {
        Suspect known = met.remove(node);
        if (known != null) {
            tell(known, told -> told.forget(node));
        }
    }

    /** A witness may be the user's: what it throws ends nothing here. */
    private void tell(Suspect member, Consumer<DeathWitness> what) {
        if (witness == null) {
            return;
        }
        try {
            what.accept(witness);
        } catch (RuntimeException e) {
            LOG.warn("the death witness failed when it was told of {}", member.id(), e);
        }
    }
}
