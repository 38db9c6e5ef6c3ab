package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Seats;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How processes of one host see each other. */
@Timeout(60)
class HostLocksTest {
    private static final int PORT = 7800;
    private static final String SEAT = "127.0.0.1_7800";

    @TempDir
    Path root;

    @TempDir
    Path ofAnother;

    private final String cluster = "locks-" + UUID.randomUUID();
    private HostLocks locks;

    @BeforeEach
    void locks() {
        locks = in(root);
    }

    private HostLocks in(Path directory) {
        return new HostLocks(directory, cluster, InetAddress.getLoopbackAddress());
    }

    private HostLocks.Held take(HostLocks from) {
        return from.tryAcquire(PORT).orElseThrow();
    }

    private void removeFiles() throws IOException {
        try (Stream<Path> found = Files.walk(root)) {
            for (Path file : found.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aLockIsSeenUntilItIsReleased() {
        HostLocks.Held held = take(locks);
        assertEquals(Set.of(SEAT), locks.held());
        assertTrue(locks.tryAcquire(PORT).isEmpty());
        assertEquals(Set.of(SEAT), locks.held(), "an attempt takes nothing away");
        held.release();
        assertEquals(Set.of(), locks.held());
        take(locks).release();
    }

    @Test
    void clustersDoNotSeeEachOther() {
        HostLocks.Held held = take(locks);
        HostLocks others = new HostLocks(root, cluster + "2", InetAddress.getLoopbackAddress());
        assertEquals(Set.of(), others.held());
        take(others).release();
        held.release();
    }

    @Test
    void aFileThatNoProcessHoldsIsRemoved() throws IOException {
        Path file = root.resolve(cluster).resolve(SEAT + ".lock");
        Files.createDirectories(file.getParent());
        Files.createFile(file);
        assertEquals(Set.of(), locks.held());
        assertTrue(Files.notExists(file));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLockIsSeenWhereItsFileWasRemoved() throws IOException {
        HostLocks.Held held = take(locks);
        removeFiles();
        assertEquals(Set.of(SEAT), locks.held());
        assertTrue(in(ofAnother).tryAcquire(PORT).isEmpty());
        held.release();
        assertEquals(Set.of(), locks.held());
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessWithATemporaryDirectoryOfItsOwnIsSeen() {
        HostLocks.Held held = take(in(ofAnother));
        assertEquals(Set.of(SEAT), locks.held());
        held.release();
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aSocketIsEnoughWhereNoFileCanBeMade() throws IOException {
        Path noDirectory = Files.createFile(root.resolve("file"));
        HostLocks.Held held = take(in(noDirectory));
        assertEquals(Set.of(SEAT), locks.held());
        held.release();
        assertEquals(Set.of(), locks.held());
    }

    @Test
    void aFileIsEnoughWhereThePortIsTaken() throws IOException {
        try (DatagramSocket everywhere = new DatagramSocket(null)) {
            everywhere.setReuseAddress(false);
            everywhere.bind(new InetSocketAddress(0));
            int port = everywhere.getLocalPort();
            HostLocks.Held held = locks.tryAcquire(port).orElseThrow();
            assertEquals(Set.of("127.0.0.1_" + port), locks.held());
            held.release();
            assertEquals(Set.of(), locks.held());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aProcessWhosePortIsTakenIsKnownToLiveAlsoWhereItsFileIsNotSeen() throws IOException {
        OwnPlace own = new OwnPlace(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT));
        ClusterSeats seats = new ClusterSeats(Seats.ofHost(own.name()), own, List.of(locks), address -> true);
        assertTrue(seats.tryToShowOwn());
        try (DatagramSocket everywhere = new DatagramSocket(null)) {
            everywhere.setReuseAddress(false);
            everywhere.bind(new InetSocketAddress(0));
            seats.occupied();
            assertTrue(seats.seesEveryProcess());
            HostLocks.Held hidden =
                    in(ofAnother).tryAcquire(everywhere.getLocalPort()).orElseThrow();
            assertEquals(Set.of(SEAT), seats.occupied(), "its place is not seen");
            assertFalse(seats.seesEveryProcess(), "nothing is founded without a wait");
            hidden.release();
            seats.occupied();
            assertTrue(seats.seesEveryProcess());
        } finally {
            seats.close();
        }
    }

    /** What one reading shows, and the next ones. */
    private record Readings(Deque<List<String>> left, List<String> last) implements HostMarks.Table {
        @Override
        public boolean isThere() {
            return true;
        }

        @Override
        public List<String> lines() {
            List<String> next = left.poll();
            return next == null ? last : next;
        }
    }

    private String line(int port) {
        byte[] address = new HostMarks(cluster).address().getAddress();
        int number = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder()).getInt();
        return "  1: %08X:%04X 00000000:0000 07".formatted(number, port);
    }

    @Test
    void aSocketThatOneReadingOfTheListLeavesOutIsSeen() throws IOException {
        List<String> whole = List.of("header", line(7800), line(7801));
        List<String> torn = List.of("header", line(7801));
        HostMarks marks = new HostMarks(cluster, new Readings(new ArrayDeque<>(List.of(torn)), whole));
        assertEquals(Set.of(7800, 7801), marks.taken());
    }

    @Test
    void aListThatIsAnotherOneEachTimeSaysNothing() {
        Deque<List<String>> readings = new ArrayDeque<>();
        for (int port = 1; port <= 100; port++) {
            readings.add(List.of(line(port)));
        }
        HostMarks marks = new HostMarks(cluster, new Readings(readings, List.of()));
        assertThrows(IOException.class, marks::taken);
    }

    /** Holds the lock in a process of its own. */
    static final class Holder {
        private Holder() {}

        /** @param args the directory, and the cluster's name */
        public static void main(String[] args) throws IOException {
            HostLocks locks = new HostLocks(Path.of(args[0]), args[1], InetAddress.getLoopbackAddress());
            System.out.println(locks.tryAcquire(PORT).isPresent() ? "held" : "refused");
            int end = System.in.read();
            System.exit(end);
        }
    }

    private Process holder(Path directory) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        directory.toString(),
                        cluster)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line;
        do {
            line = new BufferedReader(process.inputReader()).readLine();
        } while (line != null && !line.equals("held") && !line.equals("refused"));
        assertEquals("held", line);
        return process;
    }

    @Test
    void anotherProcessIsSeenUntilItDies() throws Exception {
        Process process = holder(root);
        try {
            assertEquals(Set.of(SEAT), locks.held());
            assertTrue(locks.tryAcquire(PORT).isEmpty());
        } finally {
            process.destroyForcibly().waitFor();
        }
        assertEquals(Set.of(), locks.held());
        take(locks).release();
    }
}
