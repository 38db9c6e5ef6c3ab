package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.TestAuthority;
import io.shardbus.integration.TestCluster;
import io.shardbus.membership.tls.NodeTls;
import io.shardbus.membership.tls.TlsSockets;
import io.shardbus.options.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.Version;
import org.jgroups.View;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SocketWatchTest {
    /** What a watch waits for an answer. */
    private static final long ATTEMPT_MS = 20_000;

    private static final long STOCK_ATTEMPT_MS = 1000;

    private static final int OFFSET = 100;

    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false"
                bundler_type="io.shardbus.membership.detection.QuietBundler"/>
              <io.shardbus.membership.detection.PeerSearch initial_hosts="127.0.0.1[%d]" port_range="0"/>
              <%s offset="%d" port_range="0" connect_timeout="%d"/>
              <io.shardbus.membership.detection.SuspectCheck timeout="500"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS print_local_addr="false" join_timeout="1000"/>
            </config>
            """;

    @Test
    @DisplayName("a member that does not answer the watch does not delay a view")
    void silentNeighbour() throws Exception {
        int port = TestCluster.freePort();
        // a port that the system gives to clients says nothing about the one a hundred below it
        int silentPort = TestCluster.freePort();
        var views = new CountDownLatch(1);
        try (var silent = new ServerSocket(silentPort + OFFSET, 1, InetAddress.getLoopbackAddress());
                var first = channel(port, port, OFFSET);
                var second = channel(silentPort, port, 2 * OFFSET)) {
            assertTrue(silent.isBound());
            first.setReceiver(new Receiver() {
                @Override
                public void viewAccepted(View view) {
                    if (view.size() == 2) {
                        views.countDown();
                    }
                }
            });
            first.connect("socket-watch");
            second.connect("socket-watch");
            assertTrue(views.await(ATTEMPT_MS / 2, TimeUnit.MILLISECONDS), "the first member sees the second");
        }
    }

    @Test
    @DisplayName("with TLS two members watch each other, and one whose connections end is left out without heartbeats")
    void deadNeighbour(@TempDir Path directory) throws Exception {
        int port = TestCluster.freePort();
        int deadPort = TestCluster.freePort();
        try (var first = channel(port, port, OFFSET, STOCK_ATTEMPT_MS);
                var second = channel(deadPort, port, OFFSET, STOCK_ATTEMPT_MS)) {
            var authority = new TestAuthority("test");
            secure(first, authority.node(directory, "first"));
            secure(second, authority.node(directory, "second"));
            first.connect("socket-watch");
            second.connect("socket-watch");
            Await.until(first::getView, () -> first.getView().size() == 2);
            SocketWatch watch = first.getProtocolStack().findProtocol(SocketWatch.class);
            SocketWatch dying = second.getProtocolStack().findProtocol(SocketWatch.class);
            Await.until(watch::getClientState, () -> watch.getClientState().equals("CONNECTED"));
            Await.until(dying::getClientState, () -> dying.getClientState().equals("CONNECTED"));
            second.getProtocolStack().getTransport().down(new Event(Event.DISCONNECT));
            dying.stop();
            Await.until(first::getView, () -> first.getView().size() == 1);
        }
    }

    @Test
    @DisplayName("two members watch each other again after their connections have ended")
    void endedConnections() throws Exception {
        int port = TestCluster.freePort();
        int deadPort = TestCluster.freePort();
        try (var first = channel(port, port, OFFSET, STOCK_ATTEMPT_MS);
                var second = channel(deadPort, port, OFFSET, STOCK_ATTEMPT_MS)) {
            first.connect("socket-watch");
            second.connect("socket-watch");
            Await.until(first::getView, () -> first.getView().size() == 2);
            SocketWatch watch = first.getProtocolStack().findProtocol(SocketWatch.class);
            SocketWatch dying = second.getProtocolStack().findProtocol(SocketWatch.class);
            Await.until(watch::getClientState, () -> watch.getClientState().equals("CONNECTED"));
            Await.until(dying::getClientState, () -> dying.getClientState().equals("CONNECTED"));
            var connections = server(watch);
            connections.clearConnections();
            var place = new IpAddress(InetAddress.getLoopbackAddress(), deadPort + OFFSET);
            Await.until(watch::printConnections, () -> connections.hasConnection(place));
            Await.until(watch::getClientState, () -> watch.getClientState().equals("CONNECTED"));
            second.getProtocolStack().getTransport().down(new Event(Event.DISCONNECT));
            dying.stop();
            Await.until(first::getView, () -> first.getView().size() == 1);
        }
    }

    private static NioServer server(SocketWatch watch) throws ReflectiveOperationException {
        var field = FD_SOCK2.class.getDeclaredField("srv");
        field.setAccessible(true);
        return (NioServer) field.get(watch);
    }

    private static void secure(JChannel channel, TlsOptions tls) {
        channel.getProtocolStack().getTransport().setSocketFactory(new TlsSockets(NodeTls.of(tls)));
    }

    @Test
    @DisplayName("a client of the port that announces a long message gets no room for it")
    void announcedLength() throws Exception {
        int port = TestCluster.freePort();
        try (var member = channel(port, port, OFFSET)) {
            member.connect("socket-watch");
            try (var client = new Socket(InetAddress.getLoopbackAddress(), port + OFFSET)) {
                var bytes = new ByteArrayOutputStream();
                var out = new DataOutputStream(bytes);
                var place = new IpAddress(InetAddress.getLoopbackAddress(), 1);
                out.writeBytes("bela");
                out.writeShort(Version.version);
                out.writeShort(place.serializedSize());
                place.writeTo(out);
                out.writeInt(100_000);
                client.getOutputStream().write(bytes.toByteArray());
                client.setSoTimeout(10_000);
                assertTrue(ends(client), "the connection ends");
            }
        }
    }

    private static boolean ends(Socket client) throws IOException {
        try {
            return client.getInputStream().read() == -1;
        } catch (SocketException e) {
            return true;
        }
    }

    private static JChannel channel(int port, int firstPort, int offset) throws Exception {
        return channel(port, firstPort, offset, ATTEMPT_MS);
    }

    private static JChannel channel(int port, int firstPort, int offset, long attempt) throws Exception {
        var stack = STACK.formatted(port, firstPort, SocketWatch.class.getName(), offset, attempt);
        return new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)));
    }
}
