package io.shardbus.simulation;

import io.shardbus.core.control.HeardAnnouncements;
import io.shardbus.core.control.ShutdownAnnouncement;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.OperatorOrder.Kind;
import io.shardbus.core.region.Region;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.model.TermId;
import io.shardbus.simulation.time.Scheduler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What operators ask a running cluster for: drains, which they take back, and the announced stop of all nodes. */
final class Operators {
    /** An undisturbed reign has moved most shards of a drained node by then; some entities are busy for longer. */
    private static final long EMPTY_WITHIN = 4_000;

    /**
     * A region that leaves while all stops and a coordinator goes on waits for answers for a lease at most, and for no
     * moves.
     */
    private static final long EXIT_WITHIN = 2_000;

    /** Entities of a node that ends while all stops have ended by then, whether a coordinator answers or not. */
    private static final long EMPTY_AT_ONCE = 1_000;

    private static final long LATEST_WORD = 70;
    private static final long ASK_AGAIN = 100;
    private static final long ANSWERED_WITHIN = 3_000;

    private final Simulation world;
    private final Faults faults;
    private final Scheduler scheduler;
    private boolean announced;
    private int announcements;
    /** What was last said about a stop; null if nothing was. */
    private @Nullable ShutdownAnnouncement said;
    /** When all nodes have heard the last word about a stop. */
    private long heardBy;

    Operators(Simulation world, Faults faults) {
        this.world = world;
        this.faults = faults;
        this.scheduler = world.scheduler();
    }

    void inflict(Fault fault, SplittableRandom random) {
        SimNode node = faults.anyone();
        if (node == null) {
            return;
        }
        switch (fault) {
            case DRAIN -> drain(node, random);
            case RETREAT -> retreat(node, random);
            case ANNOUNCE -> announce(random);
            default -> throw new IllegalArgumentException(fault.toString());
        }
    }

    /** At the end no node is drained, and no stop is announced. */
    void stop() {
        cancel();
        // it was to leave, and stays where it has become the only host of a type meanwhile
        world.staying().stream().filter(node -> node.drained).forEach(node -> ask(node, false));
    }

    /** The node is emptied, and leaves, or the drain is taken back in the middle. */
    private void drain(SimNode node, SplittableRandom random) {
        if (!faults.othersAccept(node) || world.coordinatorNode() == null) {
            return;
        }
        ask(node, true);
        boolean patient = world.options().keepsLeases && random.nextBoolean();
        long pause = patient ? EMPTY_WITHIN + 100 : 500L + random.nextInt(2_500);
        if (random.nextInt(3) == 0) {
            faults.later(pause / 4, () -> ask(node, false));
        } else {
            mustBeEmpty(node);
            faults.later(pause, () -> faults.leave(node));
        }
    }

    /** The present coordinator is asked, until one has taken the order, which holds for those that come after it. */
    private void ask(SimNode node, boolean wanted) {
        node.drained = wanted;
        askUntilTaken(node, wanted, ++node.orders);
    }

    private void askUntilTaken(SimNode node, boolean wanted, int order) {
        SimNode coordinator = world.coordinatorNode();
        if (node.isGone() || node.orders != order) {
            return;
        } else if (coordinator == null) {
            scheduler.after(ASK_AGAIN, () -> askUntilTaken(node, wanted, order));
            return;
        }
        coordinator.onControl(0, () -> {
            if (node.orders == order) {
                ask(coordinator, node, wanted);
            }
        });
    }

    /** It is asked again after a refusal, and if there is no answer. */
    private void ask(SimNode coordinator, SimNode node, boolean wanted) {
        int order = node.orders;
        int asked = ++node.asks;
        TermId term = coordinator.knownTerm();
        Hosting drained = node.hosting();
        Runnable again = () -> {
            if (node.asks == asked) {
                askUntilTaken(node, wanted, order);
            }
        };
        scheduler.after(ANSWERED_WITHIN, again);
        OperatorOrder wish = new OperatorOrder(wanted ? Kind.DRAIN : Kind.UNDRAIN, "", node.id, -1);
        coordinator.control.orders().give(wish, answer -> {
            if (node.orders != order || node.asks != asked) {
                return;
            } else if (!answer.done()) {
                scheduler.after(ASK_AGAIN, again);
                return;
            }
            node.asks++;
            if (drained == node.hosting() && coordinator.knownTerm().equals(term)) {
                checkTaken(coordinator, node);
            }
        });
    }

    /**
     * The coordinator that has answered knows whether the node is to be empty, if its region has registered. Before
     * that the coordinator may know the region that was in its place, which has left by itself.
     */
    private void checkTaken(SimNode coordinator, SimNode node) {
        Coordinator main = coordinator.control.coordinator();
        Region present = node.hosting().region();
        boolean isKnown = present.status() == RegionStatus.REGISTERED
                && present.term().equals(coordinator.control.machine().term());
        if (main != null && isKnown && node.isStaying() && !node.regions.isEnding()) {
            main.inspect(coordinator.clock()).regions().stream()
                    .filter(region -> region.node().equals(node.id) && !region.gone())
                    .forEach(region -> world.check(
                            region.leaving() == node.drained,
                            region + (node.drained ? " is asked to be drained" : " is drained no longer")));
        }
    }

    /** A node that is about to leave asks for its own drain again and again, whichever node coordinates. */
    private void retreat(SimNode node, SplittableRandom random) {
        if (!faults.othersAccept(node)) {
            return;
        }
        world.timeline().turn(node, "retreats", "");
        askAgain(node, scheduler.now() + 1_000 + random.nextInt(2_000));
        SimNode coordinator = world.coordinatorNode();
        if (coordinator != null && coordinator != node && random.nextBoolean() && !world.options().plannedOnly) {
            faults.later(100L + random.nextInt(600), () -> faults.crash(coordinator));
        }
    }

    private void askAgain(SimNode node, long until) {
        if (scheduler.now() >= until || !node.isStaying()) {
            faults.leave(node);
            if (node.isStaying()) {
                ask(node, false);
            }
        } else {
            ask(node, true);
            faults.later(ASK_AGAIN, () -> askAgain(node, until));
        }
    }

    /**
     * A reign that has gone on meanwhile has moved most shards of a drained node, unless all was about to stop in that
     * time, where nothing moves, or the reign had just opened: then entities are at work for seconds on what had waited
     * for them, and a shard stays whose entity is busy.
     */
    private void mustBeEmpty(SimNode node) {
        SimNode coordinator = world.coordinatorNode();
        boolean calm = !announced && scheduler.now() >= heardBy;
        if (!calm
                || coordinator == null
                || !coordinator.control.reigns().hasBeenOpenFor(world.options().lease)
                || !world.options().keepsLeases
                || !node.isStaying()) {
            return;
        }
        TermId term = coordinator.knownTerm();
        int present = announcements;
        int had = node.hosting().region().hosted().size();
        scheduler.after(EMPTY_WITHIN, () -> {
            boolean undisturbed = coordinator == world.coordinatorNode()
                    && coordinator.knownTerm().equals(term)
                    && coordinator.control.coordinator() != null
                    && node.isStaying()
                    && node.drained
                    && announcements == present;
            if (undisturbed) {
                int has = node.hosting().region().hosted().size();
                world.check(2 * has <= had + 1, node + " is drained and has " + has + " of " + had + " shards");
            }
        });
    }

    /**
     * All nodes hear that the cluster stops, and two leave, the coordinator among the first; or one leaves just before
     * it hears, and perhaps another one. Then the cluster goes on. As an operator who waits for the answer does, it is
     * announced again only when all know that it was taken back.
     */
    private void announce(SplittableRandom random) {
        if (announced || scheduler.now() < heardBy || world.network().isSplit()) {
            return;
        }
        SimNode late = random.nextBoolean() ? faults.anyone() : null;
        tellAll(true, random, late);
        int present = ++announcements;
        if (late != null) {
            faults.later(random.nextInt((int) LATEST_WORD), () -> leaveWhileAllStops(late, present));
        }
        List<SimNode> leavers = new ArrayList<>(world.staying());
        Collections.shuffle(leavers, new Random(random.nextLong()));
        SimNode coordinator = world.coordinatorNode();
        if (coordinator != null && late == null && random.nextBoolean()) {
            leavers.remove(coordinator);
            leavers.add(0, coordinator);
        }
        int leave = late == null ? 2 : random.nextInt(2);
        long at = LATEST_WORD + random.nextInt(400);
        for (SimNode leaver : leavers.subList(0, Math.min(leave, leavers.size()))) {
            faults.later(at, () -> leaveWhileAllStops(leaver, present));
            at += 50 + random.nextInt(1_200);
        }
        long lease = world.options().lease;
        long stays = late == null && random.nextBoolean() ? 0 : lease + EXIT_WITHIN;
        faults.later(at + stays + random.nextInt((int) lease), this::cancel);
    }

    private void leaveWhileAllStops(SimNode node, int announcement) {
        boolean hasHeard = node.isStaying() && node.control.machine().isClusterStopping();
        faults.leaveFew(node);
        mustEnd(node, announcement);
        if (hasHeard && !node.isStaying()) {
            scheduler.after(EMPTY_AT_ONCE, () -> {
                int entities = world.ledger().live(node);
                world.check(entities == 0, node + " ends while all stops, and has " + entities + " entities");
            });
        }
    }

    /** A node that leaves ends in time if the coordinator goes on and all still stops then. */
    private void mustEnd(SimNode node, int announcement) {
        SimNode coordinator = world.coordinatorNode();
        TermId term = node.knownTerm();
        if (node.isStaying()) {
            return;
        }
        scheduler.after(world.options().lease + EXIT_WITHIN, () -> {
            boolean stops = announced
                    && announcements == announcement
                    && world.options().keepsLeases
                    && coordinator == world.coordinatorNode()
                    && node.knownTerm().equals(term);
            world.check(!stops || node.isStaying() || node.isGone(), node + " does not end while all stops");
        });
    }

    /**
     * Each node hears this after what was said before.
     *
     * @param late hears last; null if none does
     */
    private void tellAll(boolean stops, SplittableRandom random, @Nullable SimNode late) {
        announced = stops;
        ShutdownAnnouncement word = say(stops);
        long lastWord = Math.max(0, heardBy - scheduler.now());
        heardBy = scheduler.now() + lastWord + LATEST_WORD + 1;
        world.timeline().turn("-", "operators", stops ? "announce the stop" : "take the stop back");
        for (SimNode node : world.alive()) {
            long drawn = 1L + random.nextInt((int) LATEST_WORD);
            long delay = node == late ? LATEST_WORD : drawn;
            scheduler.after(lastWord + delay, () -> hear(node, word));
        }
    }

    /** It is said on one node after the other, and again where that node had not heard the last word. */
    private ShutdownAnnouncement say(boolean stops) {
        List<SimNode> alive = List.copyOf(world.alive());
        SimNode on = alive.get(world.dice("say " + scheduler.now()).nextInt(alive.size()));
        HeardAnnouncements heard = on.control.machine().announcements();
        ShutdownAnnouncement last = said;
        if (last != null) {
            heard.outdatedBy(last.number());
        }
        ShutdownAnnouncement word = heard.next(stops, on.id, on.clocks.wall());
        said = word;
        return word;
    }

    private static void hear(SimNode node, ShutdownAnnouncement word) {
        node.onControl(0, () -> node.control.run((control, at) -> control.clusterStops(word, at)));
    }

    private void cancel() {
        if (announced) {
            ShutdownAnnouncement outdated = said;
            tellAll(false, world.dice("cancel " + scheduler.now()), null);
            // a node that was not reached before is told again, and hears that last
            long last = heardBy - scheduler.now();
            if (outdated != null && !world.options().wrongClocks) {
                world.alive().forEach(node -> scheduler.after(last, () -> hear(node, outdated)));
            }
            faults.later(500, faults::join);
        }
    }

    boolean isAnnounced() {
        return announced;
    }
}
