package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.membership.detection.PeerPorts;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.Peer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The seats of the cluster that this node has joined, and which of them may be occupied. {@link #tryToShowOwn}, {@link
 * #occupied} and {@link #close} block.
 */
final class ClusterSeats {
    private static final int CONNECT_MILLIS = 400;

    private final Seats seats;
    private final OwnPlace own;
    private final List<HostLocks> locks;
    private final Predicate<InetAddress> refusesRightly;
    private volatile HostLocks.@Nullable Held lock;
    /** Whether the last {@link #occupied} found no process whose seat is unknown. */
    private volatile boolean allPlaced;

    /** Whether a port at this address that refuses connections proves that no process listens there. */
    static boolean provesVacancy(ClusterOptions options, InetAddress address) {
        return options.isTrustRefusedPorts() || OwnPlace.isOfThisHost(address);
    }

    /**
     * @param locks the locks by which processes of this host see each other, one for each address; that of this node's
     *     address first
     * @param refusesRightly whether a port that refuses connections at an address proves that no process listens there
     */
    ClusterSeats(Seats seats, OwnPlace own, List<HostLocks> locks, Predicate<InetAddress> refusesRightly) {
        this.seats = seats;
        this.own = own;
        this.locks = locks;
        this.refusesRightly = refusesRightly;
    }

    Seats seats() {
        return seats;
    }

    /**
     * Takes this process's lock if the seats are the processes of this host, so that the others see it.
     *
     * @return false while another process holds the lock, or is checking its file; true if no lock is needed
     */
    boolean tryToShowOwn() {
        if (seats.kind() == Seats.Kind.HOST && lock == null) {
            lock = locks.get(0).tryAcquire(own.address().getPort()).orElse(null);
            return lock != null;
        }
        return true;
    }

    /** The seats that a process may hold. For each other seat this call has proven that no process holds it. */
    Set<String> occupied() {
        return seats.kind() == Seats.Kind.HOST ? held() : notVacant();
    }

    /**
     * Whether the last call of {@link #occupied} showed every living process of the cluster: all of them are on this
     * host, and the kernel lists each one, with its address, until it has ended.
     */
    boolean seesEveryProcess() {
        var own = lock;
        return seats.kind() == Seats.Kind.HOST && own != null && own.isMarked() && allPlaced;
    }

    private Set<String> held() {
        allPlaced = locks.stream().noneMatch(HostLocks::hasUnplaced);
        return locks.stream().flatMap(place -> place.held().stream()).collect(Collectors.toSet());
    }

    private Set<String> notVacant() {
        var occupied = new HashSet<>(seats.names());
        Map<InetSocketAddress, String> asked = new HashMap<>();
        for (var name : seats.names()) {
            var seat = Peer.parse(name);
            var addresses = name.equals(seats.own()) ? List.<InetAddress>of() : OwnPlace.resolve(seat);
            // a name with several addresses may resolve to another host each time
            if (addresses.size() == 1 && isAtItsSeat(addresses.get(0)) && refusesRightly.test(addresses.get(0))) {
                asked.put(new InetSocketAddress(addresses.get(0), seat.port().orElseThrow()), name);
            }
        }
        PeerPorts.refusing(new ArrayList<>(asked.keySet()), CONNECT_MILLIS)
                .forEach(refusing -> occupied.remove(asked.get(refusing)));
        return occupied;
    }

    /**
     * Whether a process of this cluster that holds a seat with this address listens there. A host often resolves its
     * own name to the loopback, where its processes do not listen if they are bound to another address.
     */
    private boolean isAtItsSeat(InetAddress address) {
        return !address.isLoopbackAddress() || own.address().getAddress().isLoopbackAddress();
    }

    void close() {
        var held = lock;
        lock = null;
        if (held != null) {
            held.release();
        }
    }
}
