package io.shardbus.membership;

import io.shardbus.options.Peer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bound address of this node's cluster traffic, and tests whether a seat is this node's.
 *
 * @param hostName the host's name without its domain; may block
 */
record OwnPlace(InetSocketAddress address, Supplier<String> hostName) {
    private static final Logger LOG = LoggerFactory.getLogger(OwnPlace.class);

    OwnPlace(InetSocketAddress address) {
        this(address, NodeNames::host);
    }

    /** The address and port as text, an IPv6 address in brackets. */
    String name() {
        var host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /**
     * Whether a seat is this node's: the seat has this node's port, all addresses of its name are of this host, and one
     * of them is this node's, or all are of the loopback, to which a host often resolves its own name. A name that
     * resolves to several hosts is no node's seat.
     *
     * @param addresses to which the seat's name resolves
     */
    boolean isAt(Peer seat, List<InetAddress> addresses) {
        boolean own = addresses.contains(address.getAddress())
                || addresses.stream().allMatch(InetAddress::isLoopbackAddress)
                        && !Peer.isLoopback(seat.host())
                        && !address.getAddress().isLoopbackAddress();
        return hasPortOf(seat)
                && !addresses.isEmpty()
                && own
                && addresses.stream().allMatch(each -> each.equals(address.getAddress()) || isOfThisHost(each));
    }

    /** Whether a seat has the port of this node and, with a domain or without, the name of its host. May block. */
    boolean isNamed(Peer seat) {
        if (!hasPortOf(seat)) {
            return false;
        }
        var host = hostName.get() + ".";
        return (seat.host() + ".").regionMatches(true, 0, host, 0, host.length());
    }

    /** Whether a seat has the port of this node. */
    boolean hasPortOf(Peer seat) {
        return seat.port().orElse(0) == address.getPort();
    }

    /** The addresses of a seat; none while its name cannot be resolved. Blocks. */
    static List<InetAddress> resolve(Peer seat) {
        try {
            return Arrays.asList(InetAddress.getAllByName(seat.host()));
        } catch (UnknownHostException e) {
            LOG.debug("the seat {} has no address now", seat.host(), e);
            return List.of();
        }
    }

    /** Whether this host has the address. */
    static boolean isOfThisHost(InetAddress other) {
        try {
            return other.isLoopbackAddress() || NetworkInterface.getByInetAddress(other) != null;
        } catch (SocketException e) {
            LOG.debug("the interfaces of this host cannot be read", e);
            return false;
        }
    }
}
