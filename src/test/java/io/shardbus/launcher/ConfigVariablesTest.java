package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.options.AdminOptions;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Variables of the environment in the launcher's file. */
class ConfigVariablesTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "POD_IP", "127.0.0.7",
            "PORT", "7801",
            "SHARDS", "12",
            "LIMIT", "0.25",
            "PEERS", "127.0.0.7:7801, 127.0.0.8:7801",
            "YES", "true",
            "EMPTY", "",
            "BILL", "a$1\\b",
            "STRATEGY", "down-all",
            "BRACES", "a${b}");

    @TempDir
    private Path folder;

    private LauncherConfig read(String text) throws IOException {
        return LauncherConfig.read(Files.writeString(folder.resolve("node.json"), text), ENVIRONMENT::get);
    }

    @Test
    @DisplayName("The file's text of a variable's name, and the value of a variable that looks like one, stay as they"
            + " are")
    void areResolvedOnce() throws IOException {
        assertEquals(
                "${POD_IP}",
                read("{\"stateStoreDirectory\": \"$${POD_IP}\"}").sharding().getStateStoreDirectory());
        assertEquals(
                "a${b}",
                read("{\"stateStoreDirectory\": \"${BRACES}\"}").sharding().getStateStoreDirectory());
    }

    @Test
    void standInTheOptionsOfTheAdminResources() throws IOException {
        var config = read("""
                {"admin": {
                  "stateInspection": "${YES}", "allowedHosts": "${HOST:a.example}, b.example",
                  "environment": "${STAGE:prod}", "environmentColour": "red"
                }}
                """);
        assertEquals(
                new AdminOptions()
                        .setStateInspection(true)
                        .setAllowedHosts(Set.of("a.example", "b.example"))
                        .setEnvironment("prod")
                        .setEnvironmentColour("red"),
                config.admin().orElseThrow().options());
    }

    private static JsonObject resolve(String key, String text) {
        return ConfigVariables.resolve(new JsonObject().put(key, text), new JsonObject(), ENVIRONMENT::get);
    }

    @Test
    void standInTheFileOfANode() throws IOException {
        var config = read("""
                {
                  "roles": ["${ROLE:front}", "b"],
                  "numberOfShards": "${SHARDS}",
                  "minimumMembersOfRole": {"front": "${MEMBERS:2}"},
                  "rebalanceRelativeLimit": "${LIMIT}",
                  "serializeLocal": "${YES}",
                  "splitBrain": {"strategy": "${STRATEGY}"},
                  "cluster": {"bindAddress": "${POD_IP}", "bindPort": "${PORT}", "peers": "${PEERS}",
                    "tls": {"certificate": "a", "key": "b", "trust": "c", "reloadIntervalMs": "${NONE:${SHARDS}00}"}},
                  "eventBus": {"port": "${BUS_PORT:7700}"},
                  "regions": [{
                    "type": "greeter-${SHARDS}", "messageClass": "java.lang.String", "numberOfShards": "${SHARDS}",
                    "entityClass": "io.shardbus.launcher.Greeter", "proxy": "${PROXY:false}"
                  }],
                  "admin": {"host": "${POD_IP}", "port": "${ADMIN:8081}", "readOnly": "${YES}"}
                }
                """);
        assertEquals(
                List.of("b", "front"),
                config.sharding().getRoles().stream().sorted().toList());
        assertEquals(12, config.sharding().getNumberOfShards());
        assertEquals(Map.of("front", 2), config.sharding().getMinimumMembersOfRole());
        assertEquals(1200, config.cluster().getTls().getReloadIntervalMs());
        assertEquals(0.25, config.sharding().getRebalanceRelativeLimit());
        assertTrue(config.sharding().isSerializeLocal());
        assertEquals("down-all", config.sharding().getSplitBrain().getStrategy());
        assertEquals("127.0.0.7", config.cluster().getBindAddress());
        assertEquals(7801, config.cluster().getBindPort());
        assertEquals(
                List.of("127.0.0.7:7801", "127.0.0.8:7801"), config.cluster().getPeers());
        assertEquals(7700, config.eventBus().getPort());
        assertEquals("greeter-12", config.regions().get(0).getString("type"));
        assertEquals(12, config.regions().get(0).getInteger("numberOfShards"));
        var admin = config.admin().orElseThrow();
        assertEquals("127.0.0.7", admin.host());
        assertEquals(8081, admin.port());
    }

    @ParameterizedTest
    @CsvSource({
        "'x ${POD_IP} y ${PORT}', 'x 127.0.0.7 y 7801'",
        "'${NONE:a:b}', 'a:b'",
        "'${NONE:}', ''",
        "'${EMPTY:otherwise}', ''",
        "'${NONE:${POD_IP}}:${PORT}', '127.0.0.7:7801'",
        "'${NONE:a ${NOR:b ${POD_IP}} c}', 'a b 127.0.0.7 c'",
        "'${PORT:${NONE}}', '7801'",
        "'x ${', 'x ${'",
        "'$${POD_IP}', '${POD_IP}'",
        "'${BILL}', 'a$1\\b'",
        "'$5 {PORT}', '$5 {PORT}'",
        "'${PORT}', '7801'"
    })
    void areTextsInTexts(String text, String expected) {
        assertEquals(expected, resolve("nodeName", text).getString("nodeName"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"cluster\": {\"bindAddress\": \"${NOWHERE}\"}} | cluster.bindAddress: ${NOWHERE} needs the variable"
                        + " NOWHERE of the environment, which is not set; set it, or give"
                        + " another value: ${NOWHERE:value}",
                "{\"nodeName\": \"${NONE:${NOWHERE}}\"} | nodeName: ${NOWHERE} needs the variable NOWHERE",
                "{\"cluster\": {\"bindPort\": \"${POD_IP}\"}} | cluster.bindPort: ${POD_IP} is"
                        + " \"127.0.0.7\", no number",
                "{\"serializeLocal\": \"${PORT}\"} | serializeLocal: ${PORT} is \"7801\", neither true nor false",
                "{\"regions\": [{\"type\": \"${TYPE}\"}]} | regions[0].type: ${TYPE} needs the variable TYPE",
                "{\"roles\": [\"a\", \"${a b}\"]} | roles[1]: ${a b} does not name a variable",
                "{\"eventBus\": {\"port\": \"${EMPTY}\"}} | eventBus.port: ${EMPTY} is \"\", no number"
            })
    void areRefusedWithTheirKeyAndName(String text, String refusal) {
        var failure = assertThrows(IllegalArgumentException.class, () -> read(text));
        assertTrue(String.valueOf(failure.getMessage()).startsWith(refusal), failure.getMessage());
    }
}
