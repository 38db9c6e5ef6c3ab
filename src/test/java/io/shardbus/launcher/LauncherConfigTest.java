package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LauncherConfigTest {
    private static final Path SHIPPED = Path.of("conf", "sharding.json");

    @Test
    void theShippedFileStartsANodeWithDefaults() {
        var config = LauncherConfig.read(SHIPPED);
        assertEquals(new ShardingOptions(), config.sharding());
        assertEquals("shardbus", config.cluster().getClusterName());
        assertEquals("127.0.0.1", config.eventBus().getHost());
        assertEquals(List.of(), config.regions());
        assertEquals(Optional.empty(), config.admin());
    }

    @Test
    void whatTheShippedFileShowsInCommentsIsRightToo(@TempDir Path folder) throws IOException {
        var text = Files.readString(SHIPPED)
                .replace("//   ", "  ")
                .replace("com.example.Counter", Greeter.class.getName());
        var config = LauncherConfig.read(Files.writeString(
                folder.resolve("all.json"), text.replace("com.example.Message", String.class.getName())));
        assertEquals(1, config.regions().size());
        assertEquals("counter", config.regions().get(0).getString("type"));
        assertEquals(Optional.of(new LauncherConfig.Listener("127.0.0.1", 8080, new AdminOptions())), config.admin());
        assertEquals(3, config.cluster().getPeers().size());
        assertEquals(config.cluster().getBindAddress(), config.eventBus().getHost());
    }

    @Test
    void regionsShareTheOptionsOfTheNode() {
        var config =
                LauncherConfig.of(new JsonObject().put("roles", List.of("a")).put("regions", List.of(region())));
        assertEquals(config.sharding(), RegionConfig.of(config.regions().get(0)).sharding());
    }

    @Test
    void persistentRegionsThatNameNoStoreHaveThatOfTheFile() {
        var ofFile = new JsonObject().put("store", "sqlite").put("file", "a.db");
        var own = new JsonObject().put("store", "postgres").put("uri", "postgresql://db/a");
        var stored = region().putNull("entityClass").put("persistentFactory", StoredGreetings.class.getName());
        var config = LauncherConfig.of(new JsonObject()
                .put("persistence", ofFile)
                .put("regions", List.of(stored, stored.copy().put("persistence", own), region())));
        assertEquals(ofFile, config.regions().get(0).getJsonObject("persistence"));
        assertEquals(own, config.regions().get(1).getJsonObject("persistence"));
        assertFalse(config.regions().get(2).containsKey("persistence"));
        assertEquals(
                "postgres",
                RegionConfig.of(config.regions().get(1))
                        .stored()
                        .orElseThrow()
                        .store()
                        .toString());
    }

    @Test
    void theEventBusFollowsTheClustersAddress() {
        var cluster = new JsonObject().put("bindAddress", "127.0.0.5");
        assertEquals(
                "127.0.0.5",
                LauncherConfig.of(new JsonObject().put("cluster", cluster))
                        .eventBus()
                        .getHost());
        var own = new JsonObject()
                .put("host", "127.0.0.6")
                .put("port", 7701)
                .put("publicHost", "h")
                .put("publicPort", 80);
        var bus = LauncherConfig.of(new JsonObject().put("cluster", cluster).put("eventBus", own))
                .eventBus();
        assertEquals("127.0.0.6", bus.getHost());
        assertEquals(7701, bus.getPort());
        assertEquals("h", bus.getClusterPublicHost());
        assertEquals(80, bus.getClusterPublicPort());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'rols': []} | rols",
                "{'admn': {}} | did you mean 'admin'?",
                "{'numberOfShards': 0} | numberOfShards",
                "{'cluster': {'peer': []}} | cluster.peer",
                "{'cluster': {'bindPort': -1}} | cluster.bindPort",
                "{'cluster': 5} | cluster: must be an object",
                "{'eventBus': {'port': 70000}} | eventBus.port: 70000 is not a whole number from 0 to 65535",
                "{'eventBus': {'prt': 1}} | eventBus.prt: no such key",
                "{'eventBus': {'reconnectAttempts': 'two'}} | eventBus.reconnectAttempts: \"two\" is not a number",
                "{'eventBus': {'connectTimeout': 2500.5}} | eventBus.connectTimeout: \"2500.5\" is not a whole number",
                "{'eventBus': {'connectTimeout': 4294969796}} | eventBus.connectTimeout: \"4294969796\" is not a whole",
                "{'eventBus': {'ssl': true}} | eventBus.ssl: no such key",
                "{'eventBus': {'tls': {'kei': 'a'}}} | eventBus.tls: unknown option 'tls.kei'",
                "{'admin': {'host': ''}} | admin.host",
                "{'admin': {'ports': 1}} | admin.ports: no such key",
                "{'admin': {'environmentColour': 'pink'}} | admin: environmentColour: 'pink' is none of grey",
                "{'regions': {}} | regions: must be an array",
                "{'regions': [5]} | regions[0]: must be an object",
                "{'regions': [{'type': 'a'}]} | regions[0].messageClass: must be set",
                "{'daemons': [{'workerClass': 'no.such.Worker'}]} | daemons[0].workerClass: class no.such.Worker",
                "{'daemons': [{'workerClass': 'io.shardbus.launcher.ShardedDaemonVerticleTest$Reader', 'worker': 3}]}"
                        + " | daemons[0].",
                "{'singletons': [{'verticleClass': 'java.lang.String'}]} | singletons[0].verticleClass",
                "{'singletons': [{'name': 'a', 'sharding': {}}]} | singletons[0].sharding: belongs to the top",
                "{'regions': [{'type': 'a', 'sharding': {}}]} | regions[0].sharding: belongs to the top",
                "{'dataCenter': {}} | dataCenter: option 'name' = \"\"",
                "{'dataCenter': {'name': 'east', 'prt': 1}} | dataCenter: unknown option 'prt'",
                "{'regions': [{'type': 'a', 'dataCenter': 'east'}]} | regions[0].dataCenter: needs the section",
                "{'dataCenter': {'name': 'east'}, 'regions': [{'type': 'a', 'dataCenter': 'west'}]}"
                        + " | regions[0].dataCenter: \"west\" is not this data center",
                "{'singletons': [{'name': 'a', 'dataCenter': 'east'}]} | singletons[0].dataCenter: needs the section",
                "{'dataCenter': {'name': 'east'}, 'singletons': [{'name': 'a', 'dataCenter': 'west'}]}"
                        + " | singletons[0].dataCenter: \"west\" is not this data center",
                "{'dataCenter': {'name': 'e', 'others': {'w': ['127.0.0.1:1']}}, 'singletons': [{'name': 'a b',"
                        + " 'dataCenter': 'w'}]} | singletons[0].option 'name'",
                "{'dataCenter': {'name': 'e', 'others': {'w': ['127.0.0.1:1']}}, 'singletons': [{'name': 'a',"
                        + " 'messageClass': 'java.lang.Thread', 'dataCenter': 'w'}]} | singletons[0].messageClass: ",
                "{'dataCenter': {'name': 'e'}, 'regions': [{'type': 'a', 'messageClass': 'java.lang.String',"
                        + " 'dataCenter': 'e', 'proxy': true}]}"
                        + " | regions[0].dataCenter: a proxy is one within this data center"
            })
    void refusesAndNamesTheKey(String json, String refusal) {
        var config = new JsonObject(json.replace('\'', '"'));
        var message = assertThrows(IllegalArgumentException.class, () -> LauncherConfig.of(config))
                .getMessage();
        assertTrue(message.contains(refusal), message);
    }

    @Test
    void optionsKnowTheSectionsBesideThem() {
        for (var section : LauncherConfig.OWN_KEYS) {
            var json = new JsonObject().put(section, new JsonObject());
            var message = assertThrows(IllegalArgumentException.class, () -> new ShardingOptions(json))
                    .getMessage();
            assertTrue(message.contains("section of the launcher's file"), message);
        }
    }

    private static JsonObject region() {
        return new JsonObject()
                .put("type", "greeter")
                .put("messageClass", String.class.getName())
                .put("entityClass", Greeter.class.getName());
    }

    @Test
    @DisplayName("The event bus takes all that EventBusOptions has, and certificates of its own")
    void theEventBusTakesWhatItsOptionsHave() {
        JsonObject json = new JsonObject()
                .put("port", 7701)
                .put("reconnectAttempts", 3)
                .put("tcpNoDelay", false)
                .put("idleTimeout", 9)
                .put("clusterPingInterval", 5000)
                .put(
                        "tls",
                        new JsonObject()
                                .put("certificate", "n.pem")
                                .put("key", "k.pem")
                                .put("trust", "c.pem"));
        EventBusOptions bus =
                LauncherConfig.of(new JsonObject().put("eventBus", json)).eventBus();
        assertEquals(7701, bus.getPort());
        assertEquals(3, bus.getReconnectAttempts());
        assertFalse(bus.isTcpNoDelay());
        assertEquals(9, bus.getIdleTimeout());
        assertEquals(5000, bus.getClusterPingInterval());
        assertEquals(3000, bus.getClusterPingReplyInterval(), "what is not named stays as the launcher has it");
        assertTrue(bus.isSsl());
        assertEquals(ClientAuth.REQUIRED, bus.getClientAuth());
    }

    @Test
    void tlsOfTheClusterSecuresTheEventBus() {
        JsonObject tls = new JsonObject()
                .put("certificate", "node.pem")
                .put("key", "key.pem")
                .put("trust", "ca.pem");
        JsonObject cluster = new JsonObject().put("tls", tls);
        EventBusOptions bus =
                LauncherConfig.of(new JsonObject().put("cluster", cluster)).eventBus();
        assertTrue(bus.isSsl());
        assertFalse(bus.isTrustAll());
        assertEquals(ClientAuth.REQUIRED, bus.getClientAuth());
        assertFalse(LauncherConfig.of(new JsonObject()).eventBus().isSsl());
    }
}
