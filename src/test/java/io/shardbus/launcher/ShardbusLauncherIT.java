package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process. */
@Tag("slow")
class ShardbusLauncherIT {
    private static final int ADMIN_PORT = 8080;

    @TempDir
    private Path folder;

    private Process process;

    @AfterEach
    void kill() {
        process.destroyForcibly();
    }

    @Test
    void startsWhatTheFileNamesAndLeavesInGoodOrder() throws Exception {
        var host = LoopbackHosts.of(1).get(0);
        launch(config(host));
        try (var out = process.inputReader()) {
            assertTrue(readyLine(out).startsWith("ready"), this::errors);
        }
        var types =
                get("http://" + host + ":" + ADMIN_PORT + "/sharding/api/types").getJsonArray("types");
        assertEquals("greeter", types.getJsonObject(0).getString("name"));
        process.destroy();
        assertEquals(0, exit());
    }

    @Test
    void saysInOneLineWhatIsWrongWithTheFile() throws Exception {
        launch(config("127.0.0.1").put("numberOfShards", 0));
        assertEquals(2, exit());
        var lines = errors();
        assertTrue(lines.startsWith("shardbus: ") && lines.contains("numberOfShards"), lines);
        assertEquals(1, lines.lines().count(), lines);
    }

    @Test
    @DisplayName("CONF-03 a split-brain strategy that cannot be made ends the process")
    void doesNotRunWithoutItsStrategy() throws Exception {
        launch(config("127.0.0.1").put("splitBrain", new JsonObject().put("strategy", "com.example.Missing")));
        assertEquals(2, exit());
        var lines = errors();
        assertTrue(lines.contains("shardbus: option 'splitBrain.strategy' = \"com.example.Missing\""), lines);
    }

    @Test
    @DisplayName("CONF-01 a node with another mode of the store is refused, and its process ends within 5 s")
    void endsWhenItIsRefused() throws Exception {
        var hosts = LoopbackHosts.of(2);
        launch(config(hosts.get(0)));
        var first = process;
        try (var out = first.inputReader()) {
            assertTrue(readyLine(out).startsWith("ready"), this::errors);
            launch(joining(config(hosts.get(1)), hosts)
                    .put("stateStoreMode", "durable")
                    .put("stateStoreDirectory", folder.resolve("data").toString()));
            while (process.isAlive() && !errors().contains("stateStoreMode is 'durable' here and 'replicated'")) {
                Thread.onSpinWait();
            }
            assertTrue(errors().contains("stateStoreMode is 'durable' here"), this::errors);
            assertTrue(process.waitFor(5, TimeUnit.SECONDS), this::errors);
            assertEquals(2, process.exitValue());
        } finally {
            first.destroyForcibly();
        }
    }

    private static JsonObject joining(JsonObject config, List<String> peers) {
        config.getJsonObject("cluster").put("peers", new JsonArray(peers));
        return config;
    }

    @Test
    void saysThatThereIsNoFile() throws Exception {
        process = java(folder.resolve("none.json"));
        assertEquals(2, exit());
        assertTrue(errors().startsWith("shardbus: cannot read configuration file"), this::errors);
    }

    private static JsonObject config(String host) {
        return new JsonObject()
                .put(
                        "cluster",
                        new JsonObject()
                                .put("clusterName", "launcher")
                                .put("bindAddress", host)
                                .put("peers", JsonArray.of(host)))
                .put(
                        "regions",
                        JsonArray.of(new JsonObject()
                                .put("type", "greeter")
                                .put("messageClass", String.class.getName())
                                .put("entityClass", Greeter.class.getName())))
                .put("admin", new JsonObject().put("host", host).put("port", ADMIN_PORT));
    }

    private void launch(JsonObject config) throws IOException {
        process = java(Files.writeString(folder.resolve("node.json"), config.encodePrettily()));
    }

    private Process java(Path config) throws IOException {
        var classPath = String.join(
                File.pathSeparator,
                "target/classes",
                "target/test-classes",
                Files.readString(Path.of("target/examples/classpath")));
        return new ProcessBuilder(
                        "java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        ShardbusLauncher.class.getName(),
                        config.toString())
                .redirectError(folder.resolve("errors").toFile())
                .start();
    }

    private static String readyLine(BufferedReader out) throws IOException {
        var line = out.readLine();
        while (line != null && !line.startsWith("ready")) {
            line = out.readLine();
        }
        return String.valueOf(line);
    }

    private int exit() throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), this::errors);
        return process.exitValue();
    }

    private String errors() {
        try (var lines = Files.lines(folder.resolve("errors"))) {
            return lines.collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static JsonObject get(String uri) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(uri)).build();
        return new JsonObject(HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body());
    }
}
