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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sockets by which the processes of a cluster see each other on a host. Each process binds the UDP port with the number
 * of its cluster traffic at a loopback address that is computed from the cluster's name; no datagram is ever sent. The
 * kernel lists the sockets for every process of the network namespace, independent of file systems, and removes them
 * with their process. A process whose port other software has taken binds any port at a second address of the cluster,
 * so that the others know that a process lives whose seat they do not know. Linux only: on other systems no socket is
 * bound and none is found.
 */
final class HostMarks {
    private static final Logger LOG = LoggerFactory.getLogger(HostMarks.class);
    private static final Path TABLE = Path.of("/proc/self/net/udp");
    private static final int LOCAL_ADDRESS = 1;
    private static final int HEX = 16;
    private static final int MOST_READS = 16;

    private final Table table;
    private final InetAddress address;
    private final InetAddress second;

    /** The list of the kernel's UDP sockets. */
    interface Table {
        boolean isThere();

        /** Reads it once; the kernel may omit a line while sockets come and go. */
        List<String> lines() throws IOException;
    }

    private static final class OfKernel implements Table {
        @Override
        public boolean isThere() {
            return Files.isReadable(TABLE);
        }

        @Override
        public List<String> lines() throws IOException {
            return Files.readAllLines(TABLE, StandardCharsets.US_ASCII);
        }
    }

    HostMarks(String name) {
        this(name, new OfKernel());
    }

    HostMarks(String name, Table table) {
        this.table = table;
        this.address = addressOf(name, 64, 128);
        this.second = addressOf(name, 192, 32);
    }

    /**
     * One of 127.64.0.1 to 127.191.255.254, or of 127.192.0.1 to 127.223.255.254: other software rarely uses these.
     *
     * @param lowest smallest value of its second byte
     * @param span number of values of its second byte, a power of two
     */
    private static InetAddress addressOf(String name, int lowest, int span) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            byte[] bytes = {
                127,
                (byte) (lowest + (digest[0] & (span - 1))),
                digest[1],
                (byte) (1 + Byte.toUnsignedInt(digest[2]) % 254)
            };
            return InetAddress.getByAddress(bytes);
        } catch (NoSuchAlgorithmException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    InetAddress address() {
        return address;
    }

    /**
     * Binds the port at the cluster's address. Empty if another process has the port, or the system has no list of
     * sockets.
     */
    Optional<DatagramChannel> take(int port) {
        return bind(address, port);
    }

    /**
     * Binds any port at the second address, for a process that could not take its own port: this shows that a process
     * lives, but not its seat. Empty as {@link #take}.
     */
    Optional<DatagramChannel> takeWithoutPlace() {
        return bind(second, 0);
    }

    private Optional<DatagramChannel> bind(InetAddress at, int port) {
        if (!table.isThere()) {
            return Optional.empty();
        }
        try {
            var channel = DatagramChannel.open(StandardProtocolFamily.INET);
            try {
                channel.bind(new InetSocketAddress(at, port));
                return Optional.of(channel);
            } catch (IOException e) {
                LOG.debug("port {} for UDP cannot be bound at {}", port, at, e);
                channel.close();
            }
        } catch (IOException e) {
            LOG.debug("no UDP socket can be opened", e);
        }
        return Optional.empty();
    }

    /**
     * The ports that processes have bound at the cluster's address; none if the system has no list of sockets.
     *
     * @throws IOException if the list exists and cannot be read
     */
    Set<Integer> taken() throws IOException {
        return portsAt(address);
    }

    /**
     * Whether a process lives whose seat is not known.
     *
     * @throws IOException if the list exists and cannot be read
     */
    boolean hasUnplaced() throws IOException {
        return !portsAt(second).isEmpty();
    }

    /**
     * The kernel writes the list piece by piece, and continues by the number of sockets that it has passed: if one is
     * closed meanwhile, another is omitted. A socket that one reading shows exists; the list is complete when two
     * readings in a row agree.
     */
    private Set<Integer> portsAt(InetAddress at) throws IOException {
        var all = new TreeSet<Integer>();
        Set<Integer> before = Set.of();
        for (int reads = 0; table.isThere() && reads < MOST_READS; reads++) {
            var found = readPortsAt(at);
            all.addAll(found);
            if (reads > 0 && found.equals(before)) {
                return all;
            }
            before = found;
        }
        if (table.isThere()) {
            throw new IOException("the list of UDP sockets changed in each of " + MOST_READS + " readings");
        }
        return all;
    }

    private Set<Integer> readPortsAt(InetAddress at) throws IOException {
        var ports = new TreeSet<Integer>();
        var own = inTable(at);
        for (var line : table.lines()) {
            var columns = line.strip().split("\\s+", LOCAL_ADDRESS + 2);
            if (columns.length > LOCAL_ADDRESS && columns[LOCAL_ADDRESS].startsWith(own)) {
                ports.add(Integer.parseInt(columns[LOCAL_ADDRESS].substring(own.length()), HEX));
            }
        }
        return ports;
    }

    /** An address as the kernel writes it: a hexadecimal number in the processor's byte order. */
    private static String inTable(InetAddress address) {
        int number = ByteBuffer.wrap(address.getAddress())
                .order(ByteOrder.nativeOrder())
                .getInt();
        return String.format("%08X:", number);
    }
}
