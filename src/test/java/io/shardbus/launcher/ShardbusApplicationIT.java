package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that Vert.x's application launcher starts, with the hooks of Shardbus. */
@Timeout(180)
@Tag("slow")
class ShardbusApplicationIT {
    private static final int PORT = 8080;
    private static final int DEPLOYMENT_FAILED = 15;

    private final List<String> hosts = LoopbackHosts.of(2);
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void kill() {
        processes.forEach(Process::destroyForcibly);
    }

    private JsonObject options() {
        var cluster = new JsonObject()
                .put("clusterName", "application")
                .put("bindAddress", "${GREETER_HOST}")
                .put("peers", new JsonArray(hosts));
        return new JsonObject()
                .put("eventLoopPoolSize", 2)
                .put(
                        "shardbus",
                        new JsonObject()
                                .put("cluster", cluster)
                                .put("sharding", new JsonObject().put("numberOfShards", 10)));
    }

    private void start(String host, JsonObject options, JsonObject config) throws IOException {
        var name = "node" + processes.size();
        var file = Files.writeString(folder.resolve(name + ".json"), options.encodePrettily());
        var classPath = String.join(
                File.pathSeparator,
                "target/classes",
                "target/test-classes",
                Files.readString(Path.of("target/examples/classpath")),
                System.getProperty("java.class.path"));
        var builder = new ProcessBuilder(
                        "java",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath,
                        ShardbusApplication.class.getName(),
                        "-options",
                        file.toString(),
                        "-conf",
                        config.encode(),
                        GreetingVerticle.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("GREETER_HOST", host);
        processes.add(builder.start());
    }

    private String log(int node) {
        try {
            return Files.readString(folder.resolve("node" + node + ".log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void start(String host) throws IOException {
        start(host, options(), new JsonObject().put("host", host).put("port", PORT));
    }

    private void awaitReady(int node) throws InterruptedException {
        while (log(node).lines().noneMatch("ready"::equals)) {
            assertFalse(processes.get(node).waitFor(20, TimeUnit.MILLISECONDS), () -> log(node));
        }
    }

    private static String greet(String host, String name) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://" + host + ":" + PORT + "/" + name))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private void endsWith(int status, int node) throws InterruptedException {
        var process = processes.get(node);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), () -> log(node));
        assertEquals(status, process.exitValue(), () -> log(node));
    }

    @Test
    void nodesMeetAndLeaveInGoodOrder() throws Exception {
        start(hosts.get(0));
        start(hosts.get(1));
        awaitReady(0);
        awaitReady(1);
        for (var host : hosts) {
            assertEquals("hello you, I am g", greet(host, "you"));
        }
        processes.get(0).destroy();
        endsWith(0, 0);
        assertEquals("hello you, I am g", greet(hosts.get(1), "you"));
        assertFalse(log(1).contains(" lost"), () -> log(1));
        processes.get(1).destroy();
        endsWith(0, 1);
    }

    @Test
    void aVerticleThatFailsEndsTheProcessWithTheLaunchersStatus() throws Exception {
        start(hosts.get(0), options(), new JsonObject().put("broken", true));
        endsWith(DEPLOYMENT_FAILED, 0);
        assertTrue(log(0).contains("broken by configuration"), () -> log(0));
    }

    @Test
    void aWrongKeyIsNamed() throws Exception {
        var options = options();
        options.getJsonObject("shardbus").getJsonObject("cluster").put("bindPrt", 7800);
        start(hosts.get(0), options, new JsonObject());
        assertTrue(processes.get(0).waitFor(60, TimeUnit.SECONDS));
        assertTrue(processes.get(0).exitValue() != 0, () -> log(0));
        assertTrue(log(0).startsWith("shardbus: shardbus.cluster.bindPrt: "), () -> log(0));
    }
}
