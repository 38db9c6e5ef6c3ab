package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.spi.Inspectable;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/**
 * What the page shows of answers that are late, overtake each other, or fail, in a real browser. All tests have one
 * node.
 */
@Tag("slow")
@WholeMachine
class LateAnswersPageIT {
    private static final EntityType<String> TYPE = EntityType.of("text", String.class);

    private static final Map<String, Promise<Void>> HELD = new ConcurrentHashMap<>();
    private static Browser browser;
    private static ClusterTestKit cluster;
    private static String page;

    /** Shows numbers that a double cannot hold. */
    private static final class Numbered implements Entity<String>, Inspectable {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return reply(message);
        }

        @Override
        public JsonObject inspect() {
            return new JsonObject()
                    .put("account", 9_007_199_254_740_993L)
                    .put("none", new JsonObject())
                    .put("said", "{\"a\": [1, 2], \\")
                    .put("list", new JsonArray().add(1).add(0.5));
        }
    }

    @BeforeAll
    static void start() {
        browser = Browser.open();
        cluster = ClusterTestKit.create();
        cluster.startNode(ClusterTestKit.options().setStateInspection(true));
        cluster.startType(EntityDefinition.of(TYPE, id -> new Numbered()));
        for (String id : List.of("a1", "b1")) {
            await(cluster.node(0).sharding().entityRef(TYPE, id).request("go", String.class, Duration.ofSeconds(20)));
        }
        page = serve();
    }

    private static String serve() {
        var node = cluster.node(0);
        var router = Router.router(node.vertx());
        router.route("/sharding/*").handler(LateAnswersPageIT::hold);
        router.route("/sharding/*")
                .subRouter(AdminRouter.create(
                        node.vertx(),
                        node.sharding(),
                        new AdminOptions().setReadOnly(false).setStateInspection(true)));
        int port = await(node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                .actualPort();
        return "http://127.0.0.1:" + port + "/sharding/ui/";
    }

    /** A request for what is held waits until that is let go, and fails with it. */
    private static void hold(RoutingContext request) {
        HELD.entrySet().stream()
                .filter(entry -> request.request().uri().contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .ifPresentOrElse(
                        gate -> {
                            request.request().pause();
                            Context context = request.vertx().getOrCreateContext();
                            gate.future().onComplete(open -> context.runOnContext(now -> goOn(request, open)));
                        },
                        request::next);
    }

    /** The body comes when there is a handler for it. */
    private static void goOn(RoutingContext request, AsyncResult<Void> open) {
        if (open.succeeded()) {
            request.next();
        } else {
            request.fail(503);
        }
        request.request().resume();
    }

    private static Promise<Void> held(String part) {
        Promise<Void> gate = Promise.promise();
        HELD.put(part, gate);
        return gate;
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

    @BeforeEach
    void usual() {
        HELD.clear();
        browser.usualWidth();
        browser.complaints();
    }

    private void open(String action) {
        browser.click("[data-action=" + action + "]");
        browser.until("the dialog of " + action, () -> browser.shows("dialog[open] form"));
    }

    /** Confirms an action and closes its dialog, then opens that of another action. */
    private void confirmAndTurnTo(String action, String other) {
        open(action);
        browser.press(Keys.ENTER);
        browser.until("it is under way", () -> browser.text("dialog[open]").contains("Under way"));
        browser.press(Keys.ESCAPE);
        browser.until("no dialog", () -> !browser.shows("dialog[open] form"));
        open(other);
    }

    @Test
    @DisplayName("the outcome of an action whose dialog was closed is said, and concerns no other dialog")
    void saysTheOutcomeOfAnEarlierAction() {
        browser.load(page + "?view=map");
        Promise<Void> gate = held("/rebalancing");
        confirmAndTurnTo("pause-all", "cordon");
        gate.complete();
        browser.until("it is said", () -> browser.text(".notices").contains("no type is rebalanced any more"));
        assertTrue(browser.text("dialog[open]").contains("Cordon"), "the dialog of the other action");
        assertTrue(browser.shows("dialog[open] [type=submit]:enabled"));
        browser.press(Keys.ESCAPE);
        browser.until("no dialog", () -> !browser.shows("dialog[open] form"));
        browser.requireNoComplaints();

        gate = held("/rebalancing");
        confirmAndTurnTo("resume-all", "cordon");
        gate.fail("not now");
        browser.until("it is said", () -> browser.text(".notices").contains("Resume rebalancing all types: "));
        assertTrue(browser.shows(".notice.bad"));
        assertFalse(browser.shows("dialog[open] .bad-text"), "in the dialog of the other action");
        assertTrue(browser.shows("dialog[open] [type=submit]:enabled"));
        assertEquals(List.of(), browser.violations());
    }

    private void begin(String prefix) {
        browser.script(
                "const input = document.getElementById('prefix'); input.value = arguments[0];"
                        + " input.dispatchEvent(new Event('change'))",
                prefix);
    }

    @Test
    @DisplayName("an answer that was overtaken by that of a later question is not shown")
    void showsTheLastQuestionsAnswer() {
        browser.load(page + "?view=entities&type=text");
        browser.until("all", () -> browser.count("[data-row]") == 2);
        Promise<Void> gate = held("prefix=a");
        begin("a");
        begin("b");
        browser.until(
                "those of b", () -> browser.attributes("[data-row]", "data-row").equals(List.of("b1")));
        gate.complete();
        browser.until(
                "the late answer",
                () -> Boolean.TRUE.equals(browser.script("return performance.getEntriesByType('resource')"
                        + ".some(one => one.name.includes('prefix=a') && one.responseEnd > 0)")));
        browser.later("const done = arguments[0];"
                + "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))");
        assertEquals(List.of("b1"), browser.attributes("[data-row]", "data-row"));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("a page that is shown again has one stream of events, also when the last one was refused just before")
    void hasOneStreamOfEvents() {
        String script = browser.beforeEachPage("window.sources = []; window.late = [];"
                + "window.EventSource = class extends EventSource {"
                + "constructor(url) { super(url); sources.push(this); } };"
                + "const usual = setTimeout;"
                + "window.setTimeout = (run, ms) => ms === 3000 ? late.push(run) : usual(run, ms)");
        held("/api/v1/events").fail("not now");
        browser.load(page);
        browser.until(
                "it is to be opened again",
                () -> browser.script("return late.length").equals(1L));
        HELD.clear();
        for (boolean hidden : List.of(true, false)) {
            browser.script(
                    "Object.defineProperty(document, 'hidden', {value: arguments[0], configurable: true});"
                            + "document.dispatchEvent(new Event('visibilitychange'))",
                    hidden);
        }
        browser.script("late.forEach(run => run())");
        assertEquals(
                1L,
                browser.script("return sources.filter(one => one.url.includes('/events?')"
                        + " && one.readyState !== 2)"
                        + ".length"));
        browser.forget(script);
    }

    /** The overview, as if a frozen node were a member, and a shard's home and those of two others were missing. */
    private static JsonObject overviewOfTrouble() {
        var overview = new JsonObject(String.valueOf(browser.later("const done = arguments[0];"
                + "fetch('../api/v1/overview').then((answer) => answer.text()).then(done)")));
        overview.getJsonObject("nodes")
                .put("frozen", new JsonObject().put("roles", new JsonArray()).put("answers", false));
        JsonObject type = overview.getJsonObject("types").getJsonObject("text").put("homeless", 2);
        JsonObject shards = type.getJsonObject("shards");
        shards.getJsonObject(shards.fieldNames().iterator().next()).put("home", "lost");
        return overview;
    }

    @Test
    @DisplayName("a node that hosts nothing and does not answer, shards of a lost node, and those without a home are"
            + " what to look at first")
    void tellsWhatIsNotServed() {
        browser.load(page);
        JsonObject overview = overviewOfTrouble();
        int placed = overview.getJsonObject("types")
                .getJsonObject("text")
                .getJsonObject("shards")
                .size();
        String script = browser.beforeEachPage("window.EventSource = class extends EventTarget {"
                + "static OPEN = 1; static CLOSED = 2; readyState = 1;"
                + "close() { this.readyState = 2; }"
                + "constructor(url) { super(); url.endsWith('/stream') && setTimeout(() => this.dispatchEvent("
                + "new MessageEvent('snapshot', {data: JSON.stringify(" + overview.encode() + ")}))); } };");
        browser.load(page + "?view=overview");
        browser.until("it is red", () -> browser.shows(".headline.bad"));
        String reasons = browser.text(".reasons");
        assertTrue(reasons.contains("text: 2 shards wanted and without a home"), reasons);
        assertTrue(reasons.contains("text: 1 shard waits until the lease of the lost node lost has expired"), reasons);
        assertTrue(reasons.contains("frozen did not answer"), reasons);
        String headline = browser.text(".headline-text");
        assertTrue(headline.contains(", " + (placed - 1) + " shard"), headline);
        String type = browser.text("[data-type=text]");
        assertTrue(type.contains("1 of lost nodes") && type.contains((placed - 1) + " of 100 shards at home"), type);
        browser.click("nav [data-view=map]");
        browser.until("its card", () -> browser.shows("[data-node=frozen].gone"));
        assertTrue(browser.text("[data-node=frozen] .badges").contains("did not answer"));
        assertEquals(List.of(), browser.violations());
        browser.forget(script);
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("durations are rounded once: no minute has 60 seconds")
    void roundsDurationsOnce() {
        browser.load(page);
        assertEquals(
                List.of("999 ms", "1.0 s", "9.9 s", "10 s", "1 min 0 s", "1 min 59 s", "2 min 0 s", "1 h 0 min"),
                browser.later("const done = arguments[0];"
                        + "import(new URL('widgets.js', document.querySelector('script[type=module]').src))"
                        + ".then((found) => done("
                        + "[999, 999.7, 9940, 9960, 59600, 119400, 119600, 3599700].map(found.duration)))"));
    }

    @Test
    @DisplayName("an ask that waited for a home until its deadline is not said to have one on the same node")
    void namesNoHomeWhereThereWasNone() {
        var sharding = cluster.node(0).sharding();
        String homeless = IntStream.range(0, 1_000)
                .mapToObj(i -> "c" + i)
                .filter(id -> await(sharding.locate("text", id)).isEmpty())
                .findFirst()
                .orElseThrow();
        await(sharding.operations().cordon(cluster.node(0).id(), true));
        Future<String> late = sharding.entityRef(TYPE, homeless).request("go", String.class, Duration.ofMillis(200));
        assertThrows(Exception.class, () -> await(late));
        await(sharding.operations().cordon(cluster.node(0).id(), false));
        browser.load(page + "?view=latency&type=text");
        String row = "[data-slow=" + homeless + "]";
        browser.until("the ask", () -> browser.shows(row));
        assertTrue(browser.text(row).contains("same node or none"), browser.text(row));
        String times = browser.text("[data-latency]");
        assertTrue(times.contains("ask, same node or without a home"), times);
        assertEquals(List.of(), browser.violations());
    }

    @Test
    @DisplayName("the state of an entity has its numbers and texts as the entity gives them")
    void showsExactNumbers() {
        browser.load(page + "?view=entities&type=text&id=a1");
        browser.until("the button", () -> browser.shows("[data-action=inspect]"));
        browser.click("[data-action=inspect]");
        browser.until("the state", () -> browser.shows("[data-state=a1]"));
        assertEquals("""
                {
                  "account": 9007199254740993,
                  "none": {},
                  "said": "{\\"a\\": [1, 2], \\\\",
                  "list": [
                    1,
                    0.5
                  ]
                }""", browser.text("[data-state=a1]"));
        browser.requireNoComplaints();
    }
}
