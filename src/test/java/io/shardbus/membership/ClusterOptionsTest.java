package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestAuthority;
import io.shardbus.options.ClusterOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jgroups.JChannel;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ClusterOptionsTest {
    @Test
    void jsonGoesInAndOut() {
        var json = new JsonObject()
                .put("clusterName", "orders")
                .put("nodeName", "n1")
                .put("bindAddress", "10.0.0.1")
                .put("bindPort", 7900)
                .put("peers", new JsonArray().add("10.0.0.2").add("[fe80::1]:7801"))
                .put("seats", new JsonArray().add("10.0.0.1:7900").add("10.0.0.2"))
                .put("trustRefusedPorts", true)
                .put("infinispanConfig", "conf/infinispan.xml")
                .put("jgroupsConfig", "conf/jgroups-lan.xml")
                .put(
                        "tls",
                        new JsonObject()
                                .put("certificate", "node.pem")
                                .put("key", "key.pem")
                                .put("trust", "ca.pem")
                                .put("minimumVersion", "TLSv1.2")
                                .put("reloadIntervalMs", 1000L));
        var options = new ClusterOptions(json);
        options.validate();
        assertEquals(json, options.toJson());
        assertEquals(json, new ClusterOptions(options).toJson());
    }

    @Test
    void emptyJsonIsTheDefaults() {
        var options = new ClusterOptions(new JsonObject());
        options.validate();
        assertEquals(new ClusterOptions().toJson(), options.toJson());
        assertEquals("shardbus", options.getClusterName());
    }

    @Test
    void namesAnUnknownKey() {
        assertRefused(() -> new ClusterOptions(new JsonObject().put("clustername", "x")), "clustername", "clusterName");
    }

    @Test
    void namesAValueOfTheWrongKind() {
        assertRefused(() -> new ClusterOptions(new JsonObject().put("bindPort", "7800")), "bindPort", "whole number");
        assertRefused(() -> new ClusterOptions(new JsonObject().put("peers", "a,b")), "peers", "a,b", "array");
        assertRefused(() -> new ClusterOptions(new JsonObject().put("clusterName", 1)), "clusterName", "string");
        assertRefused(() -> new ClusterOptions(new JsonObject().put("tls", "node.pem")), "tls", "object");
        assertRefused(
                () -> new ClusterOptions(new JsonObject().put("tls", new JsonObject().put("cert", "x"))),
                "tls.cert",
                "certificate, key");
    }

    @Test
    void namesKeyValueAndRange() {
        assertRefused(new ClusterOptions().setBindPort(65_536)::validate, "bindPort", "65536", "65535");
        assertRefused(new ClusterOptions().setBindPort(-1)::validate, "bindPort", "-1");
        assertRefused(new ClusterOptions().setClusterName("a b")::validate, "clusterName", "a b");
        assertRefused(new ClusterOptions().setNodeName("")::validate, "nodeName");
        assertRefused(new ClusterOptions().setBindAddress(" ")::validate, "bindAddress");
        assertRefused(new ClusterOptions().setPeers(List.of("a:b"))::validate, "peers", "a:b");
        assertRefused(new ClusterOptions().setPeers(List.of("127.0.0.1:0"))::validate, "peers", "127.0.0.1:0");
        assertRefused(new ClusterOptions().setPeers(List.of("127.0.0.1:70000"))::validate, "peers", "70000");
        assertRefused(new ClusterOptions().setTls(new TlsOptions())::validate, "tls.certificate", "PEM file");
    }

    /** Otherwise each host founds a cluster of its own, in silence. */
    @Test
    void refusesPeersElsewhereOnTheLoopback() {
        var peers = List.of("127.0.0.1", "10.0.0.2");
        assertRefused(new ClusterOptions().setPeers(peers)::validate, "peers", "10.0.0.2", "bindAddress");
        assertRefused(
                new ClusterOptions()
                        .setJgroupsConfig("x")
                        .setBindAddress("localhost")
                        .setPeers(peers)::validate,
                "10.0.0.2",
                "localhost");
        new ClusterOptions().setBindAddress("10.0.0.1").setPeers(peers).validate();
        new ClusterOptions().setJgroupsConfig("x").setPeers(peers).validate();
    }

    @Test
    void namesAFileThatDoesNotExist() {
        assertRefused(
                () -> ShardbusClusterManager.create(new ClusterOptions().setJgroupsConfig("no/such.xml")),
                "jgroupsConfig",
                "no/such.xml");
        assertRefused(
                () -> ShardbusClusterManager.create(new ClusterOptions().setInfinispanConfig("no/such.xml")),
                "infinispanConfig",
                "no/such.xml");
    }

    @Test
    @DisplayName("a stack with connections that would not be encrypted is refused, with what to put in their place")
    void refusesAStackWithoutTls(@TempDir Path directory) throws Exception {
        var tls = new TestAuthority("test").node(directory, "node");
        for (var stack : List.of("<TCP_NIO2 bind_port=\"7800\"/><FD_SOCK2/>", "<UDP/><FD_SOCK2/>")) {
            var xml = "<config xmlns=\"urn:org:jgroups\">" + stack + "</config>";
            try (var channel = new JChannel(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))) {
                var message = assertThrows(
                                IllegalStateException.class,
                                () -> new ClusterTls(tls).requireEncrypted(channel.getProtocolStack()))
                        .getMessage();
                assertTrue(message.contains("(use TCP)") && message.contains("SocketWatch"), message);
            }
        }
    }

    private static void assertRefused(Executable action, String... parts) {
        var message = assertThrows(IllegalArgumentException.class, action).getMessage();
        for (var part : parts) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
    }
}
