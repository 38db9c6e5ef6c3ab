package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

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
                .put("jgroupsConfig", "conf/jgroups-lan.xml");
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
    }

    /** Otherwise each host founds a cluster of its own, and nobody says a word. */
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

    private static void assertRefused(Executable action, String... parts) {
        var message = assertThrows(IllegalArgumentException.class, action).getMessage();
        for (var part : parts) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
    }
}
