package io.shardbus.integration.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A type of as many shards as there may be, on a page that a node serves which does not coordinate. */
@DisplayName("The map of 50,000 shards")
@Tag("slow")
@WholeMachine
class ManyShardsPageIT {
    private static final int SHARDS = 50_000;
    private static final int WITH_A_HOME = 2_000;
    private static final int MOST_CELLS = 8_000;
    private static final int STEPS = 60;
    /** Twice what a loaded machine of 2026 needs for the step in the middle, and for nine of ten. */
    private static final double MIDDLE_MS = 45;

    private static final double NINE_OF_TEN_MS = 80;
    private static final EntityType<String> GRAIN = EntityType.of("grain", String.class);

    private static Browser browser;
    private static ClusterTestKit cluster;
    private static String page;

    @BeforeAll
    static void start() {
        browser = Browser.open();
        browser.usualWidth();
        browser.prefers("dark");
        cluster = ClusterTestKit.start(2);
        cluster.startType(EntityDefinition.of(GRAIN, id -> (message, context) -> Future.succeededFuture())
                .withNumberOfShards(SHARDS));
        for (int i = 0; i < WITH_A_HOME; i++) {
            cluster.node(0).sharding().entityRef(GRAIN, "g" + i).tell("fall");
        }
        page = ServedPage.of(follower(), new AdminOptions().setReadOnly(false));
    }

    /** A node that asks another one for what it shows. */
    private static Node follower() {
        return cluster.nodes().stream()
                .filter(node -> !node.id().equals(node.sharding().clusterState().coordinator()))
                .findFirst()
                .orElseThrow();
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

    /**
     * Scrolls on, and draws that: the processor time of the page's thread for it, in milliseconds. Time by a clock
     * would tell what else the machine does.
     */
    private static double step() {
        double before = browser.processorMillis();
        browser.later("const done = arguments[0]; document.querySelector('.heat').scrollTop += 150;"
                + "requestAnimationFrame(() => requestAnimationFrame(done));");
        return browser.processorMillis() - before;
    }

    private static boolean isAtTheEnd() {
        return browser.count(".cell[data-shard]") > 0
                && Boolean.TRUE.equals(
                        browser.script("const map = document.querySelector('.heat').getBoundingClientRect();"
                                + "return [...document.querySelectorAll('.heat-row')].some(row =>"
                                + "Math.abs(row.getBoundingClientRect().bottom - map.bottom) < 40)"));
    }

    @Test
    @DisplayName("draws only those in sight, reaches all, and scrolls without stutter")
    void scrollsThroughManyShards() {
        browser.load(page + "?view=shards&type=grain");
        browser.until("cells", () -> browser.shows(".cell[data-shard]"));
        var drawn = browser.count(".cell[data-shard]");
        assertTrue(drawn > 100 && drawn < MOST_CELLS, drawn + " cells are drawn");
        browser.screenshot("shards-50000");
        browser.countProcessorTime();
        var steps = DoubleStream.generate(ManyShardsPageIT::step)
                .limit(STEPS)
                .sorted()
                .toArray();
        assertTrue(
                steps[STEPS / 2] < MIDDLE_MS && steps[STEPS * 9 / 10] < NINE_OF_TEN_MS,
                () -> "milliseconds of the steps: " + Arrays.toString(steps));
        browser.until("cells at the place scrolled to", () -> browser.shows(".cell[data-shard]"));
        browser.script("const map = document.querySelector('.heat'); map.scrollTop = map.scrollHeight");
        browser.until("the last shard is drawn", ManyShardsPageIT::isAtTheEnd);
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }
}
