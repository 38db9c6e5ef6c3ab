package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.datacenter.DataCenters;
import io.shardbus.integration.Counter;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.DataCenterOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The admin page of a cluster that is one of two data centers, in a real browser. */
@Tag("slow")
@WholeMachine
class DataCenterPageIT {
    private static final String WEST_ROW = "[data-center-row=west]";

    private Browser browser;
    private ClusterTestKit east;
    private ClusterTestKit west;
    private String page;

    @BeforeEach
    void start() {
        browser = Browser.open();
        browser.usualWidth();
        east = ClusterTestKit.start(2);
        west = ClusterTestKit.start(1);
        east.startType(Counter.definition());
        page = ServedPage.of(east.node(0), new AdminOptions());
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (east != null) {
            east.close();
        }
        if (west != null) {
            west.close();
        }
    }

    private void link() {
        int toEast = ClusterTestKit.freePort();
        int toWest = ClusterTestKit.freePort();
        link(east.node(0), "east", toEast, "west", toWest);
        link(west.node(0), "west", toWest, "east", toEast);
    }

    private static void link(Node node, String self, int port, String other, int itsPort) {
        await(DataCenters.start(
                node.vertx(),
                node.sharding(),
                new DataCenterOptions()
                        .setName(self)
                        .setPort(port)
                        .setOthers(Map.of(other, List.of("127.0.0.1:" + itsPort)))
                        .setHeartbeatIntervalMs(100)
                        .setUnreachableAfterMs(1000)));
    }

    private void load(String view) {
        browser.load(page + "?view=" + view);
    }

    private void untilWestIs(String reachability) {
        browser.until(
                "west is " + reachability, () -> browser.shows(WEST_ROW + " [data-reachability=" + reachability + "]"));
    }

    @Test
    @DisplayName("nodes carry the label of their data center, and the others are shown as this node reaches them")
    void showsDataCenters() {
        load("overview");
        assertEquals(0, browser.count("[data-center], [data-center-row]"), "without links there is none to show");
        load("map");
        assertEquals(0, browser.count("[data-center], [data-group]"), "without links there is none to show");
        link();

        browser.until("the label of this data center", () -> browser.shows("header [data-center=east]"));
        assertEquals(List.of("east", "west"), browser.attributes("[data-group]", "data-group"));
        for (Node node : east.nodes()) {
            assertTrue(
                    browser.shows("[data-node='" + node.id().value() + "'] [data-center=east]"),
                    "the label of " + node.id());
        }
        assertEquals(Set.of("west"), new TreeSet<>(browser.attributes("[data-other-center]", "data-other-center")));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("map-data-centers");

        load("node");
        browser.until("the label", () -> browser.shows("[data-of-center=east]"));
        load("overview");
        browser.until("a row for each", () -> browser.count("[data-center-row]") == 2);
        assertTrue(browser.text("[data-center-row=east]").contains("this cluster"));
        untilWestIs("REACHABLE");
        assertEquals(List.of(), browser.violations());

        west.close();
        untilWestIs("UNREACHABLE");
        browser.until("it is said first", () -> browser.text(".reasons").contains("Data center west is unreachable"));
        assertEquals(List.of(), browser.violations());
        browser.screenshot("overview-data-centers");
        browser.width(360);
        for (String view : List.of("overview", "map", "node")) {
            load(view);
            assertEquals(360L, browser.script("return document.documentElement.scrollWidth"), view);
        }
        browser.requireNoComplaints();
    }
}
