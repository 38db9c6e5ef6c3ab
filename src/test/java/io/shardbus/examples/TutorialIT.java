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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The classes of the tutorial: they compile, their test passes, and their node answers. */
@Tag("slow")
class TutorialIT {
    private static final Pattern FILE =
            Pattern.compile("`src/(?:main|test)/java/(\\S+\\.java)`:\\s+```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern STORED =
            Pattern.compile("in place of `([^`]+)`:\\s+```java\n((?:import [^\n]+\n)+)\n(.*?)\n```", Pattern.DOTALL);
    private static final String NODE = "auction/AuctionNode.java";
    private static final long LONGEST_STOP_S = 60;

    /** Bodies of requests that are no bids. */
    private static final List<String> STRANGE = List.of(
            "",
            "{",
            "[]",
            "7",
            "null",
            "{}",
            "{\"bidder\":\"ann\"}",
            "{\"amount\":9}",
            "{\"bidder\":null,\"amount\":9}",
            "{\"bidder\":7,\"amount\":9}",
            "{\"bidder\":\"ann\",\"amount\":\"9\"}",
            "{\"bidder\":\"ann\",\"amount\":9.5}",
            "{\"bidder\":\"ann\",\"amount\":99999999999999999999}");

    @TempDir
    private Path directory;

    private final Map<String, String> sources = new LinkedHashMap<>();
    private String text;
    private DocumentedCode code;

    @BeforeEach
    void compiles() throws IOException {
        text = Files.readString(Path.of("docs", "tutorial.md"));
        FILE.matcher(text)
                .results()
                .forEach(file ->
                        sources.put(file.group(1), DocumentedCode.inAClusterOfItsOwn(file.group(2), "tutorial")));
        assertEquals(
                List.of(
                        "auction/AuctionMessage.java",
                        "auction/Auction.java",
                        "auction/AuctionTest.java",
                        NODE,
                        "auction/StoredAuction.java",
                        "auction/StoredAuctionTest.java"),
                List.copyOf(sources.keySet()));
        code = new DocumentedCode(directory);
        code.compile(sources);
    }

    @Test
    void itsTestsPass() throws Exception {
        try (var loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            assertEquals(2, pass(loader.loadClass("auction.AuctionTest")));
            assertEquals(1, pass(loader.loadClass("auction.StoredAuctionTest")));
        }
    }

    /** How many tests the class has; all have passed. */
    private static int pass(Class<?> test) throws ReflectiveOperationException {
        Constructor<?> constructor = test.getDeclaredConstructor();
        constructor.setAccessible(true);
        List<Method> methods = Arrays.stream(test.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Test.class))
                .toList();
        for (Method method : methods) {
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
        }
        return methods.size();
    }

    @Test
    void itsNodeTakesBids() throws Exception {
        int port = TestCluster.freePort();
        try (var node = new Node(port)) {
            assertEquals(200, node.bid("ann", 5).statusCode());
            var lower = node.bid("bob", 4);
            assertEquals("409 4 is not more than 5", lower.statusCode() + " " + lower.body());
            for (String strange : STRANGE) {
                assertEquals(400, node.post("vase", strange).statusCode(), strange);
            }
            assertEquals(
                    400, node.post("%00", "{\"bidder\":\"ann\",\"amount\":9}").statusCode());
            node.process.destroy();
            assertTrue(node.process.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS), "it does not end");
            assertEquals(0, node.process.exitValue());
        }
    }

    @Test
    void itsStoredBidsSurviveACrash() throws Exception {
        Matcher change = STORED.matcher(text);
        assertTrue(change.find());
        String plain = sources.get(NODE);
        assertTrue(plain.contains(change.group(1)));
        String file = directory.resolve("auctions.db").toString();
        String stored = plain.replace(
                        change.group(1), change.group(3).strip().replace("\"auctions.db\"", "\"" + file + "\""))
                .replaceFirst("\nimport ", "\n" + change.group(2) + "import ");
        code.compile(Map.of(NODE, stored));
        int port = TestCluster.freePort();
        try (var node = new Node(port)) {
            assertEquals(200, node.bid("ann", 5).statusCode());
        }
        try (var next = new Node(port)) {
            var lower = next.bid("bob", 4);
            assertEquals("409 4 is not more than 5", lower.statusCode() + " " + lower.body());
        }
    }

    /** A process that is ready; it crashes with the end of the block if it still runs. */
    private final class Node implements AutoCloseable {
        private final int port;
        private final Process process;

        Node(int port) throws IOException {
            this.port = port;
            process = code.start("auction.AuctionNode", Integer.toString(port));
            assertTrue(
                    process.inputReader().lines().anyMatch(("ready on " + port)::equals),
                    "it ended before it was ready");
        }

        HttpResponse<String> bid(String bidder, int amount) throws IOException, InterruptedException {
            return post("vase", "{\"bidder\":\"" + bidder + "\",\"amount\":" + amount + "}");
        }

        HttpResponse<String> post(String auction, String body) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/auctions/" + auction + "/bids"))
                    .POST(BodyPublishers.ofString(body))
                    .build();
            return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}
