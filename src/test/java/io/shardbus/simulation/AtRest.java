package io.shardbus.simulation;

import io.shardbus.core.control.Peers;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.NodeId;
import io.shardbus.simulation.Letter.Work;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Waits until a cluster without load and faults has come to rest, and checks what must hold then. */
final class AtRest {
    private static final long SHORTEST_SETTLING = 2_500;
    private static final long RESTART_PAUSE = 1_000;
    private static final long LONGEST_LEAVE = 10_000;
    /** How often nodes are replaced that say at their liveness that only this helps: others may say so by then. */
    private static final int REPLACEMENTS = 6;
    /** External leases that were granted under load may be taken away for some seconds. */
    private static final long LEASES_SETTLE_WITHIN = 8_000;

    private final Simulation world;
    private final SimulationOptions options;
    private final Scheduler scheduler;
    private boolean reached;

    AtRest(Simulation world) {
        this.world = world;
        this.options = world.options();
        this.scheduler = world.scheduler();
    }

    boolean isReached() {
        return reached;
    }

    void await() {
        scheduler.runUntil(scheduler.now() + SHORTEST_SETTLING);
        runUntil(this::isQuiet, options.settling - SHORTEST_SETTLING);
        if (world.alive().stream().anyMatch(this::staysStopped)) {
            restartStopped();
            runUntil(this::isQuiet, options.settling);
        }
        if (!isQuiet() && world.alive().size() * 2 <= options.nodes) {
            startMissing();
            runUntil(this::isQuiet, options.settling);
        }
        for (int round = 0; round < REPLACEMENTS && world.alive().stream().anyMatch(AtRest::isDown); round++) {
            world.alive().stream().filter(AtRest::isDown).forEach(this::replace);
            runUntil(this::isQuiet, options.settling);
        }
        reached = true;
        for (SimNode node : world.alive()) {
            check(node.isStaying(), node + " has not come to the end of its leaving");
            node.regions.all().forEach(this::checkRegion);
            check(node.fullShards().isEmpty(), node + " does not send to " + node.fullShards() + " at rest");
            check(
                    node.buffered() == 0,
                    node + " still buffers " + node.buffered() + ": "
                            + world.ledger().open(node));
        }
        world.ledger().checkEnds();
        checkRemembered();
        checkStates();
        checkPassivation();
        askAll();
        checkWaits();
        world.types().forEach(this::checkBalance);
        world.types().forEach(this::checkLeases);
        world.clients().check();
    }

    private void checkRegion(Hosting hosting) {
        RegionStatus status = hosting.region().status();
        check(!hosting.isEnding(), "the region on " + hosting.node + " has not come to its end");
        check(status == RegionStatus.REGISTERED, "the region on " + hosting.node + " is " + status + " at rest");
    }

    private void check(boolean holds, String otherwise) {
        world.check(holds, otherwise);
    }

    /** All have stopped, and what is proven of a node that this side lost does not let it go on. */
    private boolean staysStopped(SimNode node) {
        Peers peers = node.control.machine().peers();
        boolean lostOneThatDied = world.everyNode().stream()
                .anyMatch(other -> other.isGone() && peers.status(other.id).isLost());
        return world.alive().stream().allMatch(other -> other.control.isStopped()) && (lostOneThatDied || isDown(node));
    }

    /** Whether the node says at its liveness that only a new start helps it. */
    private static boolean isDown(SimNode node) {
        return node.control.machine().deadlock() != null;
    }

    /**
     * As it is done to a process that says so, beside others that go on: it is told to end, and waits for its regions
     * for a time. Another one has come before.
     */
    private void replace(SimNode node) {
        world.timeline().turn(node, "is restarted", node.control.machine().deadlock());
        world.addNode().clocks.setBeforeStart(world.ledger().highestTerm());
        scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
        node.leave();
        runUntil(node::isGone, LONGEST_LEAVE);
        node.endLeaving();
        scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
        world.faults().fillTypes();
        scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
    }

    /** As it is done to processes that have crashed. A majority of the nodes must come to rest without these. */
    private void startMissing() {
        world.timeline().turn("-", "operators", "start more than " + world.alive());
        while (world.alive().size() < options.nodes) {
            world.addNode().clocks.setBeforeStart(world.ledger().highestTerm());
            scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
            world.faults().fillTypes();
        }
    }

    /** What operators are told to do then: stop all nodes of that side, and start them with clocks that are right. */
    private void restartStopped() {
        List<SimNode> stopped = world.alive();
        world.timeline().turn("-", "operators", "restart " + stopped);
        stopped.forEach(SimNode::crash);
        world.rules().allStopped();
        scheduler.runUntil(scheduler.now() + RESTART_PAUSE);
        stopped.forEach(node -> world.membership().suspect(node.id));
        for (int i = 0; i < stopped.size(); i++) {
            SimNode next = world.newNode(world.seats().next(world.nextId()));
            next.clocks.setBeforeStart(world.ledger().highestTerm());
            world.membership().joinReachable(next.id);
        }
        world.membership().merge();
        world.faults().fillTypes();
    }

    /**
     * Every id in the store has its entity, though no message is sent to it; also when the coordinator and its shards
     * are gone.
     */
    private void checkRemembered() {
        if (options.remembering) {
            awaitRemembered(10_000);
            if (!options.plannedOnly) {
                world.faults().crash(world.coordinatorNode());
                runUntil(() -> isQuiet() && allAreBack(), 15_000);
                awaitRemembered(5_000);
            }
        }
    }

    private void awaitRemembered(long longest) {
        runUntil(this::allAreBack, longest);
        world.idStore()
                .ids()
                .forEach(id -> check(world.ledger().isLive(id), id + " is remembered and has no entity at rest"));
    }

    private boolean allAreBack() {
        return world.idStore().ids().stream().allMatch(world.ledger()::isLive);
    }

    /** Where no node crashes no state is lost silently, and none is there twice. */
    private void checkStates() {
        if (options.plannedOnly) {
            runUntil(world.ledger().states()::isSettled, 3_000);
            check(world.ledger().states().isSettled(), "of " + world.ledger().states());
            check(
                    world.ledger().states().areMostlyTaken(),
                    "of " + world.ledger().states());
        }
    }

    /** The idle are passivated, and no node has more entities than it may. */
    private void checkPassivation() {
        if (options.passivation.limit() != null) {
            for (SimNode node : world.alive()) {
                runUntil(
                        () -> world.ledger().live(node)
                                <= node.hosting().passivation.most(),
                        3_000);
                String found = world.ledger().live(node) + " entities on " + node + ", "
                        + node.hosting().passivation.most() + " may be";
                check(world.ledger().live(node) <= node.hosting().passivation.most(), found);
            }
        }
        if (options.passivation.idle() != null) {
            runUntil(
                    () -> world.alive().stream().allMatch(node -> world.ledger().live(node) == 0), 3_000);
            world.alive()
                    .forEach(node -> check(
                            world.ledger().live(node) == 0, world.ledger().live(node) + " idle entities on " + node));
        }
    }

    /** Goes on until something holds, but not for longer than a time. */
    private void runUntil(BooleanSupplier holds, long longest) {
        long end = scheduler.now() + longest;
        while (scheduler.now() < end && !holds.getAsBoolean()) {
            scheduler.runUntil(Math.min(end, scheduler.now() + 200));
        }
    }

    private boolean isQuiet() {
        SimNode coordinating = world.coordinatorNode();
        if (!world.faults().areOver()
                || coordinating == null
                || !coordinating.control.coordinator().isOpen()) {
            return false;
        }
        for (SimNode node : world.alive()) {
            if (!node.isStaying()
                    || node.regions.isEnding()
                    || !node.regions.areRegistered()
                    || node.buffered() != 0
                    // drain notes, states and answers fill the ways of a small buffer too, until they are acknowledged
                    || !node.fullShards().isEmpty()) {
                return false;
            }
        }
        return world.ledger().isQuiet();
    }

    /** A lane that asked for a home has told how long its messages waited. */
    private void checkWaits() {
        runUntil(
                () -> world.alive().stream().allMatch(node -> node.untoldWaits().isEmpty()), 3_000);
        for (SimNode node : world.alive()) {
            check(node.untoldWaits().isEmpty(), node + " tells of no wait for the homes of " + node.untoldWaits());
        }
    }

    private void askAll() {
        List<FreshAsk> asked = new ArrayList<>();
        for (SimNode node : world.alive()) {
            node.regions.all().forEach(hosting -> askAll(hosting, asked));
        }
        runUntil(
                () -> asked.stream().allMatch(ask -> ask.answered)
                        && world.ledger().isQuiet(),
                3_000);
        asked.forEach(ask -> check(ask.answered, "a fresh ask was not answered in 3 s at rest: " + ask));
        world.ledger().checkEnds();
    }

    private void askAll(Hosting from, List<FreshAsk> asked) {
        for (int i = 0; i < from.type.entities(); i++) {
            String entity = from.type.entity(i);
            // its shard may still be moving, and all that waits for it comes to its new home at once
            runUntil(() -> waiting(asked, entity) < options.mailboxSize, 3_000);
            asked.add(new FreshAsk(from.node, entity));
            scheduler.runUntil(scheduler.now() + (options.bufferSize < 50 ? 40 : 2));
        }
    }

    private static long waiting(List<FreshAsk> asked, String entity) {
        return asked.stream()
                .filter(ask -> ask.entity.equals(entity) && !ask.ended)
                .count();
    }

    /**
     * An ask when all is well. Work of an earlier message that throws only now may stop the instance: then it is asked
     * again.
     */
    private final class FreshAsk {
        private final SimNode node;
        private final String entity;
        private int left = options.throwPercent > 0 ? 2 : 1;
        private boolean answered;
        private boolean ended;

        FreshAsk(SimNode node, String entity) {
            this.node = node;
            this.entity = entity;
            send();
        }

        private void send() {
            left--;
            node.send(entity, Work.NONE, this::ended);
        }

        private void ended(boolean well) {
            answered = well;
            ended = well || left == 0;
            if (!ended) {
                send();
            }
        }

        @Override
        public String toString() {
            return node + " to " + entity + (ended ? ", which failed" : "");
        }
    }

    private void checkBalance(SimType type) {
        // A handoff that a stalled connection held up is given up, and its shard rests for as long, before it moves.
        long longest = 2 * options.handoffTimeout + 3 * options.rebalanceInterval + 1_000;
        runUntil(() -> imbalance(type) == null, longest);
        String wrong = imbalance(type);
        check(wrong == null, "at rest " + wrong);
    }

    /** Each home holds the external lease of its shard, and no other node holds one. */
    private void checkLeases(SimType type) {
        if (options.leased) {
            runUntil(() -> leaseInWrongHands(type) == null, LEASES_SETTLE_WITHIN);
            String wrong = leaseInWrongHands(type);
            check(wrong == null, "at rest " + wrong);
        }
    }

    private @Nullable String leaseInWrongHands(SimType type) {
        for (int shard = 0; shard < type.shards(); shard++) {
            NodeId holder = world.leases(type).holder(shard);
            for (SimNode node : world.alive()) {
                Hosting region = node.regions.of(type.name());
                boolean hosts = region != null && region.region().hosted().containsKey(shard);
                if (hosts != node.id.equals(holder)) {
                    return "the lease of shard " + shard + " is held by " + holder + ", and " + node
                            + (hosts ? " hosts it" : " does not host it");
                }
            }
        }
        return null;
    }

    private static boolean isProxy(SimNode node, SimType type) {
        Hosting region = node.regions.of(type.name());
        return region != null && region.isProxy();
    }

    private @Nullable String imbalance(SimType type) {
        SimNode node = world.coordinatorNode();
        Coordinator coordinator = node == null ? null : node.control.coordinator(type.name());
        if (node == null || coordinator == null) {
            return "no node coordinates " + type.name();
        }
        CoordinatorView view = coordinator.inspect(node.clock());
        int fewest = Integer.MAX_VALUE;
        int most = 0;
        for (CoordinatorView.Region region : view.regions()) {
            SimNode host = world.node(region.node());
            if (region.leaving() && host != null && !host.drained) {
                return host + " is taken for one that leaves";
            }
            if (host != null && region.proxy() != isProxy(host, type)) {
                return host + " is taken for " + (region.proxy() ? "a proxy of " : "a host of ") + type.name();
            }
            if (!region.leaving() && !region.proxy()) {
                fewest = Math.min(fewest, region.shards());
                most = Math.max(most, region.shards());
            }
        }
        long regions = world.alive().stream()
                .filter(other -> other.regions.of(type.name()) != null)
                .count();
        if (view.regions().size() != regions) {
            return "not all regions are registered: " + view.regions();
        }
        if (view.isPaused() || !view.pins().isEmpty() || !view.cordoned().isEmpty()) {
            return "orders are followed that were taken back: paused=" + view.isPaused() + " pins=" + view.pins()
                    + " cordoned=" + view.cordoned();
        }
        return options.rebalanceInterval > 0 && most - fewest > 1 ? "shards are not balanced: " + view.regions() : null;
    }
}
