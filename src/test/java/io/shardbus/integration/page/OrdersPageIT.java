package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.model.TypeState;
import io.shardbus.options.AdminOptions;
import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** Orders that stand until they are taken back, given and taken back on the page, in a real browser. */
@Tag("slow")
class OrdersPageIT {
    private Browser browser;
    private ClusterTestKit cluster;
    private String page;

    @BeforeEach
    void start() {
        browser = Browser.open();
        browser.usualWidth();
        cluster = ClusterTestKit.start(2);
        cluster.startType(Counter.definition());
        for (int i = 0; i < 30; i++) {
            await(cluster.node(0)
                    .sharding()
                    .entityRef(CounterMessage.COUNTER, "c" + i)
                    .ask(new CounterMessage.AddAndGet(1)));
        }
        page = ServedPage.of(cluster.node(0), new AdminOptions().setReadOnly(false));
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

    private TypeState state() {
        return await(cluster.node(0).sharding().typeState("counter"));
    }

    /** Gives an order with the keyboard, and confirms it. */
    private void order(String selector) {
        browser.until(selector, () -> browser.shows(selector));
        browser.tabTo(selector);
        browser.press(Keys.ENTER);
        browser.until("the dialog of " + selector, () -> browser.shows("dialog[open] [type=submit]:focus"));
        browser.press(Keys.ENTER);
        browser.until("done: " + selector, () -> !browser.shows("dialog[open]"));
    }

    @Test
    @DisplayName("a shard is pinned and unpinned, and the map marks it meanwhile")
    void pinsAShard() {
        int shard = state().shards().get(0).shard();
        String cell = ".cell[data-shard='" + shard + "']";
        browser.load(page + "?view=shards&type=counter&shard=" + shard);
        browser.until("the shard", () -> browser.shows("[data-detail='" + shard + "']"));
        assertEquals(0, browser.count(cell + ".pinned"));
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
    @DisplayName("rebalancing of a type is stopped, resumed, and begun at once, also from a plan")
    void stopsRebalancing() {
        browser.load(page + "?view=shards&type=counter");
        order("[data-action=pause]");
        browser.until("it is stopped", () -> browser.shows("[data-action=resume]"));
        order("[data-action=resume]");
        browser.until("it goes on", () -> browser.shows("[data-action=pause]"));
        order("[data-action=rebalance]");
        browser.until("what it did", () -> browser.text(".notices").contains("counter: "));
        browser.load(page + "?view=plan&type=counter&action=rebalance");
        order("[data-action=do]");
        browser.until("what it did", () -> browser.text(".notices").contains("counter: "));
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
}
