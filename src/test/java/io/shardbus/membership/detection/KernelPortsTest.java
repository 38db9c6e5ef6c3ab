package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

class KernelPortsTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void aPortIsIdleUnlessAProcessListens() throws IOException {
        assumeTrue(Files.isReadable(Path.of("/proc/self/net/tcp")), "the kernel lists no sockets here");
        List<IpAddress> peers;
        try (var socket = new ServerSocket(0, 1, LOOPBACK)) {
            peers = List.of(new IpAddress(LOOPBACK, 1), new IpAddress(LOOPBACK, socket.getLocalPort()));
            assertFalse(KernelPorts.areIdle(peers));
        }
        assertTrue(KernelPorts.areIdle(peers));
    }

    @Test
    void nothingIsSaidOfAnotherHost() throws IOException {
        var other = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        assertFalse(KernelPorts.areIdle(List.of(new IpAddress(other, 1))));
    }
}
