package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestCluster;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of the tutorial: they compile, their test passes, and their node answers. */
class TutorialIT {
    private static final Pattern FILE =
            Pattern.compile("`src/(?:main|test)/java/(\\S+\\.java)`:\\s+```java\n(.*?)```", Pattern.DOTALL);
    private static final long LONGEST_STOP_S = 60;

    @TempDir
    private Path directory;

    private DocumentedCode code;

    @BeforeEach
    void compiles() throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        FILE.matcher(Files.readString(Path.of("docs", "tutorial.md")))
                .results()
                .forEach(file ->
                        sources.put(file.group(1), DocumentedCode.inAClusterOfItsOwn(file.group(2), "tutorial")));
        assertEquals(
                List.of(
                        "auction/AuctionMessage.java",
                        "auction/Auction.java",
                        "auction/AuctionTest.java",
                        "auction/AuctionNode.java"),
                List.copyOf(sources.keySet()));
        code = new DocumentedCode(directory);
        code.compile(sources);
    }

    @Test
    void itsTestPasses() throws Exception {
        try (var loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> test = loader.loadClass("auction.AuctionTest");
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            List<Method> methods = Arrays.stream(test.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .toList();
            assertEquals(2, methods.size());
            for (Method method : methods) {
                method.setAccessible(true);
                method.invoke(constructor.newInstance());
            }
        }
    }

    @Test
    void itsNodeTakesBids() throws Exception {
        int port = TestCluster.freePort();
        Process node = code.start("auction.AuctionNode", Integer.toString(port));
        try (var lines = node.inputReader()) {
            assertTrue(lines.lines().anyMatch(("ready on " + port)::equals), "it ended before it was ready");
            var first = bid(port, "{\"bidder\":\"ann\",\"amount\":5}");
            assertEquals(200, first.statusCode(), first::body);
            var lower = bid(port, "{\"bidder\":\"bob\",\"amount\":4}");
            assertEquals("409 4 is not more than 5", lower.statusCode() + " " + lower.body());
            node.destroy();
            assertTrue(node.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS), "it does not end");
            assertEquals(0, node.exitValue());
        } finally {
            node.destroyForcibly();
        }
    }

    private static HttpResponse<String> bid(int port, String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/auctions/vase/bids"))
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }
}
