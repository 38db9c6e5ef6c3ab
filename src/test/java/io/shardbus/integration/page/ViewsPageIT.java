package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

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
        assertEquals(2, browser.count("th[aria-sort=descending]"), "both tables");
        assertEquals(0, browser.violations().size(), () -> browser.violations().toString());
        browser.requireNoComplaints();
    }
}
