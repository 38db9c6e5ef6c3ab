package io.shardbus.membership.detection;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jgroups.stack.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ports of this host on which processes listen, as Linux lists them. The list may omit a socket while others are
 * opened and closed, so it is a hint that saves connection attempts, never a proof.
 */
final class KernelPorts {
    private static final Logger LOG = LoggerFactory.getLogger(KernelPorts.class);
    /** Java listens on IPv4 addresses with IPv6 sockets, unless {@code java.net.preferIPv4Stack} is set. */
    private static final List<Path> TABLES = List.of(Path.of("/proc/self/net/tcp"), Path.of("/proc/self/net/tcp6"));

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final String LISTENS = "0A";
    private static final int HEX = 16;

    private KernelPorts() {}

    /**
     * Whether all peers are on the loopback and no process seems to listen on any of their ports. False if the system
     * has no such list.
     */
    static boolean areIdle(Collection<IpAddress> peers) {
        if (!peers.stream().allMatch(peer -> peer.getIpAddress().isLoopbackAddress())
                || !Files.isReadable(TABLES.get(0))) {
            return false;
        }
        Set<Integer> ports = peers.stream().map(IpAddress::getPort).collect(Collectors.toSet());
        try {
            for (var table : TABLES) {
                if (Files.isReadable(table)
                        && isListening(Files.readAllLines(table, StandardCharsets.US_ASCII), ports)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            LOG.debug("the list of sockets cannot be read", e);
            return false;
        }
    }

    private static boolean isListening(List<String> table, Set<Integer> ports) {
        return table.stream()
                .map(line -> line.strip().split("\\s+", STATE + 2))
                .filter(columns -> columns.length > STATE && columns[STATE].equals(LISTENS))
                .map(columns -> columns[LOCAL_ADDRESS])
                .anyMatch(
                        address -> ports.contains(Integer.parseInt(address.substring(address.indexOf(':') + 1), HEX)));
    }
}
