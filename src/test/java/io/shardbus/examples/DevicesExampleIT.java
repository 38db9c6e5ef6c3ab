package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.integration.TestCluster;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What examples/devices promises: idle devices are passivated, remembered ones come back. */
@Tag("slow")
class DevicesExampleIT {
    private static final Path SCRIPT = Path.of("examples/devices/run.sh").toAbsolutePath();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long LONGEST_EXIT_S = 30;

    private final int port = TestCluster.freePort();
    private Process process;

    @TempDir
    private Path directory;

    @AfterEach
    void kill() {
        process.destroyForcibly();
    }

    private void start(String log) throws IOException {
        var builder = new ProcessBuilder(
                        SCRIPT.toString(), directory.resolve("data").toString(), Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(output(log).toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        process = builder.start();
        Await.until(
                () -> "not ready: " + lines(log),
                () -> lines(log).stream().anyMatch(line -> line.startsWith("ready: ")));
    }

    private Path output(String log) {
        return directory.resolve(log);
    }

    private List<String> lines(String log) {
        try {
            return Files.readAllLines(output(log));
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    private JsonObject send(String method, String path, int status) {
        try {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .timeout(Duration.ofSeconds(20))
                    .build();
            var response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(status, response.statusCode(), response::body);
            return new JsonObject(response.body());
        } catch (ConnectException e) {
            throw new AssertionError("no listener is there", e);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private JsonObject region(String type) {
        return send("GET", "/sharding/api/types/" + type, 200)
                .getJsonArray("regions")
                .getJsonObject(0);
    }

    @Test
    void putsSensorsAwayAndBringsAlarmsBack() throws Exception {
        start("first");
        for (int i = 1; i <= 30; i++) {
            send("POST", "/sensors/s" + i + "/" + i + ".5", 200);
        }
        var oldest = send("GET", "/sensors/s1", 200);
        assertEquals(0, oldest.getInteger("reports"), "the limit has put it away");
        send("POST", "/alarms/door/1", 200);
        send("POST", "/alarms/roof/0", 200);
        send("POST", "/pumps/one/1", 400);
        send("POST", "/alarms/door/open", 400);
        Await.until(
                () -> region("sensors"),
                () -> region("sensors").getInteger("live") == 0
                        && region("sensors").getInteger("passivated") >= 30);
        assertEquals(2, region("alarms").getInteger("live"));
        process.destroy();
        assertTrue(process.waitFor(LONGEST_EXIT_S, TimeUnit.SECONDS), "still runs");
        assertEquals(0, process.exitValue(), () -> lines("first").toString());

        start("second");
        Await.until(() -> region("alarms"), () -> region("alarms").getInteger("live") == 2);
        assertEquals(2, region("alarms").getInteger("remembered"));
        assertEquals(0, region("sensors").getInteger("live"));
        assertEquals("REMEMBERED", send("GET", "/alarms/door", 200).getString("started"));
        assertEquals("MESSAGE", send("GET", "/sensors/s1", 200).getString("started"));
        assertTrue(lines("second").contains("alarms: one starts, REMEMBERED"));
    }
}
