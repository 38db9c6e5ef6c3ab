package io.shardbus.membership;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets by which the processes of a cluster see each other on a host: each binds the port of its cluster traffic, for
 * UDP, at an address of the loopback that stands for the cluster's name; no datagram is ever sent. The kernel lists
 * them for every process of the network namespace, also where each sees other files, and removes them with their
 * process. Linux only: elsewhere nothing is taken and nothing found.
 */
final class HostMarks {
    private static final Logger LOG = LoggerFactory.getLogger(HostMarks.class);
    private static final Path TABLE = Path.of("/proc/self/net/udp");
    private static final int LOCAL_ADDRESS = 1;
    private static final int HEX = 16;

    private final InetAddress address;

    HostMarks(String name) {
        this.address = addressOf(name);
    }

    /** One of 127.64.0.1 to 127.191.255.254: other software hardly uses these. */
    private static InetAddress addressOf(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            byte[] bytes = {
                127, (byte) (64 + (digest[0] & 127)), digest[1], (byte) (1 + Byte.toUnsignedInt(digest[2]) % 254)
            };
            return InetAddress.getByAddress(bytes);
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    InetAddress address() {
        return address;
    }

    /** Empty where that is not possible: another process has the port, or the system has no such list. */
    Optional<DatagramChannel> take(int port) {
        if (!Files.isReadable(TABLE)) {
            return Optional.empty();
        }
        try {
            var channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                channel.bind(new InetSocketAddress(address, port));
                return Optional.of(channel);
            } catch (IOException e) {
                LOG.debug("port {} for UDP cannot be bound at {}", port, address, e);
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("no socket can be made", e);
        }
        return Optional.empty();
    }

    /**
     * The ports that processes have bound.
     *
     * @throws IOException if the list cannot be read where there is one
     */
    Set<Integer> taken() throws IOException {
        var ports = new TreeSet<Integer>();
        if (Files.isReadable(TABLE)) {
            var own = inTable(address);
            for (var line : Files.readAllLines(TABLE, StandardCharsets.US_ASCII)) {
                var columns = line.strip().split("\\s+", LOCAL_ADDRESS + 2);
                if (columns.length > LOCAL_ADDRESS && columns[LOCAL_ADDRESS].startsWith(own)) {
                    ports.add(Integer.parseInt(columns[LOCAL_ADDRESS].substring(own.length()), HEX));
                }
            }
        }
        return ports;
    }

    /** As the kernel writes it: a number in the order of the processor's bytes. */
    private static String inTable(InetAddress address) {
        int number = ByteBuffer.wrap(address.getAddress())
                .order(ByteOrder.nativeOrder())
                .getInt();
        return String.format("%08X:", number);
    }
}
