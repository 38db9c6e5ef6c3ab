package io.shardbus.integration.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.WholeMachine;
import io.shardbus.membership.CutLinks;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of both sides of a split, in a real browser. */
@Tag("slow")
@WholeMachine
class SplitPageIT {
    private static final String STOPPED = "This side of the cluster is not available";

    private Browser browser;
    private ClusterTestKit cluster;

    @BeforeEach
    void start() {
        browser = Browser.open();
        browser.usualWidth();
        cluster = ClusterTestKit.start(3);
        cluster.startType(Counter.definition());
        for (int i = 0; i < 20; i++) {
            ClusterTestKit.await(cluster.node(0)
                    .sharding()
                    .entityRef(CounterMessage.COUNTER, "c" + i)
                    .ask(new CounterMessage.AddAndGet(1)));
        }
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private void untilTheFirstReasonIsTheSplit() {
        browser.until(
                "the split is the first reason",
                () -> browser.shows(".reasons li")
                        && browser.text(".reasons li").contains(STOPPED));
    }

    @Test
    @DisplayName("the card of a node names the member of which the node hears nothing, as long as the others hear both")
    void aCardNamesTheMemberThatIsNotHeard() {
        browser.load(ServedPage.of(cluster.node(0), new AdminOptions()) + "?view=map");
        browser.until("three cards", () -> browser.count("[data-node]") == 3);
        assertEquals(0, browser.count("[data-unheard]"));
        String deaf = cluster.node(2).id().value();
        String unheard = cluster.node(1).id().value();
        CutLinks.cut(cluster.node(2).vertx(), List.of(cluster.node(1).vertx()));
        browser.until(
                "the card of the third says so",
                () -> browser.shows("[data-node='" + deaf + "'] [data-unheard='" + unheard + "']"));
        assertEquals(1, browser.count("[data-unheard]"));
        assertEquals(List.of(), browser.violations());
        CutLinks.heal(cluster.node(2).vertx());
        browser.until("no card says so", () -> browser.count("[data-unheard]") == 0);
        assertEquals(3, browser.count("[data-node]"));
    }

    @Test
    @DisplayName("the side that stops names that first, also opened anew; the other one has its shards")
    void bothSidesSayWhatIsTheCase() {
        Node lone = cluster.node(0);
        String ofLone = ServedPage.of(lone, new AdminOptions());
        String ofOthers = ServedPage.of(cluster.node(1), new AdminOptions());
        browser.load(ofLone + "?view=overview");
        browser.until("three nodes", () -> browser.text(".headline-text").contains("3 nodes"));
        cluster.cut(Set.of(0));
        untilTheFirstReasonIsTheSplit();
        assertFalse(browser.text(".reasons").contains("of the lost node"), "the other side may serve them");
        assertEquals(List.of(), browser.violations());
        browser.screenshot("split");
        browser.loadOnly(ofLone + "?view=overview");
        untilTheFirstReasonIsTheSplit();

        browser.load(ofOthers + "?view=map");
        browser.until("two cards", () -> browser.count("[data-node]") == 2);
        assertTrue(!browser.shows("[data-node='" + lone.id().value() + "']"));
        browser.load(ofOthers + "?view=events&kind=split");
        browser.until("the loss is an event", () -> browser.shows("[data-kind^=loss]"));
        assertEquals(List.of(), browser.violations());
        List<String> complaints = browser.complaints().stream()
                .filter(line -> !line.contains("status of 503")) // of the health of the side that stops
                .toList();
        assertEquals(List.of(), complaints, "the console of the browser");
    }
}
