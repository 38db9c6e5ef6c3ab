package io.shardbus.simulation;

import io.shardbus.core.control.Seats;
import io.shardbus.model.NodeId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which process holds which seat. Without a list all processes are of one host, which knows who lives; with one a seat
 * that does not answer is taken for occupied, unless the world's hosts refuse connections for dead processes and the
 * asker reaches them.
 */
final class SimSeats {
    private final Simulation world;
    private final Set<String> names;
    private final SplittableRandom dice;
    private final Set<NodeId> claimants = new HashSet<>();
    private int guests;

    SimSeats(Simulation world) {
        this.world = world;
        this.dice = world.dice("seats");
        this.names = IntStream.rangeClosed(1, world.options().seats)
                .mapToObj(number -> "s" + number)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private boolean isListed() {
        return !names.isEmpty();
    }

    Seats of(SimNode node) {
        Seats seats = isListed() ? listed(node) : Seats.ofHost(node.seat);
        if (seats.mayClaim()) {
            claimants.add(node.id);
        }
        return seats;
    }

    /** Every other process without a seat may count itself among them, as one does whose peers do not list it. */
    private Seats listed(SimNode node) {
        boolean addsItself = world.options().unlistedGuests && node.seat.isEmpty() && ++guests % 2 == 1;
        return addsItself ? Seats.listedWithOwn(node.id.value(), names) : Seats.listed(node.seat, names);
    }

    /** Whether a process says that it may coordinate. */
    boolean mayClaim(NodeId node) {
        return claimants.contains(node);
    }

    /** The seat of a process that is about to start: the first that no process holds; its own name without a list. */
    String next(NodeId id) {
        return isListed() ? free().stream().findFirst().orElse("") : id.value();
    }

    /** Where there is no list every process holds a seat of its own. */
    String orOwn(String seat, NodeId id) {
        return isListed() ? seat : id.value();
    }

    /** The seats of the list that no process holds. */
    List<String> free() {
        return names.stream().filter(name -> holder(name) == null).toList();
    }

    private @Nullable SimNode holder(String seat) {
        return world.alive().stream()
                .filter(node -> node.seat.equals(seat))
                .findFirst()
                .orElse(null);
    }

    /** Finds out, in some milliseconds, which seats may be held by a process. */
    void probe(SimNode asker, Consumer<Set<String>> found) {
        world.scheduler().after(Network.delay(dice), () -> {
            if (isListed()) {
                found.accept(names.stream()
                        .filter(seat -> !world.options().refusedPorts || holder(seat) != null || isOutOfReach(asker))
                        .collect(Collectors.toSet()));
            } else {
                found.accept(world.alive().stream().map(node -> node.seat).collect(Collectors.toSet()));
            }
        });
    }

    /** During a split no host of the other side refuses anything: it is silent. A dead process's host may be there. */
    private boolean isOutOfReach(SimNode asker) {
        return world.network().isSplit() && !asker.isGone();
    }
}
