package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.LogLines;
import io.shardbus.integration.TestCluster;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.protocols.TCP;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class QuietBundlerTest {
    private static final int MESSAGES = 100;
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false" bundler_type="%s"/>
              <TCPPING initial_hosts="127.0.0.1[%d]" port_range="0"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
            </config>
            """;

    @RepeatedTest(5)
    @DisplayName("a member that sends, and leaves in good order, warns of nothing")
    void orderlyEnd() throws Exception {
        int first = TestCluster.freePort();
        int second = TestCluster.freePort();
        var arrived = new CountDownLatch(MESSAGES);
        try (var warnings = new LogLines(TCP.class.getName())) {
            try (var receiver = channel(first, first);
                    var sender = channel(second, first)) {
                receiver.setReceiver(new Receiver() {
                    @Override
                    public void receive(Message message) {
                        arrived.countDown();
                    }
                });
                receiver.connect("quiet-bundler");
                sender.connect("quiet-bundler");
                assertEquals(2, sender.getView().size());
                for (int i = 0; i < MESSAGES; i++) {
                    sender.send(new BytesMessage(receiver.getAddress(), new byte[] {1}));
                }
                assertTrue(arrived.await(20, TimeUnit.SECONDS), arrived.getCount() + " missing");
            }
            assertEquals(List.of(), warnings.with("WARN"));
        }
    }

    private static JChannel channel(int port, int firstPort) throws Exception {
        var stack = STACK.formatted(port, QuietBundler.class.getName(), firstPort);
        return new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)));
    }
}
