package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.options.ClusterOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class StackTemplateTest {
    private static final String ALL = "${shardbus.cluster.bindAddress:lo} ${shardbus.cluster.bindPort:7800}"
            + "+${shardbus.cluster.portRange:9} ${shardbus.cluster.peers:x[1]}+${shardbus.cluster.peerPortRange:9}";

    @Test
    void whatIsNotSetIsTheStacksOwn() {
        assertEquals("lo 7800+9 x[1]+9", fill(ALL, new ClusterOptions()));
    }

    @Test
    void aGivenPortIsTheOnlyOne() {
        var options = new ClusterOptions().setBindAddress("10.0.0.1").setBindPort(9000);
        assertEquals("10.0.0.1 9000+0 x[1]+9", fill(ALL, options));
    }

    @Test
    void peersWithoutAPortAreLookedForWhereTheStackSays() {
        assertEquals(
                "a[7800],b[9]+3",
                fill(
                        "${shardbus.cluster.peers}+${shardbus.cluster.peerPortRange:3}",
                        new ClusterOptions().setPeers(List.of("a", "b:9"))));
        assertEquals(
                "::1[8],b[9]+0",
                fill(
                        "${shardbus.cluster.peers}+${shardbus.cluster.peerPortRange:0}",
                        new ClusterOptions().setPeers(List.of("[::1]:8", "b:9"))));
    }

    @Test
    void namesAreForTheDns() {
        var options = new ClusterOptions().setPeers(List.of("a.svc:7800", "a.svc:7801"));
        assertEquals("a.svc", fill("${shardbus.cluster.peerHosts}", options));
    }

    @Test
    void othersVariablesAreLeftAlone() {
        assertEquals("${jgroups.x:1} $1", fill("${jgroups.x:1} $1", new ClusterOptions()));
    }

    @Test
    void saysWhichOptionIsMissing() {
        var failure = assertThrows(
                IllegalArgumentException.class, () -> fill("${shardbus.cluster.peerHosts}", new ClusterOptions()));
        assertTrue(failure.getMessage().startsWith("peers: not set, but the JGroups stack test.xml needs it"));
    }

    private static String fill(String stack, ClusterOptions options) {
        return StackTemplate.fill("test.xml", stack, options);
    }
}
