package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.shardbus.integration.TestCluster;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.protocols.pbcast.GMS;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Of two members one has lost the other, which has not noticed: as after a freeze, until the merge. */
@Timeout(60)
class CreditsIT {
    private static final String STACK = """
            <config xmlns="urn:org:jgroups">
              <TCP bind_addr="127.0.0.1" bind_port="%d" port_range="0" diag.enabled="false"
                bundler_type="io.shardbus.membership.detection.QuietBundler"/>
              <TCPPING initial_hosts="%s" port_range="0"/>
              <pbcast.NAKACK2 use_mcast_xmit="false"/>
              <UNICAST3/>
              <pbcast.STABLE/>
              <pbcast.GMS print_local_addr="false" join_timeout="2000"/>
              <%s max_credits="200k" min_threshold="0.4"/>
              <%s max_credits="200k" min_threshold="0.4"/>
              <FRAG4 frag_size="60000"/>
            </config>
            """;

    /** Together five times the credits. */
    private static final int MESSAGES = 20;

    private static final byte[] MESSAGE = new byte[50_000];
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private final List<JChannel> members = new ArrayList<>();

    @BeforeEach
    void oneLosesTheOther() throws Exception {
        var ports = Stream.generate(TestCluster::freePort).distinct().limit(2).toList();
        var hosts =
                String.join(",", ports.stream().map("127.0.0.1[%d]"::formatted).toList());
        for (int port : ports) {
            var stack = STACK.formatted(port, hosts, UnicastCredits.class.getName(), MulticastCredits.class.getName());
            var member = new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)));
            members.add(member);
            member.connect("credits");
        }
        assertEquals(2, members.get(1).getView().size());
        var loser = members.get(0);
        loser.getProtocolStack()
                .<GMS>findProtocol(GMS.class)
                .installView(View.create(
                        loser.getAddress(), loser.getView().getViewId().getId() + 1, loser.getAddress()));
    }

    @AfterEach
    void closeAll() {
        members.forEach(JChannel::close);
    }

    @Test
    @DisplayName("who was excluded and does not know it yet is not kept waiting for credits by who has excluded him")
    void unicast() {
        allLeave(members.get(0).getAddress());
    }

    @Test
    @DisplayName("nor when he sends to all")
    void multicast() {
        allLeave(null);
    }

    private void allLeave(Address target) {
        var lost = members.get(1);
        assertTimeoutPreemptively(DEADLINE, () -> {
            for (int i = 0; i < MESSAGES; i++) {
                lost.send(new BytesMessage(target, MESSAGE));
            }
        });
    }
}
