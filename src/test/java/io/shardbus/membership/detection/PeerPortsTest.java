package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Set;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

class PeerPortsTest {
    private static IpAddress of(ServerSocket socket) {
        return new IpAddress(socket.getInetAddress(), socket.getLocalPort());
    }

    private static ServerSocket open() throws Exception {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    private static IpAddress closedPort() throws Exception {
        try (var socket = open()) {
            return of(socket);
        }
    }

    @Test
    void namesThoseThatTakeConnections() throws Exception {
        var closed = closedPort();
        try (var first = open();
                var last = open()) {
            var found =
                    PeerPorts.look(List.of(of(first), closed, of(last)), 300).listening();
            assertEquals(Set.of(of(first), of(last)), Set.copyOf(found));
            assertEquals(2, found.size());
            assertEquals(List.of(), PeerPorts.look(List.of(closed), 300).listening());
            assertEquals(List.of(), PeerPorts.look(List.of(), 300).listening());
        }
    }
}
