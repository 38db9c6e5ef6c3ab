package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestCluster;
import io.vertx.core.json.JsonObject;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
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
    /** A class, what is replaced in it, the imports of the replacement, and the replacement. */
    private static final Pattern CHANGE = Pattern.compile(
            "In `(\\w+)`, write this in place of `([^`]+)`:\\s+```java\n((?:import [^\n]+\n)*)\n?(.*?)\n```",
            Pattern.DOTALL);
    /** How many of the changes the feed needs; one more stores the bids. */
    private static final int OF_THE_FEED = 3;

    private static final String EVENT = "data: ";
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
                        "auction/AuctionNode.java",
                        "auction/AuctionFeed.java",
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
    void itsListenersHearOfBidsUntilTheNodeLeaves() throws Exception {
        compileWithChanges(OF_THE_FEED);
        try (var node = new Node(TestCluster.freePort())) {
            Iterator<String> feed = node.listen();
            assertEquals(200, node.bid("ann", 5).statusCode());
            assertEquals(bid("ann", 5), event(feed));
            assertEquals(409, node.bid("bob", 4).statusCode());
            assertEquals(200, node.bid("bob", 6).statusCode());
            assertEquals(bid("bob", 6), event(feed));
            node.process.destroy();
            feed.forEachRemaining(line -> assertEquals("", line));
            assertTrue(node.process.waitFor(LONGEST_STOP_S, TimeUnit.SECONDS), "it does not end");
            assertEquals(0, node.process.exitValue());
        }
    }

    private static JsonObject bid(String bidder, int amount) {
        return new JsonObject()
                .put("id", "vase")
                .put("bidder", bidder)
                .put("amount", amount)
                .put("closed", false);
    }

    private static JsonObject event(Iterator<String> feed) {
        String line = feed.next();
        while (line.isEmpty() || line.startsWith(":")) {
            line = feed.next();
        }
        assertTrue(line.startsWith(EVENT), line);
        return new JsonObject(line.substring(EVENT.length()));
    }

    /** Compiles the classes after so many of the changes that the tutorial makes later. */
    private void compileWithChanges(int number) {
        List<MatchResult> changes = CHANGE.matcher(text).results().toList();
        assertEquals(OF_THE_FEED + 1, changes.size());
        Map<String, String> changed = new LinkedHashMap<>();
        for (MatchResult change : changes.subList(0, number)) {
            String file = "auction/" + change.group(1) + ".java";
            String before = changed.getOrDefault(file, sources.get(file));
            assertEquals(2, before.split(Pattern.quote(change.group(2)), -1).length, change::group);
            changed.put(
                    file,
                    before.replace(change.group(2), change.group(4).strip())
                            .replaceFirst("\nimport ", "\n" + change.group(3) + "import "));
        }
        String store = "\"" + directory.resolve("auctions.db") + "\"";
        changed.replaceAll((file, plain) -> plain.replace("\"auctions.db\"", store));
        code.compile(changed);
    }

    @Test
    void itsStoredBidsSurviveACrash() throws Exception {
        compileWithChanges(OF_THE_FEED + 1);
        int port = TestCluster.freePort();
        try (var node = new Node(port)) {
            Iterator<String> feed = node.listen();
            assertEquals(200, node.bid("ann", 5).statusCode());
            assertEquals(bid("ann", 5), event(feed));
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
            List<String> said = new ArrayList<>();
            assertTrue(
                    process.inputReader().lines().peek(said::add).anyMatch(("ready on " + port)::equals),
                    () -> "it ended before it was ready: " + said);
        }

        HttpResponse<String> bid(String bidder, int amount) throws IOException, InterruptedException {
            return post("vase", "{\"bidder\":\"" + bidder + "\",\"amount\":" + amount + "}");
        }

        /** The lines of the vase's feed, which has begun; each waits for the next one. */
        Iterator<String> listen() throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(uri("vase/events")).build();
            Iterator<String> lines = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request, BodyHandlers.ofLines())
                    .body()
                    .iterator();
            assertEquals(": listening", lines.next());
            return lines;
        }

        private URI uri(String path) {
            return URI.create("http://127.0.0.1:" + port + "/auctions/" + path);
        }

        HttpResponse<String> post(String auction, String body) throws IOException, InterruptedException {
            var request = HttpRequest.newBuilder(uri(auction + "/bids"))
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
