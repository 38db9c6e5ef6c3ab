package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.WholeMachine;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.openqa.selenium.TimeoutException;

/** Views of a real cluster of two nodes in a real browser. All tests have one cluster, and leave it as it was. */
@DisplayName("The views of the page")
@Tag("slow")
@WholeMachine
class ViewsPageIT {
    private static Browser browser;
    private static ClusterTestKit cluster;
    private static String page;
    private static OrderedCluster ordered;

    @BeforeAll
    static void start() {
        browser = Browser.open();
        ordered = OrderedCluster.start();
        cluster = ordered.cluster();
        page = ServedPage.of(cluster.node(0), new AdminOptions().setReadOnly(false));
    }

    @AfterAll
    static void stop() {
        try {
            if (browser != null) {
                browser.close();
            }
        } finally {
            if (ordered != null) {
                ordered.close();
            }
        }
    }

    @BeforeEach
    void usual() {
        browser.usualWidth();
        browser.prefers("dark");
        browser.complaints();
    }

    private static void ask(String counter, CounterMessage.Slow message) {
        await(cluster.node(0)
                .sharding()
                .entityRef(CounterMessage.COUNTER, counter)
                .ask(message));
    }

    private static List<TypeState.Shard> countersOn(NodeId node) {
        return await(cluster.node(0).sharding().typeState("counter")).shards().stream()
                .filter(shard -> node.equals(shard.home()))
                .toList();
    }

    @Test
    @DisplayName("move the shards that are ticked by one order, and name the one that is refused")
    void movesTheTickedShards() {
        var operations = cluster.node(0).sharding().operations();
        NodeId from = cluster.node(0).id();
        NodeId to = cluster.node(1).id();
        await(operations.setRebalancing("counter", false));
        List<Integer> shards =
                countersOn(from).stream().map(TypeState.Shard::shard).limit(3).toList();
        await(operations.pin("counter", shards.get(0), from));
        browser.load(page + "?view=shards&type=counter&as=table");
        browser.until("the table", () -> browser.shows("[data-shard='" + shards.get(0) + "']"));
        assertTrue(browser.shows("[data-action=move-selected]:disabled"), "before one is ticked");
        for (int shard : shards) {
            browser.click("[data-shard='" + shard + "'] [type=checkbox]");
        }
        browser.until("three", () -> browser.text("[data-action=move-selected]").equals("Move 3 selected"));
        assertEquals(List.of(), browser.violations());
        browser.tabTo("[data-action=move-selected]");
        browser.press(Keys.ENTER);
        browser.until("the dialog", () -> browser.shows("dialog[open] #choice"));
        assertEquals(List.of(), browser.violations());
        browser.tabTo("#choice");
        for (int i = 0; i < 2 && !to.value().equals(browser.script("return document.activeElement.value")); i++) {
            browser.press(Keys.ARROW_DOWN);
        }
        browser.tabTo("dialog[open] [type=submit]");
        browser.press(Keys.ENTER);
        browser.until(
                "the refusal",
                () -> browser.text("dialog[open]")
                        .contains("2 shards of counter move; shard " + shards.get(0) + " stays: "));
        browser.press(Keys.ESCAPE);
        browser.until(
                "the others have moved",
                () -> countersOn(to).stream()
                        .map(TypeState.Shard::shard)
                        .toList()
                        .containsAll(shards.subList(1, 3)));
        browser.until(
                "only the one that stays is ticked",
                () -> browser.text("[data-action=move-selected]").equals("Move 1 selected"));
        List<String> orders = await(operations.events("", 1_000)).events().stream()
                .filter(event -> event.kind() == ClusterEvent.Kind.ACTION
                        && "move".equals(event.details().get("action")))
                .map(ClusterEvent::subject)
                .toList();
        assertTrue(
                orders.containsAll(
                        shards.stream().map(shard -> "counter/" + shard).toList()),
                orders::toString);
        await(operations.unpin("counter", shards.get(0)));
        await(operations.setRebalancing("counter", true));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("are reached by g and a letter each, and ? lists these keys until Esc")
    void areReachedByKeys() {
        browser.load(page + "?view=overview");
        browser.press("?");
        browser.until("the keys", () -> browser.shows("dialog.help[open]"));
        assertEquals(List.of(), browser.violations());
        String listed = browser.text("dialog.help");
        browser.press(Keys.ESCAPE);
        browser.until("no dialog", () -> !browser.shows("dialog[open]"));
        List<String> views = browser.attributes("nav [data-view]", "data-view");
        List<String> keys = browser.attributes("nav [data-view]", "title");
        assertEquals(15, Set.copyOf(keys).size(), keys::toString);
        for (int i = views.size() - 1; i >= 0; i--) {
            String view = views.get(i);
            String key = keys.get(i);
            assertTrue(listed.contains(key + "\n" + browser.text("nav [data-view=" + view + "] span")), listed);
            browser.press(key.split(" "));
            browser.until(key + " leads to " + view, () -> view.equals(browser.attribute("body", "data-showing")));
        }
        browser.requireNoComplaints();
    }

    private static JsonObject api(String path) {
        try {
            URI address = URI.create(page).resolve("../api/v1/" + path);
            return new JsonObject(HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                    .body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A figure of a view: where it is asked for, what it is there, and the elements that show it, as a sum. */
    private record Figure(String view, String path, ToLongFunction<JsonObject> said, String shown) {
        boolean isShown() {
            return browser.shows(shown) && said.applyAsLong(api(path)) == sum(shown);
        }

        String both() {
            return view + ": " + api(path) + " and " + browser.texts(shown);
        }
    }

    private static long sum(String selector) {
        return browser.texts(selector).stream()
                .mapToLong(text -> Long.parseLong(text.replaceAll("[^0-9]", "")))
                .sum();
    }

    private static long sum(JsonObject from, String list, ToLongFunction<JsonObject> figure) {
        return from.getJsonArray(list).stream()
                .map(JsonObject.class::cast)
                .mapToLong(figure)
                .sum();
    }

    @Test
    @DisplayName("have the figures that the resources have")
    void haveTheFiguresOfTheResources() {
        var operations = cluster.node(0).sharding().operations();
        TypeState.Shard moved = countersOn(cluster.node(0).id()).get(0);
        await(operations.move("counter", moved.shard(), null));
        cluster.until(
                "the shard has moved",
                () -> countersOn(cluster.node(1).id()).stream().anyMatch(shard -> shard.shard() == moved.shard()));
        ask("c1", new CounterMessage.Slow(1));
        String series = "counter&window=1h";
        for (Figure figure : List.of(
                new Figure(
                        "memory&type=counter",
                        "types/counter",
                        type -> sum(type, "regions", region -> region.getLong("entities")),
                        ".tile:first-child .tile-value"),
                new Figure(
                        "latency&type=" + series,
                        "latency",
                        times -> sum(
                                times.getJsonObject("types").getJsonObject("counter"),
                                "series",
                                one -> one.getJsonObject("1h").getLong("count")),
                        "[data-latency] tbody td:nth-child(4)"),
                new Figure(
                        "why&type=counter&shard=" + moved.shard(),
                        "types/counter/shards/" + moved.shard() + "/why",
                        why -> sum(why, "candidates", candidate -> candidate.getLong("shards")),
                        "[data-why] + .panel tbody td:nth-child(2)"),
                new Figure(
                        "moves",
                        "events?kind=shard-moved&limit=1000",
                        events -> events.getJsonArray("events").size(),
                        ".tile:first-child .tile-value"),
                new Figure(
                        "projections",
                        "projections",
                        all -> sum(all, "projections", projection -> projection.getLong("workers")),
                        "[data-projection] td:nth-child(6)"))) {
            browser.load(page + "?view=" + figure.view());
            try {
                browser.until(figure.view(), figure::isShown);
            } catch (TimeoutException e) {
                throw new AssertionError(figure.both(), e);
            }
        }
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("colour shards by their last move, and a dialog says how many live entities move")
    void showTheLastMove() {
        var operations = cluster.node(0).sharding().operations();
        TypeState.Shard moved = countersOn(cluster.node(0).id()).get(0);
        await(operations.move("counter", moved.shard(), null));
        browser.load(page + "?view=shards&type=counter&by=age&shard=" + moved.shard());
        String cell = ".cell[data-shard='" + moved.shard() + "']";
        browser.until("its age", () -> browser.attribute(cell, "aria-label").matches(".*: [0-9.]+ min since the .*"));
        assertFalse(browser.text(".heat-note").contains("since"), "ages are not summed up");
        assertEquals(List.of(), browser.violations());
        browser.until("the shard", () -> browser.shows("[data-action=move]"));
        browser.press("m");
        browser.until("the dialog", () -> browser.shows("dialog[open] .says"));
        String says = browser.text("dialog[open] .says");
        assertTrue(says.matches("(?s).*Its ([0-9]+ )?live entit(y ends|ies end).*"), says);
        browser.press(Keys.ESCAPE);
        browser.requireNoComplaints();
    }

    private static List<String> ids(JsonObject page) {
        return page.getJsonArray("entities").stream()
                .map(entity -> ((JsonObject) entity).getString("id"))
                .sorted()
                .toList();
    }

    private static List<String> shownIds() {
        return browser.attributes("[data-row]", "data-row").stream().sorted().toList();
    }

    @Test
    @DisplayName("list the live entities of a node and of a shard")
    void listEntitiesOfANodeAndAShard() {
        String node = cluster.node(1).id().value();
        browser.load(page + "?view=entities&type=counter");
        browser.until("all", () -> browser.count("[data-row]") >= 30);
        browser.tabTo("#on-node");
        for (int i = 0; i < 2 && !node.equals(browser.script("return document.activeElement.value")); i++) {
            browser.press(Keys.ARROW_DOWN);
        }
        JsonObject ofNode = api("types/counter/entities?node=" + node);
        List<String> ids = ids(ofNode);
        browser.until("those of the node", () -> ids.equals(shownIds()));
        assertTrue(ids.size() < 30 && !ids.isEmpty(), ids::toString);
        int shard = ofNode.getJsonArray("entities").getJsonObject(0).getInteger("shard");
        browser.tabTo("#of-shard");
        browser.type(String.valueOf(shard));
        browser.press(Keys.ENTER);
        List<String> ofShard = ids(api("types/counter/entities?shard=" + shard));
        browser.until("those of the shard", () -> ofShard.equals(shownIds()));
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("say without a shard why a round of rebalancing would move nothing now")
    void sayWhyARoundMovesNothing() {
        var operations = cluster.node(0).sharding().operations();
        await(operations.setRebalancing("counter", false));
        browser.load(page + "?view=why&type=counter");
        browser.until("what a round would do", () -> browser.shows("[data-round]"));
        String round = browser.text("[data-round]");
        assertTrue(round.contains("an operator has stopped rebalancing"), round);
        assertEquals(List.of(), browser.violations());
        await(operations.setRebalancing("counter", true));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("rank hot entities by their time at messages, which finds a slow one with few messages")
    void ranksHotEntitiesByTime() {
        ask("c5", new CounterMessage.Slow(900));
        browser.load(page + "?view=hot");
        browser.until("the busiest entities", () -> browser.shows("[data-hot]"));
        browser.tabTo("[aria-label='Ranked by'] button:nth-child(2)");
        browser.press(Keys.ENTER);
        browser.until("the slow one", () -> browser.shows("[data-hot-entity]"));
        assertEquals("c5", browser.attribute("[data-hot-entity]", "data-hot-entity"));
        assertEquals("?view=hot&by=busy", browser.script("return location.search"));
        // the second table has the messages of the last seconds
        browser.until("both tables", () -> {
            ask("c5", new CounterMessage.Slow(100));
            return browser.count("th[aria-sort=descending]") == 2;
        });
        assertEquals(0, browser.violations().size(), () -> browser.violations().toString());
        browser.requireNoComplaints();
    }
}
