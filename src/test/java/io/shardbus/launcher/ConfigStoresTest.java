package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launcher's file that names stores of vertx-config. */
class ConfigStoresTest {
    private static final String PROPERTY = "shardbus-of-test.handoffTimeoutMs";

    @TempDir
    private Path folder;

    @AfterEach
    void forget() {
        System.clearProperty(PROPERTY);
    }

    private LauncherConfig read(JsonObject file) throws IOException {
        var path = Files.writeString(folder.resolve("node.json"), file.encode());
        return LauncherConfig.read(path, Map.of("SITE", folder.toString(), "SHARDS", "30")::get);
    }

    private static JsonObject store(String type, JsonObject config) {
        return new JsonObject().put("type", type).put("config", config);
    }

    @Test
    @DisplayName("Files and system properties replace what the file says, later ones what earlier ones say; variables"
            + " stand in all of them")
    void mergesStores() throws IOException {
        Files.writeString(
                folder.resolve("site.json"),
                "{\"numberOfShards\": \"${SHARDS}\", \"mailboxSize\": 7, \"splitBrain\": {\"role\": \"a\"}}");
        System.setProperty(PROPERTY, "12345");
        var config = read(new JsonObject()
                .put("numberOfShards", 20)
                .put("bufferSize", 50)
                .put("splitBrain", new JsonObject().put("strategy", "keep-oldest"))
                .put(
                        "configStores",
                        new JsonArray()
                                .add(store("file", new JsonObject().put("path", "${SITE}/site.json")))
                                .add(store("file", new JsonObject().put("path", "${SITE}/none.json"))
                                        .put("optional", true))
                                .add(store("json", new JsonObject().put("mailboxSize", 8)))
                                .add(store("sys", new JsonObject().put("hierarchical", true))
                                        .put("from", "shardbus-of-test"))));
        assertEquals(30, config.sharding().getNumberOfShards());
        assertEquals(50, config.sharding().getBufferSize());
        assertEquals(8, config.sharding().getMailboxSize());
        assertEquals(12_345, config.sharding().getHandoffTimeoutMs());
        assertEquals("keep-oldest", config.sharding().getSplitBrain().getStrategy(), "objects are merged");
        assertEquals("a", config.sharding().getSplitBrain().getRole());
    }

    @Test
    @DisplayName("What stands for itself, in the file or in a store, is not read as a variable afterwards")
    void resolvesVariablesOnce() throws IOException {
        Files.writeString(folder.resolve("site.json"), "{\"appVersion\": \"$${SHARDS}\"}");
        var config = read(new JsonObject()
                .put("stateStoreDirectory", "$${SHARDS}/${SHARDS}")
                .put(
                        "configStores",
                        new JsonArray()
                                .add(store("file", new JsonObject().put("path", "${SITE}/site.json")))
                                .add(store("json", new JsonObject().put("clusterSecretFile", "$${NONE}")))));
        assertEquals("${SHARDS}/30", config.sharding().getStateStoreDirectory());
        assertEquals("${NONE}", config.sharding().getClusterSecretFile());
        assertEquals("${SHARDS}", config.sharding().getAppVersion());
    }

    @Test
    void namesTheStoreThatIsWrong() {
        var missing = store("file", new JsonObject().put("path", "/nowhere/site.json"));
        refuses(missing, "configStores[0].type: the store cannot be read: ");
        refuses(store("tea-leaves", new JsonObject()), "configStores[0].type: the store cannot be read: ");
        refuses(new JsonObject().put("typ", "file"), "configStores[0].typ: no such key");
        refuses(new JsonObject(), "configStores[0].type: must be set");
        refuses(store("json", new JsonObject().put("mailboxSise", 8)), "mailboxSise");
    }

    private void refuses(JsonObject store, String refusal) {
        var file = new JsonObject().put("configStores", new JsonArray().add(store));
        var message =
                assertThrows(IllegalArgumentException.class, () -> read(file)).getMessage();
        assertTrue(message.contains(refusal), message);
    }
}
