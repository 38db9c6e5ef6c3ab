package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** What the page says while its node answers slowly, in part, or not at all, in a real browser. */
@Tag("slow")
@WholeMachine
class TroubledPageIT {
    private static final EntityType<String> TYPE = EntityType.of("text", String.class);
    private static final EntityType<String> KEPT = EntityType.of("kept", String.class);
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    /** Longer than the page's shortest period, which is 2 s. */
    private static final long SLOW_MS = 3_000;

    /** What is done with a request whose address has such a part, in place of the usual answer. */
    private static final Map<String, Handler<RoutingContext>> INSTEAD = new ConcurrentHashMap<>();

    private static final List<String> SCRIPTS = new ArrayList<>();
    private static Browser browser;
    private static ClusterTestKit cluster;
    private static String page;

    @BeforeAll
    static void start() {
        browser = Browser.open();
        cluster = ClusterTestKit.create();
        cluster.startNode(ClusterTestKit.options());
        cluster.startType(EntityDefinition.of(TYPE, id -> (message, context) -> Future.succeededFuture(message)));
        cluster.startType(EntityDefinition.of(KEPT, id -> (message, context) -> Future.succeededFuture(message))
                .withRememberEntities(true));
        touch(TYPE, "a1");
        page = serve();
    }

    private static void touch(EntityType<String> type, String id) {
        await(cluster.node(0).sharding().entityRef(type, id).request("go", String.class, DEADLINE));
    }

    private static String serve() {
        var node = cluster.node(0);
        var router = Router.router(node.vertx());
        router.route("/sharding/*").handler(TroubledPageIT::instead);
        router.route("/sharding/*")
                .subRouter(AdminRouter.create(node.vertx(), node.sharding(), new AdminOptions().setReadOnly(false)));
        int port = await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        return "http://127.0.0.1:" + port + "/sharding/ui/";
    }

    private static void instead(RoutingContext request) {
        INSTEAD.entrySet().stream()
                .filter(entry -> request.request().uri().contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .ifPresentOrElse(found -> found.handle(request), request::next);
    }

    @AfterAll
    static void stop() {
        try {
            if (browser != null) {
                browser.close();
            }
        } finally {
            if (cluster != null) {
                cluster.close();
            }
        }
    }

    /** Runs a script at the begin of each page of this test. */
    private static void before(String script) {
        SCRIPTS.add(browser.beforeEachPage(script));
    }

    @BeforeEach
    void usual() {
        SCRIPTS.forEach(browser::forget);
        SCRIPTS.clear();
        INSTEAD.clear();
        browser.usualWidth();
        browser.complaints();
    }

    /** Answers as usual, but late; counts the questions that are open at a time. */
    private static Handler<RoutingContext> late(AtomicInteger open, AtomicInteger most) {
        return request -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            request.addEndHandler(ended -> open.decrementAndGet());
            request.vertx().setTimer(SLOW_MS, fired -> request.next());
        };
    }

    @Test
    @DisplayName("an answer that takes longer than the view's period is shown, and no second question is"
            + " open meanwhile")
    void showsAnswersThatComeLate() {
        var open = new AtomicInteger();
        var most = new AtomicInteger();
        INSTEAD.put("/entities/a1", late(open, most));
        browser.load(page + "?view=entities&type=text&id=a1");
        browser.until("what is known of it", () -> browser.shows("[data-entity=a1]"));
        INSTEAD.put("/shards/0/why", late(open, most));
        browser.load(page + "?view=why&type=text&shard=0");
        browser.until("the reasons", () -> browser.shows("[data-why='0']"));
        INSTEAD.put("/connections", late(open, most));
        browser.load(page + "?view=connections");
        browser.until("the connections", () -> browser.shows("[data-connections]"));
        assertEquals(1, most.get(), "questions of a view at a time");
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("an answer that is not followed by another one stays, and its age is said")
    void saysHowOldAnAnswerIs() {
        browser.load(page + "?view=entities&type=text&id=a1");
        browser.until("what is known of it", () -> browser.shows("[data-entity=a1]"));
        INSTEAD.put("/entities/a1", request -> {});
        browser.until("its age", () -> browser.text("[data-late]").matches("(?s).*no answer for [3-9]\\.[0-9] s.*"));
        assertTrue(browser.shows("[data-entity=a1]"));
        assertEquals(List.of(), browser.violations());
        browser.load(page + "?view=entities&type=text&id=a1");
        browser.until("it waits", () -> browser.text("main").matches("(?s).*no answer for [3-9]\\.[0-9] s.*"));
        INSTEAD.put("/entities/a1", request -> request.fail(503));
        browser.load(page + "?view=entities&type=text&id=a1");
        browser.until("it failed", () -> browser.shows("main .badge.bad"));
        INSTEAD.clear();
        browser.until("what is known of it", () -> browser.shows("[data-entity=a1]"));
    }

    /** A stream whose snapshot has a type of so many shards, on 40 nodes. */
    private static String streamOf(int shards) {
        return """
                const shards = {}, regions = {};
                for (let i = 0; i < %d; i++) {
                    shards[i] = {home: `node-${i * 7 %% 40}`, state: 'active', term: 1, entities: i %% 9, passivated: 0,
                        remembered: 0, restarting: 0, messages: 0, busyMicros: 0};
                }
                for (let i = 0; i < 40; i++) {
                    regions[`node-${i}`] = {proxy: false, leaving: false, shards: 0, entities: 0, buffered: 0,
                        counters: {}};
                }
                const snapshot = {cluster: {self: 'node-0', coordinator: 'node-0', term: 1, available: true,
                    stopping: false}, nodes: {}, types: {grain: {numberOfShards: %d, allocation: 'a', homeless: 0,
                    rebalancing: true, pins: {}, cordoned: [], statesLost: 0, shards, regions, moves: {}, failed: []}}};
                window.EventSource = class extends EventTarget {
                    static OPEN = 1; static CLOSED = 2; readyState = 1;
                    close() { this.readyState = 2; }
                    constructor(url) {
                        super();
                        url.endsWith('/stream') && setTimeout(() => this.dispatchEvent(new MessageEvent('snapshot',
                            {data: JSON.stringify(snapshot)})));
                    }
                };
                """.formatted(shards, shards);
    }

    @Test
    @DisplayName("50,000 rows are sorted by a text within 3 s")
    void sortsManyRowsByText() {
        before(streamOf(50_000));
        browser.load(page + "?view=shards&type=grain&as=table");
        browser.until("the rows", () -> browser.count("tr[data-shard]") > 100);
        var millis = (Number) browser.later("const done = arguments[0];"
                + "const heading = [...document.querySelectorAll('th button')].find("
                + "one => /Home/.test(one.textContent));"
                + "const begun = performance.now(); heading.click();"
                + "const look = () => document.querySelector('th[aria-sort=ascending] button') === heading"
                + " ? done(performance.now() - begun) : setTimeout(look); setTimeout(look)");
        assertEquals("node-0", browser.attribute("tr[data-shard] .node-name", "title"));
        assertTrue(millis.doubleValue() < 3_000, () -> "sorted after " + millis + " ms");
    }

    private void find(String id) {
        browser.load(page + "?view=entities&type=kept&id=" + URLEncoder.encode(id, StandardCharsets.UTF_8));
        browser.until(
                "the entity '" + id + "'",
                () -> browser.attributes("[data-entity]", "data-entity").equals(List.of(id))
                        && browser.shows("[data-action=forget]"));
    }

    private void forget(String id, String typed) {
        touch(KEPT, id);
        find(id);
        browser.click("[data-action=forget]");
        browser.until("the dialog", () -> browser.shows("dialog[open] #word:focus"));
        assertEquals(List.of(), browser.violations());
        browser.type(typed);
        browser.press(Keys.ENTER);
        browser.until(
                "'" + id + "' is not live", () -> browser.text("[data-entity]").contains("not live"));
    }

    @Test
    @DisplayName("an id with blanks at its ends is confirmed as it is, or as it is shown; one of dots alone is found")
    void confirmsUnusualIds() {
        forget(" a  b ", " a  b ");
        forget(" c", "\u2423c");
        forget("d  d", "d\u2423\u2423d");
        forget("plain", " plain ");
        forget(".", ".");
        forget("..", "..");
        assertEquals("\u2423c", spelled(" c"));
        assertEquals("a b", spelled("a b"));
        assertEquals("a\\n\\u00a0", spelled("a\\n\\u00a0"));
        browser.requireNoComplaints();
    }

    /** How the page writes an id that is to be typed. */
    private static String spelled(String text) {
        return String.valueOf(browser.later("const done = arguments[0];"
                + "import(new URL('widgets.js', document.querySelector('script[type=module]').src))"
                + ".then((found) => done(found.spelled('" + text + "')))"));
    }

    private static void refuse(String part, int status) {
        INSTEAD.put(part, request -> request.fail(status));
    }

    @Test
    @DisplayName("a stream of events that is refused is said, opened again, and needs no long address for that")
    void saysThatTheStreamOfEventsIsRefused() {
        refuse("/api/v1/events", 503);
        browser.load(page + "?view=events");
        browser.until("it is said", () -> browser.text("[data-events-lost]").contains("Service Unavailable"));
        assertEquals(List.of(), browser.violations());
        String cursor = IntStream.range(0, 150)
                .mapToObj(i -> "a-node-that-has-a-long-name-" + i + "=1")
                .collect(Collectors.joining(","));
        var asked = new AtomicInteger();
        INSTEAD.put("/api/v1/events", request -> {
            switch (request.request().getHeader("Accept").contains("event-stream") ? asked.incrementAndGet() : 2) {
                case 1 ->
                    request.response()
                            .putHeader("Content-Type", "text/event-stream")
                            .end("retry: 10\n\nid: " + cursor + "\nevent: event\ndata: {\"node\": \"n\", \"id\": 1,"
                                    + " \"at\": 1, \"kind\": \"note\", \"subject\": \"s\", \"details\": {}}\n\n");
                case 2 -> request.fail(503);
                default -> request.next();
            }
        });
        browser.until("events of the node", () -> browser.shows("[data-kind=term-began]"));
        browser.until("nothing is lost", () -> !browser.shows("[data-events-lost]"));
    }

    @Test
    @DisplayName("ages are told by the clock of the node where the browser's is two hours late, and that is said")
    void tellsAgesByTheNodesClock() {
        before("const real = Date.now; Date.now = () => real() - 7_200_000");
        browser.load(page + "?view=map");
        browser.until("how long it is up", () -> browser.text(".vitals").contains("up for"));
        browser.until("by the node's clock", () -> browser.text(".vitals").matches("(?s).*up for [0-9]+ (s|min).*"));
        browser.until("that is said", () -> browser.text("header").contains("2 h 0 min"));
        assertEquals(List.of(), browser.violations());
    }

    @Test
    @DisplayName("a node that does not answer is named above each view")
    void namesSilentNodesAboveEachView() {
        before(streamOf(20)
                .replace(
                        "nodes: {}",
                        "nodes: {'node-0': {roles: [], answers: true}, 'frozen-node': {roles: [], answers: false}}"));
        for (String view : List.of("shards", "memory", "moves", "hot")) {
            browser.load(page + "?type=grain&view=" + view);
            browser.until("its name", () -> browser.text("[data-silent]").contains("frozen-node"));
            assertTrue(browser.text("[data-silent]").contains("1 of 2 nodes"), browser.text("[data-silent]"));
        }
        INSTEAD.put(
                "/hot",
                request -> request.json(new JsonObject()
                        .put("entities", new JsonArray())
                        .put("oneOf", new JsonObject())
                        .put("failed", JsonArray.of("frozen-node", "late-node"))));
        browser.load(page + "?type=grain&view=hot");
        browser.until("the other one", () -> browser.text("[data-no-answer]").contains("late-node"));
        assertEquals("1 node did not answer: late-node", browser.text("[data-no-answer]"));
    }

    @Test
    @DisplayName("the view of events names the nodes whose events are missing, until they answer")
    void namesNodesWhoseEventsAreMissing() {
        List<RoutingContext> streams = new CopyOnWriteArrayList<>();
        INSTEAD.put("/api/v1/events", request -> {
            request.response()
                    .putHeader("Content-Type", "text/event-stream")
                    .setChunked(true)
                    .write("event: silent\ndata: {\"nodes\": [\"frozen-node\"]}\n\n");
            streams.add(request);
        });
        browser.load(page + "?view=events");
        browser.until("its name", () -> browser.text("[data-events-silent='1']").contains("frozen-node"));
        assertEquals(List.of(), browser.violations());
        streams.forEach(stream -> stream.response().write("event: silent\ndata: {\"nodes\": []}\n\n"));
        browser.until("it has answered", () -> !browser.shows("[data-events-silent]"));
        streams.forEach(stream -> stream.response().end());
    }

    @Test
    @DisplayName("bytes per second have a unit that can be read")
    void showsBytesPerSecond() {
        var asked = new AtomicInteger();
        INSTEAD.put("/connections", request -> {
            long bytes = 40_000_000L * asked.incrementAndGet();
            var traffic = new JsonObject().put("frames", 10).put("bytes", bytes);
            var connection = new JsonObject()
                    .put("peer", "peer")
                    .put("type", "text")
                    .put("state", "bus")
                    .put("lanes", 1)
                    .put("direct", 0)
                    .put("sent", traffic)
                    .put("received", traffic)
                    .put("queued", 0)
                    .put("unacknowledged", 0)
                    .put("windowFull", 0)
                    .put("repeated", 0);
            request.json(new JsonObject()
                    .put("failed", new JsonArray())
                    .put(
                            "nodes",
                            new JsonObject()
                                    .put(
                                            "node",
                                            new JsonObject()
                                                    .put("tls", false)
                                                    .put("sealed", false)
                                                    .put("connections", new JsonArray().add(connection)))));
        });
        browser.load(page + "?view=connections");
        browser.until("the rate", () -> browser.text("[data-connection]").matches("(?s).*[0-9.]+ MB/s.*"));
    }

    @Test
    @DisplayName("a page that may not read any more says so once, stops asking, and goes on when it is told to")
    void stopsWhereItIsRefused() {
        browser.load(page + "?view=hot");
        browser.until("live", () -> browser.shows("[data-status=live]"));
        browser.script("window.seen = []; new MutationObserver(() => seen.push(document.body.dataset.status))"
                + ".observe(document.body, {attributeFilter: ['data-status']})");
        var refused = new AtomicInteger();
        INSTEAD.put("/api/v1/", request -> {
            refused.incrementAndGet();
            request.fail(403);
        });
        browser.until("it is said", () -> browser.shows("[data-status=forbidden] [data-action=again]"));
        int before = refused.get();
        browser.later("setTimeout(arguments[0], 7000)");
        assertTrue(refused.get() <= before + 5, () -> "asked " + (refused.get() - before) + " times since");
        assertEquals(
                List.of("forbidden"),
                browser.script("return [...new Set(window.seen.slice(window.seen.indexOf('forbidden')))]"));
        assertTrue(browser.text(".banner").contains("may not read"), browser.text(".banner"));
        assertEquals(List.of(), browser.violations());
        INSTEAD.clear();
        browser.click("[data-action=again]");
        browser.until("it goes on", () -> browser.shows("[data-status=live]"));
        browser.complaints();
    }

    @Test
    @DisplayName("a first snapshot that takes longer than a silent stream may be is waited for")
    void waitsForALongSnapshot() {
        browser.load(page);
        String overview = String.valueOf(browser.later("const done = arguments[0];"
                + "fetch('../api/v1/overview').then((answer) => answer.text()).then(done)"));
        INSTEAD.put("/api/v1/stream", request -> {
            int half = overview.length() / 2;
            request.response()
                    .putHeader("Content-Type", "text/event-stream")
                    .setChunked(true)
                    .write("event: snapshot\ndata: " + overview.substring(0, half));
            request.vertx().setTimer(8_000, fired -> request.response().write(overview.substring(half) + "\n\n"));
        });
        browser.load(page);
        browser.until("live", () -> browser.shows("[data-status=live]"));
    }
}
