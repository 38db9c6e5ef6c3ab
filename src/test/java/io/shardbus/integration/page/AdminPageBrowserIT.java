package io.shardbus.integration.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.WholeMachine;
import io.shardbus.model.ShardHash;
import io.shardbus.model.TypeState;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;

/**
 * The admin page in a real browser, of a real cluster of three nodes. Later tests go on with the cluster of earlier
 * ones.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
@WholeMachine
class AdminPageBrowserIT {
    private static final int SHARDS = 60;
    private static final int COUNTERS = 200;
    private static final EntityType<String> PARCEL = EntityType.of("parcel", String.class);

    private static ClusterTestKit cluster;
    private static HttpServer server;
    private static int port;
    private static Browser browser;
    private static final AtomicInteger plansAsked = new AtomicInteger();
    private static volatile String onlyEvent;

    private static final AdminOptions ADMIN =
            new AdminOptions().setReadOnly(false).setStateInspection(true);

    @BeforeAll
    static void start() {
        browser = Browser.open();
        browser.usualWidth();
        cluster = ClusterTestKit.create();
        for (int i = 0; i < 3; i++) {
            cluster.startNode(options());
        }
        cluster.startType(Counter.definition());
        cluster.startType(parcels());
        for (int i = 0; i < COUNTERS; i++) {
            ClusterTestKit.await(counter("c" + i).ask(new CounterMessage.AddAndGet(1)));
        }
        cluster.node(0).sharding().entityRef(PARCEL, "p1").tell("go");
        cluster.until(
                "the shards are even",
                () -> state().regions().stream().allMatch(region -> region.shards() == SHARDS / 3));
        port = ClusterTestKit.freePort();
        server = serve();
    }

    private static ShardingOptions options() {
        return ClusterTestKit.options()
                .setNumberOfShards(SHARDS)
                .setStateInspection(true)
                .setLatencySampling(16);
    }

    private static EntityDefinition<String> parcels() {
        return EntityDefinition.of(PARCEL, id -> new Parcel()).withRememberEntities(true);
    }

    private static EntityRef<CounterMessage> counter(String id) {
        return cluster.node(0).sharding().entityRef(CounterMessage.COUNTER, id);
    }

    private static TypeState state() {
        return ClusterTestKit.await(cluster.node(0).sharding().typeState("counter"));
    }

    private static HttpServer serve() {
        var first = cluster.node(0);
        var router = Router.router(first.vertx());
        router.route("/sharding/api/v1/stream").handler(AdminPageBrowserIT::serveSilentStream);
        router.route("/sharding/api/v1/types/:type/plan").handler(request -> {
            plansAsked.incrementAndGet();
            request.next();
        });
        router.route("/sharding/*").subRouter(AdminRouter.create(first.vertx(), first.sharding(), ADMIN));
        return ClusterTestKit.await(
                first.vertx().createHttpServer().requestHandler(router).listen(port, "127.0.0.1"));
    }

    /** While it is wanted: a stream that stays open and has nothing after its first event. */
    private static void serveSilentStream(RoutingContext request) {
        String first = onlyEvent;
        if (first == null) {
            request.next();
        } else {
            request.response()
                    .putHeader("Content-Type", "text/event-stream")
                    .setChunked(true)
                    .write("event: snapshot\ndata: " + first + "\n\n");
        }
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

    private static String origin() {
        return "http://127.0.0.1:" + port + "/";
    }

    private static String page(String query) {
        return origin() + "sharding/ui/" + query;
    }

    @BeforeEach
    void usual() {
        browser.usualWidth();
        browser.prefers("dark");
    }

    @Test
    @Order(1)
    @DisplayName("GET /sharding/ leads a browser to the page, and gives JSON to programs")
    void leadsToThePage() throws Exception {
        var forBrowsers = get("sharding/", "text/html,application/xhtml+xml,*/*;q=0.8");
        assertEquals(302, forBrowsers.statusCode());
        assertEquals("ui/", forBrowsers.headers().firstValue("location").orElseThrow());
        var forPrograms = get("sharding/", "*/*");
        assertEquals(200, forPrograms.statusCode());
        assertTrue(forPrograms.body().startsWith("{"), forPrograms.body());
        browser.load(origin() + "sharding/");
        assertTrue(browser.text(".headline-text").contains("3 nodes"), browser.text(".headline-text"));
    }

    private static HttpResponse<String> get(String path, String accept) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(origin() + path))
                                .header("Accept", accept)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"dark", "light"})
    @Order(2)
    @DisplayName("each view has no violation of axe, no error in the console, and no request elsewhere")
    void isAccessible(String theme) {
        browser.load(page("?view=overview&type=counter"));
        var views = browser.attributes("nav [data-view]", "data-view");
        assertEquals(15, views.size(), "the views");
        browser.complaints();
        browser.prefers(theme);
        browser.until("the page is " + theme, () -> theme.equals(browser.attribute("html", "data-theme")));
        for (var view : views) {
            browser.click("nav [data-view=" + view + "]");
            browser.until(view + " is shown", () -> view.equals(browser.attribute("body", "data-showing")));
            assertEquals(List.of(), browser.violations(), view);
            browser.screenshot(view + "-" + theme);
        }
        browser.requireNoComplaints();
        assertEquals(List.of(), browser.requestsBeyond(origin()));
    }

    @Test
    @Order(3)
    @DisplayName("the views show what the resources say")
    void showsWhatTheResourcesSay() {
        browser.load(page("?view=map"));
        assertEquals(nodes(), new TreeSet<>(browser.attributes("[data-node]", "data-node")));
        browser.click("nav [data-view=shards]");
        browser.until("a cell for each shard", () -> browser.count(".cell[data-shard]") == SHARDS);
        browser.click(".cell[data-shard='7']");
        browser.until("the shard's details", () -> browser.shows("[data-detail='7']"));
        var home = state().shards().get(7).home().value();
        assertEquals(home, browser.attribute("[data-detail='7'] .node-name", "title"));
        browser.press("/");
        browser.until("the search has the focus", () -> browser.shows("#find:focus"));
        browser.type("c42");
        browser.press(Keys.ENTER);
        browser.until("the entity is found", () -> browser.shows("[data-entity=c42]"));
        var at = ClusterTestKit.await(cluster.node(0).sharding().locate("counter", "c42"))
                .orElseThrow();
        assertEquals(at.node().value(), browser.attribute("[data-entity] .node-name", "title"));
        assertTrue(browser.text("[data-entity]").contains("live"));
        browser.requireNoComplaints();
    }

    private static Set<String> nodes() {
        return cluster.nodes().stream().map(node -> node.id().value()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @Order(3)
    @DisplayName("the latency view shows times by message, kind and window, and the slowest asks")
    void showsLatencies() {
        for (int i = 0; i < 600; i++) {
            ClusterTestKit.await(counter("c" + i % COUNTERS).ask(new CounterMessage.AddAndGet(1)));
        }
        browser.load(page("?view=overview&type=counter"));
        browser.press("g", "l");
        browser.until("the times", () -> browser.shows("[data-latency] table"));
        var times = browser.text("[data-latency]");
        assertTrue(times.contains("AddAndGet") && times.contains("ask, other node"), times);
        assertTrue(times.contains("handling") && times.contains("one of 16"), times);
        assertTrue(browser.attribute("[data-slow]", "data-slow").startsWith("c"));
        browser.tabTo("[aria-label=Window] button:nth-child(3)");
        browser.press(Keys.ENTER);
        browser.until(
                "the window is in the address",
                () -> String.valueOf(browser.script("return location.search")).contains("window=1h"));
        browser.until("the hour", () -> browser.shows("[data-latency] table"));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("latency");
        browser.requireNoComplaints();
    }

    @Test
    @Order(3)
    @DisplayName("the hottest entity is found, and its row leads to it")
    void showsTheHottestEntity() {
        for (int i = 0; i < 3_000; i++) {
            ClusterTestKit.await(counter("c77").ask(new CounterMessage.AddAndGet(1)));
        }
        browser.load(page("?view=overview&type=counter"));
        browser.press("g", "h");
        browser.until("the busiest entities", () -> browser.shows("[data-hot] tbody tr"));
        assertEquals("c77", browser.attribute("[data-hot-entity]", "data-hot-entity"));
        assertTrue(browser.shows("[data-hot-entity=c77] .node-name"), "the node");
        assertEquals(List.of(), browser.violations());
        browser.screenshot("hot");
        browser.tabTo("[data-hot-entity=c77] a");
        browser.press(Keys.ENTER);
        browser.until("what it does", () -> browser.shows("[data-entity=c77]"));
        browser.requireNoComplaints();
    }

    @Test
    @Order(3)
    @DisplayName("the view of connections shows who talks to whom, by which way, how much, and what waits")
    void showsConnections() {
        for (int i = 0; i < COUNTERS; i++) {
            ClusterTestKit.await(counter("c" + i).ask(new CounterMessage.AddAndGet(1)));
        }
        browser.load(page("?view=overview&type=counter"));
        browser.press("g", "x");
        var from = cluster.node(0).id().value();
        var to = cluster.node(1).id().value();
        browser.until("the table", () -> browser.shows("[data-connection='" + from + " " + to + "']"));
        browser.until(
                "rates",
                () -> browser.text("[data-cell='" + from + " " + to + "']").contains("/s"));
        var row = browser.text("[data-connection='" + from + " " + to + "']");
        assertTrue(row.contains("counter") && row.contains("ms") && row.contains("B"), row);
        assertTrue(browser.shows("[data-cell='" + to + " " + from + "']"));
        assertFalse(browser.shows("[data-cell='" + from + " " + from + "']"));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("connections");
        browser.requireNoComplaints();
    }

    @Test
    @Order(4)
    @DisplayName("rebalancing of all types, the announced end, and a snapshot, by keyboard")
    void actsOnTheWholeCluster() throws Exception {
        browser.load(page("?view=map"));
        confirm("pause-all");
        browser.load(page("?view=plan&type=counter&action=rebalance"));
        browser.until("why nothing moves", () -> browser.text("main").contains("an operator has stopped rebalancing"));
        browser.load(page("?view=map"));
        confirm("resume-all");
        browser.tabTo("[data-action=shutdown]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open] #word:focus"));
        assertEquals(List.of(), browser.violations());
        browser.press(Keys.ESCAPE);
        browser.until("no dialog", () -> !browser.shows("dialog[open] form"));
        var snapshot = get("sharding/api/v1/snapshot", "application/json");
        assertEquals(200, snapshot.statusCode());
        assertTrue(browser.shows("a[data-action=snapshot][download]"));
        browser.requireNoComplaints();
    }

    private static void confirm(String action) {
        browser.tabTo("[data-action=" + action + "]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open]"));
        browser.press(Keys.ENTER);
        browser.until("it is done", () -> !browser.shows("dialog[open] form"));
    }

    @Test
    @Order(4)
    @DisplayName("the arrows move in the map of shards, and Enter opens one")
    void arrowsMove() {
        browser.load(page("?view=shards&type=counter&by=busy"));
        counter("c77").ask(new CounterMessage.Slow(500));
        var busy = ".cell[data-shard='" + ShardHash.shard("c77", SHARDS) + "']";
        browser.until("busy", () -> browser.attribute(busy, "aria-label").matches(".*: [1-9].* % busy"));
        browser.tabTo(".cell");
        var first = browser.attribute(".cell:focus", "data-shard");
        browser.press(Keys.ARROW_RIGHT);
        browser.until(
                "another cell has the focus", () -> browser.shows(".cell:focus:not([data-shard='" + first + "'])"));
        var second = browser.attribute(".cell:focus", "data-shard");
        browser.press(Keys.ENTER);
        browser.until("the details", () -> browser.shows("[data-detail='" + second + "']"));
        assertTrue(String.valueOf(browser.script("return location.search")).contains("shard=" + second));
    }

    @Test
    @Order(5)
    @DisplayName("no view needs more than 360 pixels of width")
    void fitsAPhone() {
        browser.width(360);
        browser.load(page("?view=overview"));
        var views = browser.attributes("nav [data-view]", "data-view");
        assertEquals(15, views.size(), "the views");
        for (var view : views) {
            browser.load(page("?view=" + view));
            assertEquals(360L, browser.script("return document.documentElement.scrollWidth"), view);
        }
        browser.load(page("?view=shards&type=counter"));
        browser.screenshot("shards-narrow");
    }

    @Test
    @Order(6)
    @DisplayName("a node that joins gets its card and its shards without a reload")
    void showsAJoin() {
        browser.load(page("?view=map"));
        browser.script("window.mark = 'not loaded again'");
        var joined = cluster.startNode(options());
        ClusterTestKit.await(joined.sharding().start(Counter.definition()));
        ClusterTestKit.await(joined.sharding().start(parcels()));
        var card = "[data-node='" + joined.id().value() + "']";
        browser.until("the card of the new node", () -> browser.shows(card));
        browser.until(
                "shards of the new node",
                () -> !browser.text(card + " .figure .num").equals("0"));
        browser.click("nav [data-view=moves]");
        browser.until(
                "its moves",
                () -> browser.shows(".node-name[title='" + joined.id().value() + "']"));
        browser.screenshot("moves-after-join");
        assertEquals("not loaded again", browser.script("return window.mark"));
        browser.requireNoComplaints();
    }

    @Test
    @Order(7)
    @DisplayName("a drain by keyboard only: its dialog wants the node's name, and its card says drained")
    void drainsByKeyboard() {
        browser.load(page("?view=overview"));
        browser.press("g", "c");
        var node = cluster.node(3).id().value();
        var card = "[data-node='" + node + "']";
        browser.until("the card", () -> browser.shows(card));
        browser.tabTo(card + " [data-action=drain]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open] #word:focus"));
        assertTrue(
                browser.find("dialog[open] [type=submit]")
                        .getDomProperty("disabled")
                        .equals("true"),
                "not confirmed");
        browser.screenshot("drain-dialog");
        assertEquals(List.of(), browser.violations());
        browser.type(browser.text("dialog[open] label strong"));
        browser.press(Keys.ENTER);
        browser.until("the card says it", () -> browser.text(card + " .badges").contains("drained"));
        browser.until(
                "no shard is left", () -> browser.text(card + " .figure .num").equals("0"));
        browser.tabTo(card + " [data-action=undrain]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open]"));
        browser.press(Keys.ENTER);
        browser.until("it is taken back", () -> browser.shows(card + " [data-action=drain]"));
        browser.requireNoComplaints();
    }

    @Test
    @Order(8)
    @DisplayName(
            "a plan of a drain lists the node's shards, a shard is moved with the keyboard, and its reasons are said")
    void plansAndMoves() {
        var node = cluster.node(1).id().value();
        browser.load(page("?view=plan&type=counter&action=drain&node=" + node));
        browser.until("the plan", () -> browser.shows("[data-plan]"));
        var shards = state().shards().stream()
                .filter(shard -> shard.home().value().equals(node))
                .toList();
        assertEquals(String.valueOf(shards.size()), browser.attribute("[data-plan]", "data-plan"));
        assertTrue(browser.text("[data-note]").contains("an estimate"), browser.text("[data-note]"));
        browser.screenshot("plan-drain");
        var shard = shards.get(0).shard();
        browser.load(page("?view=shards&type=counter&shard=" + shard));
        browser.until("the shard's details", () -> browser.shows("[data-action=move]"));
        browser.press("m");
        browser.until("the dialog", () -> browser.shows("dialog[open] #choice"));
        assertEquals(List.of(), browser.violations());
        browser.tabTo("dialog[open] [type=submit]");
        browser.press(Keys.ENTER);
        browser.until("another home", () -> !node.equals(browser.attribute("[data-detail] .node-name", "title")));
        browser.load(page("?view=why&type=counter&shard=" + shard));
        browser.until("its reasons", () -> browser.shows("[data-why='" + shard + "']"));
        browser.until("its move by an operator", () -> browser.text(".log").contains("operator"));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("why-moved");
        browser.requireNoComplaints();
    }

    @Test
    @Order(8)
    @DisplayName(
            "entities are listed and found by keyboard, show what they do and their state, restart and are forgotten")
    void inspectsAnEntity() {
        for (int i = 0; i < 50; i++) {
            ClusterTestKit.await(counter("c" + i).ask(new CounterMessage.AddAndGet(1)));
        }
        browser.load(page("?view=entities&type=counter&prefix=c4"));
        browser.until("those that begin so", () -> browser.count("[data-row]") == 11);
        assertEquals(List.of(), browser.violations());
        browser.load(page("?view=entities&type=parcel"));
        browser.until("the parcel", () -> browser.shows("[data-row=p1]"));
        browser.tabTo("[data-row=p1] a");
        browser.press(Keys.ENTER);
        browser.until("what it does", () -> browser.shows("[data-phase=idle]"));
        assertTrue(
                browser.shows("[data-action=forget]") && !browser.shows("[data-action=erase]"), "a type without store");
        browser.tabTo("[data-action=inspect]");
        browser.press(Keys.ENTER);
        browser.until("its state", () -> browser.shows("[data-state=p1]"));
        assertTrue(browser.text("[data-state=p1]").contains("***"), browser.text("[data-state=p1]"));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("entity");
        var before = browser.text("[data-entity=p1]");
        var incarnation = before.substring(before.indexOf("Incarnation"), before.indexOf("Mailbox"));
        browser.tabTo("[data-action=restart]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open]"));
        browser.press(Keys.ENTER);
        browser.until(
                "another incarnation",
                () -> browser.shows("[data-entity=p1]")
                        && !browser.text("[data-entity=p1]").contains(incarnation));
        browser.click("[data-action=forget]");
        browser.until("the dialog", () -> browser.shows("dialog[open] #word:focus"));
        assertEquals(List.of(), browser.violations());
        browser.type("p1");
        browser.press(Keys.ENTER);
        browser.until("it is not live", () -> browser.text("[data-entity=p1]").contains("not live"));
        browser.requireNoComplaints();
    }

    @Test
    @Order(9)
    @DisplayName("a stream that is open and silent is not live, and is opened again; a plan is asked"
            + " for once, or by a button")
    void noticesASilentStream() throws Exception {
        onlyEvent = get("sharding/api/v1/overview", "application/json").body();
        plansAsked.set(0);
        browser.load(page("?view=plan&type=counter&action=rebalance"));
        browser.until("the plan", () -> browser.shows("[data-plan]"));
        browser.until("the page says that it is old", () -> browser.shows("[data-status=stale]"));
        onlyEvent = null;
        browser.until("the page goes on", () -> browser.shows("[data-status=live]"));
        assertEquals(1, plansAsked.get());
        browser.click("[data-action=plan]");
        browser.until("another plan", () -> plansAsked.get() == 2);
        browser.requireNoComplaints();
    }

    @Test
    @Order(10)
    @DisplayName("a killed node turns grey within 10 s")
    void greysAKilledNode() {
        browser.load(page("?view=map"));
        var victim = cluster.node(2);
        cluster.kill(victim);
        long killed = System.nanoTime();
        var card = "[data-gone='" + victim.id().value() + "']";
        browser.until("the card of the lost node", () -> browser.shows(card));
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
        assertTrue(millis < 10_000, () -> "grey after " + millis + " ms");
        browser.load(page("?view=map"));
        browser.until("it is on a page that was opened later, too", () -> browser.shows(card + " .badge.bad"));
        browser.screenshot("map-after-kill");
        browser.load(page("?view=events&kind=split"));
        browser.until(
                "the loss is decided",
                () -> browser.shows("[data-kind=loss-undecided]")
                        && (browser.shows("[data-kind=loss-settled]") || browser.shows("[data-kind=loss-went-on]")));
        assertFalse(browser.shows("[data-kind^=split]"), browser.text(".events"));
    }

    @Test
    @Order(11)
    @DisplayName("data that is old is marked as such, and the page goes on when its node serves again")
    void survivesARestartOfTheServer() {
        browser.load(page("?view=overview"));
        ClusterTestKit.await(server.close());
        browser.until("the page says that it is old", () -> browser.shows("[data-status=stale]"));
        browser.screenshot("stale");
        assertEquals(List.of(), browser.violations());
        server = serve();
        browser.until("the page goes on", () -> browser.shows("[data-status=live]"));
        var complaints = browser.complaints();
        assertTrue(
                complaints.stream()
                        .allMatch(line ->
                                line.contains("ERR_CONNECTION_REFUSED") || line.contains("ERR_INCOMPLETE_CHUNKED")),
                complaints::toString);
    }
}
