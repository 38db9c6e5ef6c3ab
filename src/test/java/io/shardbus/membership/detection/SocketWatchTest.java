package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestCluster;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketWatchTest {
    /** What a watch waits for an answer. */
    private static final long ATTEMPT_MS = 20_000;

    private static final int OFFSET = 100;

    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false"/>
              <TCPPING initial_hosts="127.0.0.1[%d]" port_range="0"/>
              <%s offset="%d" port_range="0" connect_timeout="%d"/>
              <io.shardbus.membership.detection.SuspectCheck timeout="500"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS print_local_addr="false" join_timeout="500"/>
            </config>
            """;

    @Test
    @DisplayName("a member that does not answer the watch keeps nobody from installing a view")
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

    private static JChannel channel(int port, int firstPort, int offset) throws Exception {
        var stack = STACK.formatted(port, firstPort, SocketWatch.class.getName(), offset, ATTEMPT_MS);
        return new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)));
    }
}
