package io.shardbus.runtime.control;

import io.shardbus.core.control.Peers;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.spi.DeathWitness;
import io.shardbus.spi.DeathWitness.Suspect;
import io.shardbus.spi.DeathWitness.Verdict;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Asks the death witness about nodes that vanished without goodbye, until they are back or proven dead: often while
 * their leases may last, and then now and then, as a side of a split that has stopped may go on once its lost nodes are
 * dead. All methods on the control context.
 */
final class WitnessRunner {
    private static final Logger LOG = LoggerFactory.getLogger(WitnessRunner.class);
    private static final long FIRST_PAUSE = 50;
    private static final long LONGEST_PAUSE = 800;
    private static final long LATER_PAUSE = 5_000;
    private static final long LONGEST_ANSWER = 5_000;

    private final NodeId self;
    private final Context context;
    private final @Nullable DeathWitness witness;
    private final LongSupplier clock;
    private final Peers peers;
    private final Consumer<NodeId> dead;
    private final Map<NodeId, Suspect> met = new HashMap<>();

    /**
     * @param peers which nodes vanished
     * @param dead hears what the witness says of those whose processes are gone
     */
    WitnessRunner(
            NodeId self,
            Context context,
            @Nullable DeathWitness witness,
            LongSupplier clock,
            Peers peers,
            Consumer<NodeId> dead) {
        this.self = self;
        this.context = context;
        this.witness = witness;
        this.clock = clock;
        this.peers = peers;
        this.dead = dead;
    }

    /** Remembers the attributes of members for the time when they are lost. */
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

    /** Nodes that left with a goodbye are not asked about; those that vanished are. */
    void viewChanged(Peers.Change change) {
        for (NodeId node : change.gone()) {
            if (change.vanished().contains(node)) {
                watch(node, FIRST_PAUSE, true);
            } else {
                forget(node);
            }
        }
    }

    private void watch(NodeId node, long pause, boolean first) {
        if (peers.status(node).isLost()) {
            ask(node)
                    .otherwise(failure -> {
                        LOG.atLevel(first ? Level.WARN : Level.DEBUG)
                                .log("the death witness cannot tell whether the process of {} is gone", node, failure);
                        return Verdict.UNKNOWN;
                    })
                    .onComplete(answer ->
                            context.runOnContext(ignored -> answered(node, answer.result() == Verdict.DEAD, pause)));
        } else if (!peers.status(node).member()) {
            forget(node);
        }
    }

    private void answered(NodeId node, boolean isDead, long pause) {
        if (isDead) {
            dead.accept(node);
        } else {
            boolean undecided = peers.status(node).isUndecided(clock.getAsLong());
            long next = undecided ? Math.min(2 * pause, LONGEST_PAUSE) : LATER_PAUSE;
            context.owner().setTimer(pause, timer -> watch(node, next, false));
        }
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

    /** Nothing more is asked about the node. */
    void forget(NodeId node) {
        Suspect known = met.remove(node);
        if (known != null) {
            tell(known, told -> told.forget(node));
        }
    }

    /** A witness may be the user's: its exceptions are caught here. */
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
