package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.Peer;
import java.net.InetAddress;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Seats of the cluster by the options of one node: the listed processes. Without a list they are all processes of this
 * host if the cluster's traffic stays on the loopback, else the peers and this node.
 */
final class SeatPlan {
    private static final Pattern BIND_ADDRESS = Pattern.compile("bind_addr=\"([^\"]*)\"");
    private static final String PLACE_OF_DNS = "${shardbus.cluster.peerHosts";
    private static final String ADVICE =
            "; name the hosts that may found the cluster and carry it on, the same on all nodes, such as"
                    + " [\"10.0.0.1\", \"10.0.0.2\", \"10.0.0.3\"] or the names of the first pods of a StatefulSet";

    private final ClusterOptions options;
    private final boolean byDns;

    private SeatPlan(ClusterOptions options, boolean byDns) {
        this.options = options;
        this.byDns = byDns;
    }

    /**
     * @param template the text of the JGroups stack before the options are filled in; null if the Infinispan file has
     *     its own stack
     * @param stack the text of the stack with the options filled in; null as {@code template}
     * @throws IllegalArgumentException if neither seats nor peers are listed, though the bind address is not on the
     *     loopback
     */
    static SeatPlan of(ClusterOptions options, @Nullable String template, @Nullable String stack) {
        var plan = new SeatPlan(options, template != null && template.contains(PLACE_OF_DNS));
        var address = stack == null ? Objects.requireNonNullElse(options.getBindAddress(), "") : bindAddress(stack);
        if (!address.isEmpty() && !Peer.isLoopback(address)) {
            plan.requireList();
        }
        return plan;
    }

    private static String bindAddress(String stack) {
        var matcher = BIND_ADDRESS.matcher(stack);
        return matcher.find() ? matcher.group(1) : "";
    }

    private void requireList() {
        if (!options.getSeats().isEmpty()) {
            return;
        }
        if (byDns) {
            throw new IllegalArgumentException(
                    "seats: not set, and peers is a DNS name, which does not tell which nodes are missing" + ADVICE);
        }
        if (options.getPeers().isEmpty()) {
            throw new IllegalArgumentException("seats: not set, and peers neither" + ADVICE);
        }
    }

    /**
     * The seats as this node knows them. Blocks while names are resolved.
     *
     * @param dns the addresses of a seat, none while its name cannot be resolved
     * @throws IllegalArgumentException if the options list neither seats nor peers, and this node is not on the
     *     loopback
     */
    SeatSearch.Found look(OwnPlace own, Function<Peer, List<InetAddress>> dns) {
        if (!options.getSeats().isEmpty()) {
            var names = names(options.getSeats(), options.getBindPort());
            var found = Names.of(names, own, dns);
            return found.with(Seats.listed(found.own().orElse(""), names));
        }
        if (own.address().getAddress().isLoopbackAddress()) {
            return new SeatSearch.Found(Seats.ofHost(HostLocks.fileName(own.name())), Set.of(), Map.of());
        }
        requireList();
        var names = names(options.getPeers(), 0);
        var found = Names.of(names, own, dns);
        return found.with(Seats.listedWithOwn(found.own().orElse(ownName(own, dns)), names));
    }

    /**
     * The names of the {@link HostLocks} by which the processes of one host see each other, each with its address: one
     * for the address of this node, which is first, and one for each loopback address of a peer. A name contains the
     * cluster's name, the address and the {@link HostMark}, so clusters of one name in different network namespaces do
     * not see each other. Blocks while names are resolved.
     */
    Map<String, InetAddress> namesOnHost(String clusterName, OwnPlace own) {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        addresses.add(own.address().getAddress());
        options.getPeers().stream()
                .map(Peer::parse)
                .flatMap(peer -> OwnPlace.resolve(peer).stream())
                .filter(InetAddress::isLoopbackAddress)
                .forEach(addresses::add);
        var mark = HostMark.own();
        Map<String, InetAddress> names = new LinkedHashMap<>();
        addresses.forEach(address ->
                names.put(clusterName + "@" + address.getHostAddress() + (mark.isEmpty() ? "" : "@" + mark), address));
        return names;
    }

    private String ownName(OwnPlace own, Function<Peer, List<InetAddress>> dns) {
        var address = options.getBindAddress();
        var port = own.address().getPort();
        var host = address == null ? null : new Peer(address, OptionalInt.of(port));
        return host != null && own.isAt(host, dns.apply(host)) ? address + ":" + port : own.name();
    }

    /**
     * Result of one lookup of the listed names.
     *
     * @param own the name that is this node's seat
     * @param unknown the names that may be this node's seat, as they have its port and no address; none if {@code own}
     *     is known
     * @param elsewhere the seats with the name of this host that resolve to other addresses, each with these; none if
     *     {@code own} is known
     */
    private record Names(Optional<String> own, Set<String> unknown, Map<String, String> elsewhere) {
        SeatSearch.Found with(Seats seats) {
            return new SeatSearch.Found(seats, unknown, elsewhere);
        }

        static Names of(Set<String> names, OwnPlace place, Function<Peer, List<InetAddress>> dns) {
            Set<String> unknown = new TreeSet<>();
            Map<String, String> elsewhere = new TreeMap<>();
            for (var name : names) {
                var seat = Peer.parse(name);
                var addresses = dns.apply(seat);
                if (place.isAt(seat, addresses)) {
                    return new Names(Optional.of(name), Set.of(), Map.of());
                }
                if (addresses.isEmpty() && place.hasPortOf(seat)) {
                    unknown.add(name);
                } else if (place.isNamed(seat)) {
                    elsewhere.put(name, text(addresses));
                }
            }
            return new Names(Optional.empty(), unknown, elsewhere);
        }

        private static String text(List<InetAddress> addresses) {
            return addresses.stream().map(InetAddress::getHostAddress).collect(Collectors.joining(", "));
        }
    }

    private static Set<String> names(Collection<String> texts, int port) {
        int otherwise = port == 0 ? ClusterOptions.DEFAULT_PORT : port;
        return texts.stream()
                .map(Peer::parse)
                .map(peer -> peer.named(otherwise))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
