package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.status.Status;
import io.shardbus.options.ClusterOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jgroups.JChannel;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.dns.DNS_PING;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** The files that users edit say what the built-in ones say, and what must hold in all of them holds. */
class ConfFilesTest {
    private static final Path CONF = Path.of("conf");
    private static final Path BUILT_IN = Path.of("src/main/resources/shardbus");

    @ParameterizedTest
    @ValueSource(strings = {"infinispan.xml", "jgroups-loopback.xml"})
    void saysTheSameAsTheBuiltInFile(String file) throws Exception {
        assertEquals(elements(BUILT_IN.resolve(file)), elements(CONF.resolve(file)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jgroups-lan.xml", "jgroups-kubernetes.xml"})
    void noticesFailuresAsTheBuiltInStackDoes(String file) throws Exception {
        var builtIn = elements(BUILT_IN.resolve("jgroups-loopback.xml"));
        var found = elements(CONF.resolve(file));
        for (var protocol : List.of(
                "io.shardbus.membership.detection.SocketWatch",
                "io.shardbus.membership.detection.HeartbeatWatch",
                "io.shardbus.membership.detection.UnicastCredits",
                "io.shardbus.membership.detection.MulticastCredits",
                "io.shardbus.membership.detection.SuspectCheck",
                "MERGE3",
                "pbcast.NAKACK2",
                "UNICAST3")) {
            assertEquals(builtIn.get(protocol), found.get(protocol), protocol);
        }
        assertEquals("true", found.get("TCP").get("tcp_nodelay"));
        assertEquals(builtIn.get("TCP").get("bundler_type"), found.get("TCP").get("bundler_type"));
    }

    @Test
    void theBuiltInStackNoticesAFreezeInFourSeconds() throws Exception {
        var stack = elements(BUILT_IN.resolve("jgroups-loopback.xml"));
        assertEquals(
                Map.of("timeout", "4000", "interval", "1000"),
                stack.get("io.shardbus.membership.detection.HeartbeatWatch"));
        assertEquals(Map.of("timeout", "500"), stack.get("io.shardbus.membership.detection.SuspectCheck"));
        assertEquals(Map.of("min_interval", "1000", "max_interval", "5000"), stack.get("MERGE3"));
        assertEquals("true", stack.get("TCP").get("tcp_nodelay"));
    }

    @Test
    void theStackForKubernetesAsksForThePeersName() throws Exception {
        var options = new ClusterOptions()
                .setJgroupsConfig("conf/jgroups-kubernetes.xml")
                .setBindAddress("127.0.0.1")
                .setPeers(List.of("shardbus-headless.default.svc.cluster.local"));
        try (var channel = new JChannel(new ByteArrayInputStream(stack(options).getBytes(StandardCharsets.UTF_8)))) {
            var stack = channel.getProtocolStack();
            DNS_PING discovery = stack.findProtocol(DNS_PING.class);
            assertEquals("shardbus-headless.default.svc.cluster.local", discovery.getValue("dns_query"));
            TCP transport = stack.findProtocol(TCP.class);
            assertEquals("127.0.0.1", transport.getBindAddress().getHostAddress());
        }
    }

    @Test
    void theStackForKubernetesBindsToThePodsAddress() {
        var options = new ClusterOptions()
                .setJgroupsConfig("conf/jgroups-kubernetes.xml")
                .setPeers(List.of("x.svc"));
        assertTrue(stack(options).contains("bind_addr=\"SITE_LOCAL\""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jgroups-lan.xml", "jgroups-kubernetes.xml"})
    void aStackForSeveralHostsNeedsToBeToldThePeers(String file) {
        var options = new ClusterOptions().setJgroupsConfig("conf/" + file).setBindAddress("127.0.0.1");
        var failure = assertThrows(IllegalArgumentException.class, () -> stack(options));
        assertTrue(failure.getMessage().startsWith("peers: not set"), failure.getMessage());
    }

    @Test
    void theStackForALanNeedsToBeToldTheAddress() {
        var options =
                new ClusterOptions().setJgroupsConfig("conf/jgroups-lan.xml").setPeers(List.of("10.0.0.1"));
        var failure = assertThrows(IllegalArgumentException.class, () -> stack(options));
        assertTrue(failure.getMessage().startsWith("bindAddress: not set"), failure.getMessage());
    }

    @Test
    void logsLittleOfTheClusterBelow() throws Exception {
        var context = new LoggerContext();
        var configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(CONF.resolve("logback.xml").toFile());
        assertEquals(Level.INFO, context.getLogger("io.shardbus.membership").getEffectiveLevel());
        assertEquals(Level.WARN, context.getLogger("org.infinispan.CLUSTER").getEffectiveLevel());
        assertEquals(Level.WARN, context.getLogger("org.jgroups.protocols").getEffectiveLevel());
        assertTrue(context.getStatusManager().getCopyOfStatusList().stream()
                .allMatch(status -> status.getLevel() == Status.INFO));
        context.stop();
    }

    private static String stack(ClusterOptions options) {
        return ClusterConfiguration.stack(options, ConfFilesTest.class.getClassLoader());
    }

    /** The elements with their attributes; comments and layout do not count. Names are unique enough. */
    private static Map<String, Map<String, String>> elements(Path file) throws Exception {
        var found = new TreeMap<String, Map<String, String>>();
        var nodes = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readAllBytes(file)))
                .getElementsByTagName("*");
        for (int i = 0; i < nodes.getLength(); i++) {
            var element = (Element) nodes.item(i);
            var attributes = new TreeMap<String, String>();
            for (int j = 0; j < element.getAttributes().getLength(); j++) {
                var attribute = element.getAttributes().item(j);
                attributes.put(attribute.getNodeName(), attribute.getNodeValue());
            }
            var name = element.getTagName();
            found.put(attributes.containsKey("name") ? name + " " + attributes.get("name") : name, attributes);
        }
        return found;
    }
}
