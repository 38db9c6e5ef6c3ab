package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;
import org.slf4j.LoggerFactory;

/** What the page shows of one node and its persistent entities, in a real browser. All tests have one node. */
@Tag("slow")
@WholeMachine
class NodePageIT {
    private static final EntityType<Write> TYPE = EntityType.of("note", Write.class);

    private static Browser browser;
    private static ClusterTestKit cluster;
    private static String page;

    /** Answered with the number of texts that are stored. */
    record Write(String text) implements Ask<Integer> {}

    /** Stores each message. */
    private static final class Notebook implements EventSourcedEntity<Write, Write, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Write, Integer> handle(Integer state, Write message, PersistenceContext<Write> context) {
            if (message.text().isEmpty()) {
                throw new IllegalArgumentException("there is no text");
            }
            return persist(message).thenReply(count -> count);
        }

        @Override
        public Integer apply(Integer state, Write event) {
            return state + 1;
        }
    }

    @BeforeAll
    static void start() {
        browser = Browser.open();
        cluster = ClusterTestKit.start(1);
        EventSourced<Write, Write, Integer> notes =
                EventSourced.of(TYPE, id -> new Notebook(), EventCodec.json(Write.class));
        cluster.startType(notes.on(MemoryStore.create()));
        page = ServedPage.of(cluster.node(0), new AdminOptions().setReadOnly(false));
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
        browser.usualWidth();
        browser.complaints();
    }

    private static int write(String id) {
        return await(cluster.node(0).sharding().entityRef(TYPE, id).ask(new Write("text")));
    }

    private static void act(String action) {
        browser.until(action, () -> browser.shows("[data-action=" + action + "]"));
        browser.click("[data-action=" + action + "]");
        browser.until("the dialog of " + action, () -> browser.shows("dialog[open]"));
    }

    @Test
    @DisplayName("erases a persistent entity that is not live, once its id is typed")
    void erasesAnEntity() {
        write("n1");
        assertEquals(2, write("n1"));
        browser.load(page + "?view=entities&type=note&id=n1");
        act("passivate");
        browser.press(Keys.ENTER);
        browser.until("not live", () -> browser.text("[data-entity=n1]").contains("not live"));
        browser.until("no passivation", () -> !browser.shows("[data-action=passivate]"));
        act("erase");
        browser.until("the word has the focus", () -> browser.shows("dialog[open] #word:focus"));
        assertFalse(browser.shows("dialog[open] [type=submit]:enabled"), "before the id is typed");
        assertEquals(List.of(), browser.violations());
        browser.type("n1");
        browser.press(Keys.ENTER);
        browser.until("it is done", () -> !browser.shows("dialog[open]"));
        assertEquals(1, write("n1"));
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("shows the options that differ from their defaults, and the threads, of the node that serves it")
    void showsTheProcess() {
        browser.load(page + "?view=node");
        browser.until("options", () -> browser.shows("[data-option=lanes]"));
        assertEquals("3", browser.attribute("[data-options]", "data-options"), "those of the test kit");
        assertEquals("lanes 2, default 0", browser.text("[data-option=lanes]").replace("\n", " "));
        browser.until("the options of the others", () -> browser.shows("[data-differences='0']"));
        LoggerFactory.getLogger("io.shardbus.NodePage").warn("a line of this test");
        browser.until("a warning", () -> browser.shows("[data-warning='io.shardbus.NodePage']"));
        browser.until("the lease", () -> browser.text("[data-node]").contains("s left"));
        browser.until("threads", () -> browser.text("[data-threads]").contains("vert.x-eventloop-thread-0"));
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }

    @Test
    @DisplayName("axe finds what is wrong with a page, in its text and in its colours")
    void noticesViolations() {
        browser.load(page + "?view=node");
        assertEquals(List.of(), browser.violations());
        browser.script("document.documentElement.removeAttribute('lang');"
                + " document.querySelector('h1').style.color = 'rgb(128 128 128 / 40%)'");
        String found = String.join(" ", browser.violations());
        assertTrue(found.contains("html-has-lang") && found.contains("color-contrast"), found);
    }

    @Test
    @DisplayName("shows what failed by its code, and the last dead letters with entity, message and code; the overview"
            + " warns while there are new ones")
    void showsDeadLetters() {
        write("n1");
        browser.load(page + "?view=failures");
        browser.until("no failure, though messages were sent", () -> browser.shows("[data-failures='0']"));
        browser.until("no dead letter", () -> browser.shows("[data-dead-letters='0']"));
        cluster.node(0).sharding().entityRef(TYPE, "n7").tell(new Write(""));
        browser.until("a dead letter", () -> browser.shows("[data-dead-letter=n7]"));
        browser.until("its code", () -> browser.text("[data-failures]").contains("entity_failed"));
        String row = browser.text("[data-dead-letter=n7]");
        assertTrue(row.contains("Write") && row.contains("ENTITY_FAILED"), row);
        browser.screenshot("dead-letters");
        assertEquals(List.of(), browser.violations());
        browser.click("nav [data-view=overview]");
        browser.until("a warning", () -> browser.text(".reasons").contains("note: dead letters 1, the last within"));
        browser.load(page + "?view=overview");
        browser.until(
                "the total without a warning",
                () -> browser.text("[data-totals]").contains("note: dead letters 1"));
        assertFalse(browser.text("main").contains("the last within"), browser.text("main"));
        assertEquals(List.of(), browser.violations());
        browser.requireNoComplaints();
    }
}
