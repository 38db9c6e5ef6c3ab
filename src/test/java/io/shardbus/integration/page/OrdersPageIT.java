package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.integration.WholeMachine;
import io.shardbus.logging.LogLevels;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Orders given on the page and taken back there, in a real browser. All tests have one cluster. */
@Tag("slow")
@WholeMachine
class OrdersPageIT {
    private static final Path SOURCES = Path.of("src/main/resources/io/shardbus/admin/ui");
    /** Gives the environment's name another colour; the contrast of the text to what is behind it, as WCAG has it. */
    private static final String CONTRAST = """
            const header = document.querySelector('header');
            header.className = header.className.replace(/of-[a-z]+/, 'of-' + arguments[0]);
            const luminance = (colour) => {
                const [red, green, blue] = colour.match(/[0-9.]+/g).map((part) => part / 255)
                    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            };
            const {color, backgroundColor} = getComputedStyle(document.querySelector('.environment'));
            const [low, high] = [color, backgroundColor].map(luminance).sort((one, other) => one - other);
            return (high + 0.05) / (low + 0.05);
            """;
    /** What only reads, or only changes what is shown. */
    private static final Set<String> HARMLESS = Set.of("snapshot", "plan", "inspect", "more");

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

    private static TypeState state(String type) {
        return await(cluster.node(0).sharding().typeState(type));
    }

    private static String other(NodeId node) {
        return cluster.nodes().stream()
                .map(Node::id)
                .filter(id -> !id.equals(node))
                .findFirst()
                .orElseThrow()
                .value();
    }

    private static void open(String selector) {
        browser.until(selector, () -> browser.shows(selector));
        browser.tabTo(selector);
        browser.press(Keys.ENTER);
        browser.until("the dialog of " + selector, () -> browser.shows("dialog[open] form"));
    }

    private static void confirm(String selector) {
        browser.press(Keys.ENTER);
        browser.until("done: " + selector, () -> !browser.shows("dialog[open]"));
    }

    /** Gives an order with the keyboard, and confirms it. */
    private static void order(String selector) {
        open(selector);
        browser.until("the button has the focus", () -> browser.shows("dialog[open] [type=submit]:focus"));
        confirm(selector);
    }

    private static boolean says(String text) {
        return browser.text("dialog[open] .says").contains(text);
    }

    private static void untilNotice(String text) {
        browser.until("the notice: " + text, () -> browser.text(".notices").contains(text));
    }

    @Test
    @DisplayName("a shard is pinned and unpinned, and the map marks it meanwhile")
    void pinsAShard() {
        int shard = state("counter").shards().get(0).shard();
        String cell = ".cell[data-shard='" + shard + "']";
        browser.load(page + "?view=shards&type=counter&shard=" + shard);
        browser.until("the shard", () -> browser.shows("[data-detail='" + shard + "']"));
        assertEquals(0, browser.count(cell + ".pinned"));
        assertFalse(browser.shows("[data-action=unpin]"), "of a shard that is not pinned");
        order("[data-action=pin]");
        browser.until("the mark", () -> browser.count(cell + ".pinned") == 1);
        browser.until(
                "its description", () -> browser.attribute(cell, "aria-label").endsWith(", pinned"));
        assertEquals(List.of(), browser.violations());
        order("[data-action=unpin]");
        browser.until("no mark", () -> browser.count(cell + ".pinned") == 0);
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("a shard is pinned to another node than its own: the dialog says that it moves, and it does")
    void pinsAShardElsewhere() {
        TypeState.Shard before = state("counter").shards().get(0);
        String elsewhere = other(before.home());
        browser.load(page + "?view=shards&type=counter&shard=" + before.shard());
        open("[data-action=pin]");
        assertTrue(says("It stays on"), browser.text("dialog[open]"));
        browser.tabTo("#choice");
        browser.press(Keys.ARROW_DOWN);
        browser.until("what follows", () -> says("It moves to"));
        assertEquals(List.of(), browser.violations());
        browser.tabTo("dialog[open] [type=submit]");
        confirm("pin");
        browser.until("the pin", () -> browser.shows("[data-pinned='" + elsewhere + "']"));
        browser.until("its new home", () -> elsewhere.equals(browser.attribute("[data-detail] .node-name", "title")));
        assertEquals(
                elsewhere,
                state("counter").shards().stream()
                        .filter(shard -> shard.shard() == before.shard())
                        .findFirst()
                        .orElseThrow()
                        .home()
                        .value());
        order("[data-action=unpin]");
        browser.until("no pin", () -> !browser.shows("[data-pinned]"));
        String to = browser.text("[data-detail] .node-name");
        browser.load(page + "?view=events&kind=action");
        browser.until(
                "where it was pinned",
                () -> browser.text(".events").contains("pin, counter/" + before.shard() + ", node " + to));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("rebalancing of a type is stopped, resumed, and begun at once, also from a plan")
    void stopsRebalancing() {
        browser.load(page + "?view=shards&type=counter");
        order("[data-action=pause]");
        browser.until("it is stopped", () -> browser.shows("[data-action=resume]"));
        order("[data-action=resume]");
        browser.until("it goes on", () -> browser.shows("[data-action=pause]"));
        order("[data-action=rebalance]");
        untilNotice("counter: ");
        browser.load(page + "?view=plan&type=counter&action=rebalance");
        order("[data-action=do]");
        untilNotice("counter: ");
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("a node is cordoned and uncordoned")
    void cordonsANode() {
        String card = "[data-node='" + cluster.node(1).id().value() + "'] ";
        browser.load(page + "?view=map");
        order(card + "[data-action=cordon]");
        browser.until("it is cordoned", () -> browser.text(card).contains("cordoned"));
        order(card + "[data-action=uncordon]");
        browser.until("it is cordoned no longer", () -> browser.shows(card + "[data-action=cordon]"));
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    private static Map<NodeId, Integer> shards(String type) {
        return state(type).regions().stream()
                .collect(
                        Collectors.toMap(TypeState.Region::node, TypeState.Region::shards, Integer::sum, TreeMap::new));
    }

    @Test
    @DisplayName("a drain is begun from its plan: the shards of the plan move, and each node has as many as it says")
    void drainsAsPlanned() {
        NodeId node = cluster.node(1).id();
        var sharding = cluster.node(0).sharding();
        browser.load(page + "?view=plan&type=counter&action=drain&node=" + node.value());
        browser.until("the plan", () -> browser.shows("[data-plan]"));
        MovePlan plan = await(sharding.operations().plan("counter", MovePlan.Action.DRAIN, node));
        int planned = plan.moves().size();
        assertTrue(planned > 0, plan::toString);
        assertEquals(String.valueOf(planned), browser.attribute("[data-plan]", "data-plan"));
        open("[data-action=do]");
        browser.until("the field for the word has the focus", () -> browser.shows("dialog[open] #word:focus"));
        browser.type(browser.text("dialog[open] label strong"));
        confirm("[data-action=do]");
        browser.until("each shard of the plan has moved", () -> {
            String text = browser.text("[data-plan]");
            return !text.contains("not moved") && !text.contains("on its way");
        });
        assertEquals(planned, browser.count("[data-plan] tbody tr"), "the plan stays as it was asked for");
        assertEquals(new TreeMap<>(plan.shardsAfter()), shards("counter"));
        browser.screenshot("plan-and-deed");
        await(sharding.undrain(node));
        browser.requireNoComplaints();
    }

    private static boolean isInSight(String selector) {
        return Boolean.TRUE.equals(browser.script(
                "const found = document.querySelector(arguments[0])?.getBoundingClientRect();"
                        + "return Boolean(found) && found.top >= 0 && found.bottom <= innerHeight",
                selector));
    }

    @Test
    @DisplayName("the clock of an event is a link to it, also where it is older than those that are shown; a node names"
            + " the coordinator that it follows")
    void linksToAnEvent() {
        String coordinator =
                cluster.node(0).sharding().clusterState().coordinator().value();
        browser.load(page + "?view=map");
        String named = browser.text("[data-node='" + coordinator + "'] .node-name");
        browser.load(page + "?view=events&kind=term");
        browser.until("terms", () -> browser.shows("[data-kind=term-followed]"));
        String said = browser.text("[data-kind=term-followed] .said");
        assertTrue(said.contains("follows " + named + " in term"), said);

        ClusterEvent first = await(cluster.node(0).sharding().operations().events("", 1))
                .events()
                .get(0);
        for (int i = 0; i < 400; i++) {
            cluster.node(0).sharding().operations().recordAction("test", null, "many", Map.of());
        }
        browser.load(page + "?view=events");
        browser.until("many", () -> browser.count(".events li") == 300);
        browser.tabTo(".events li:nth-child(5) a");
        browser.press(Keys.ENTER);
        browser.until("it is marked", () -> browser.shows(".events li:nth-child(5).selected"));
        browser.load(page + "?view=events&at=" + first.at());
        browser.until("the first one", () -> isInSight(".events .selected"));
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    private static int limit() {
        return cluster.node(0)
                .sharding()
                .region("parcel")
                .orElseThrow()
                .passivation()
                .getActiveEntityLimit();
    }

    @Test
    @DisplayName("the limit of active entities is changed on the node that serves the page, and reset")
    void limitsEntities() {
        browser.load(page + "?view=memory&type=counter");
        browser.until("the strategy", () -> browser.shows("[data-passivation=strategy]"));
        assertFalse(browser.shows("[data-action=limit]"), "a strategy without a limit");
        browser.load(page + "?view=memory&type=parcel");
        browser.until("the button", () -> browser.shows("[data-action=limit]"));
        assertTrue(browser.text("#main .tiles").contains("had to start one"), browser.text("#main .tiles"));
        assertFalse(browser.shows("[data-action=reset-limit]"), "the limit is the configured one");
        open("[data-action=limit]");
        browser.until("the number has the focus", () -> browser.shows("dialog[open] #count:focus"));
        assertEquals(List.of(), browser.violations());
        browser.retype("0");
        browser.until("no such limit", () -> browser.shows("dialog[open] [type=submit]:disabled"));
        browser.retype("500");
        browser.until("a limit", () -> browser.shows("dialog[open] [type=submit]:enabled"));
        confirm("limit");
        assertEquals(500, limit());
        browser.until(
                "it is shown",
                () -> browser.text("[data-passivation=activeEntityLimit]").endsWith("500"));
        order("[data-action=reset-limit]");
        assertEquals(OrderedCluster.LIMIT, limit());
        browser.until("nothing to reset", () -> !browser.shows("[data-action=reset-limit]"));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("the desired home of a shard is set and cleared, and all of a type once its name is typed")
    void setsDesiredHomes() {
        TypeState.Shard before = state("device").shards().get(0);
        String elsewhere = other(before.home());
        var homes = cluster.node(0).sharding().externalAllocation("device");
        browser.load(page + "?view=shards&type=counter&shard=1");
        browser.until("the shard", () -> browser.shows("[data-detail='1']"));
        assertFalse(browser.shows("[data-action=clear-homes]"), "a type of another strategy");
        browser.load(page + "?view=shards&type=device&shard=" + before.shard());
        browser.until("no home is desired", () -> browser.shows("[data-desired='']"));
        open("[data-action=set-home]");
        browser.tabTo("#choice");
        browser.until("the other node", () -> {
            if (!says("It moves to")) {
                browser.press(Keys.ARROW_DOWN);
            }
            return says("It moves to");
        });
        assertEquals(List.of(), browser.violations());
        browser.tabTo("dialog[open] [type=submit]");
        confirm("set-home");
        browser.until("it is shown", () -> browser.shows("[data-desired='" + elsewhere + "']"));
        browser.until("it moves there", () -> elsewhere.equals(browser.attribute("[data-detail] .node-name", "title")));
        order("[data-action=clear-home]");
        browser.until("no home is desired", () -> browser.shows("[data-desired='']"));
        await(homes.setHome(before.shard(), new NodeId(elsewhere)));
        open("[data-action=clear-homes]");
        browser.until("the word has the focus", () -> browser.shows("dialog[open] #word:focus"));
        browser.type("device");
        confirm("clear-homes");
        assertEquals(0, await(homes.homes()).size());
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("a set of workers is rescaled once its name is typed")
    void rescalesWorkers() {
        browser.load(page + "?view=node");
        browser.until("two workers", () -> browser.text("[data-daemon=feed]").contains("2"));
        open("[data-daemon=feed] [data-action=rescale]");
        browser.until("the number has the focus", () -> browser.shows("dialog[open] #count:focus"));
        assertTrue(says("nothing changes"), browser.text("dialog[open]"));
        browser.retype("3");
        browser.until("what follows", () -> says("All 2 workers stop") && says("3 start"));
        assertTrue(browser.shows("dialog[open] [type=submit]:disabled"), "before the name is typed");
        assertEquals(List.of(), browser.violations());
        browser.tabTo("#word");
        browser.type("feed");
        confirm("rescale");
        untilNotice("feed has 3 workers");
        browser.until("three workers", () -> browser.text("[data-daemon=feed]").contains("3"));
        assertEquals(
                3,
                await(ShardedDaemonProcess.startedOn(cluster.node(1).vertx())
                                .get("feed")
                                .state())
                        .total());
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("the level of a logger is set for some minutes, is listed, and is reset at once")
    void setsALogLevel() {
        browser.load(page + "?view=node");
        open("[data-action=log-level]");
        browser.until("the logger has the focus", () -> browser.shows("dialog[open] #text:focus"));
        assertEquals(List.of(), browser.violations());
        browser.retype(OrderedCluster.LOGGER);
        browser.tabTo("#count");
        browser.retype("3");
        browser.until("how long", () -> says("for 3 minutes"));
        confirm("log-level");
        untilNotice(OrderedCluster.LOGGER + " logs at debug for 3 minutes");
        browser.until("it is listed", () -> browser.shows("[data-level='" + OrderedCluster.LOGGER + "']"));
        assertEquals("debug", level());
        assertEquals(List.of(), browser.violations());
        order("[data-level='" + OrderedCluster.LOGGER + "'] [data-action=reset-level]");
        untilNotice(OrderedCluster.LOGGER + " has its usual level again");
        assertEquals("", level());
        browser.until("it is not listed", () -> !browser.shows("[data-level]"));
        browser.requireNoComplaints();
    }

    /** The level to which the logger was set; empty if it has its usual one. */
    private static String level() {
        return LogLevels.settings().stream()
                .filter(setting -> setting.logger().equals(OrderedCluster.LOGGER))
                .map(LogLevels.Setting::level)
                .findFirst()
                .orElse("");
    }

    /** The names of all actions in the sources of the page. */
    private static Set<String> actions() throws IOException {
        Set<String> names = new TreeSet<>(Set.of("passivate", "restart", "forget", "erase"));
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file :
                    files.filter(found -> found.toString().endsWith(".js")).toList()) {
                Pattern.compile("ActionButton,\\s*\\{[^}]*?\\bname: ([^,}]+)")
                        .matcher(Files.readString(file))
                        .results()
                        .flatMap(button -> Pattern.compile("'([a-z-]+)'")
                                .matcher(button.group(1))
                                .results())
                        .forEach(name -> names.add(name.group(1)));
            }
        }
        return names;
    }

    @Test
    @DisplayName("where the resources are read-only each action is drawn as forbidden, opens no dialog, and says why")
    @SuppressWarnings("try") // the orders are in force until the block ends
    void forbidsEachAction() throws IOException {
        int shard = state("counter").shards().get(0).shard();
        int device = state("device").shards().get(0).shard();
        String readOnly = ServedPage.of(cluster.node(0), new AdminOptions());
        Map<String, List<String>> views = new TreeMap<>();
        views.put("map", List.of("pause-all", "shutdown", "drain", "undrain", "cordon", "uncordon"));
        views.put("shards&type=counter&shard=" + shard, List.of("pause", "move", "pin", "unpin"));
        views.put("shards&type=counter&as=table", List.of("move-selected"));
        views.put("shards&type=device&shard=" + device, List.of("resume", "clear-homes", "set-home", "clear-home"));
        views.put("plan&type=counter&action=rebalance", List.of("do"));
        views.put("plan&type=counter&action=drain", List.of("do"));
        views.put("entities&type=note&id=n1", List.of("passivate", "restart", "erase"));
        views.put("entities&type=parcel&id=p1", List.of("passivate", "restart", "forget"));
        views.put("memory&type=parcel", List.of("limit", "reset-limit"));
        views.put("node", List.of("log-level", "reset-level", "rescale"));
        views.put("projections", List.of("resume", "reset"));
        Set<String> seen = new TreeSet<>();
        try (OrderedCluster.Orders given = ordered.give(shard, device)) {
            for (var view : views.entrySet()) {
                browser.load(readOnly + "?view=" + view.getKey());
                for (String action : view.getValue()) {
                    browser.until(action + " in " + view.getKey(), () -> browser.shows("[data-action=" + action + "]"));
                }
                List<String> names = browser.attributes("[data-action]", "data-action").stream()
                        .filter(name -> !HARMLESS.contains(name))
                        .toList();
                assertEquals(names.size(), browser.count("[data-action][aria-disabled=true]"), view.getKey());
                browser.script("document.querySelectorAll('[aria-disabled=true]').forEach(one => one.click())");
                untilNotice("Not allowed: these admin resources are read-only");
                assertFalse(browser.shows("dialog[open]"), view.getKey());
                seen.addAll(names);
            }
        }
        assertEquals(actions(), seen);
        browser.load(readOnly + "?view=map");
        assertTrue(browser.shows("header [data-read-only]"), "the header");
        assertEquals(List.of(), browser.violations());
        browser.screenshot("read-only");
        browser.width(360);
        assertEquals(360L, browser.script("return document.documentElement.scrollWidth"));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("the environment is named in its colour, dark and light, each colour with enough contrast")
    void showsTheEnvironment() {
        browser.load(page + "?view=events");
        assertFalse(browser.shows(".environment"), "none is set");
        assertFalse(browser.shows("header [data-read-only]"));
        String named = ServedPage.of(
                cluster.node(0),
                new AdminOptions()
                        .setReadOnly(false)
                        .setEnvironment("prod <eu>")
                        .setEnvironmentColour("red"));
        for (String theme : List.of("light", "dark")) {
            browser.prefers(theme);
            browser.load(named + "?view=events");
            browser.until("it is " + theme, () -> theme.equals(browser.attribute("html", "data-theme")));
            assertEquals("◆ prod <eu>", browser.text("header .environment"));
            assertEquals(List.of(), browser.violations());
            browser.screenshot("environment-" + theme);
        }
        assertEquals("prod <eu> · Events · Shardbus", browser.script("return document.title"));
        Set<Object> colours = new HashSet<>();
        for (String colour : AdminOptions.ENVIRONMENT_COLOURS) {
            var contrast = (Number) browser.script(CONTRAST, colour);
            assertTrue(contrast.doubleValue() >= 4.5, () -> colour + " has a contrast of " + contrast);
            colours.add(
                    browser.script("return getComputedStyle(document.querySelector('.environment')).backgroundColor"));
        }
        assertEquals(AdminOptions.ENVIRONMENT_COLOURS.size(), colours.size(), colours::toString);
        browser.width(360);
        assertEquals(360L, browser.script("return document.documentElement.scrollWidth"));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName(
            "the whole cluster is prepared for its shutdown once that is typed: from then on the coordinator refuses"
                    + " moves, until the shutdown is cancelled")
    void preparesForShutdown() {
        var operations = cluster.node(0).sharding().operations();
        // a round moves the first shard of the fuller node: this one, perhaps before the page has shown it there
        await(operations.setRebalancing("counter", false));
        TypeState.Shard before = state("counter").shards().get(0);
        String shard = page + "?view=shards&type=counter&shard=" + before.shard();
        browser.load(page + "?view=map");
        open("[data-action=shutdown]");
        browser.until("the word has the focus", () -> browser.shows("dialog[open] #word:focus"));
        assertTrue(browser.shows("dialog[open] [type=submit]:disabled"), "before the word is typed");
        assertTrue(says("No shard is moved any more"), browser.text("dialog[open]"));
        assertEquals(List.of(), browser.violations());
        browser.type("shutdown");
        confirm("shutdown");
        untilNotice("the cluster is prepared for its shutdown");
        browser.until("the header says so", () -> browser.shows("header [data-stopping]"));
        assertEquals(List.of(), browser.violations());

        browser.load(shard);
        open("[data-action=move]");
        browser.press(Keys.ENTER);
        browser.until(
                "the refusal",
                () -> browser.text("dialog[open] .bad-text")
                        .contains("the whole cluster is about to stop, and nothing moves"));
        browser.press(Keys.ESCAPE);
        List<String> complaints = browser.complaints();
        assertTrue(complaints.stream().allMatch(line -> line.contains("409")), complaints::toString);

        browser.load(page + "?view=map");
        order("[data-action=cancel-shutdown]");
        untilNotice("the shutdown is cancelled");
        browser.until("the header says nothing", () -> !browser.shows("header [data-stopping]"));
        browser.load(shard);
        order("[data-action=move]");
        browser.until(
                "another home",
                () -> other(before.home()).equals(browser.attribute("[data-detail] .node-name", "title")));
        await(operations.setRebalancing("counter", true));
        browser.load(page + "?view=events&kind=action");
        browser.until(
                "both are events",
                () -> browser.text(".events").contains("cancel-shutdown")
                        && browser.text(".events").contains("prepare-for-shutdown"));
        browser.requireNoComplaints();
    }
}
