package io.shardbus.integration.page;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.EntityType;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.AdminOptions;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.Keys;

/** The view of projections, in a real browser, of a cluster of two nodes. */
@Tag("slow")
@WholeMachine
class ProjectionPageIT {
    private static final EntityType<Note> TYPE = EntityType.of("note", Note.class);
    private static final String ROW = "[data-projection=feed]";

    private final MemoryStore store = MemoryStore.create();
    private final List<Long> seen = new CopyOnWriteArrayList<>();
    private Browser browser;
    private ClusterTestKit cluster;
    private String page;

    record Note(String text) {}

    /** Stores each message. */
    private static final class Notebook implements EventSourcedEntity<Note, Note, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Note, Integer> handle(Integer state, Note message, PersistenceContext<Note> context) {
            return persist(message);
        }

        @Override
        public Integer apply(Integer state, Note event) {
            return state + 1;
        }
    }

    @BeforeEach
    void start() {
        browser = Browser.open();
        browser.usualWidth();
        cluster = ClusterTestKit.start(2);
        EventSourced<Note, Note, Integer> notes =
                EventSourced.of(TYPE, id -> new Notebook(), EventCodec.json(Note.class));
        cluster.startType(notes.on(store));
        Projection<Note> feed = Projection.of("feed", notes, ProjectionHandler.<Note>each(event -> {
                    seen.add(event.sequenceNumber());
                    return Future.succeededFuture();
                }))
                .withPollInterval(50);
        for (Node node : cluster.nodes()) {
            await(Projections.create(node.vertx(), node.sharding(), store).start(feed));
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

    private void untilStateIs(String state) {
        browser.until(state, () -> browser.text(ROW).contains(state));
    }

    private void openDialog(String action) {
        browser.tabTo(ROW + " [data-action=" + action + "]");
        browser.press(Keys.ENTER);
        browser.until("the dialog of " + action, () -> browser.shows("dialog[open]"));
    }

    @Test
    @DisplayName("pauses with the mouse, resets and resumes with the keyboard")
    void steersAProjection() {
        cluster.node(0).sharding().entityRef(TYPE, "n1").tell(new Note("first"));
        cluster.until("the first event", () -> seen.equals(List.of(1L)));
        browser.load(page + "?view=overview");
        browser.press("g", "j");
        browser.until("the projection", () -> browser.shows(ROW));
        untilStateIs("running");
        assertFalse(browser.shows(ROW + " [data-action=reset]"), "a reset of one that runs");
        assertEquals(List.of(), browser.violations());

        browser.click(ROW + " [data-action=pause]");
        browser.until("the dialog", () -> browser.shows("dialog[open]"));
        assertEquals(List.of(), browser.violations());
        browser.click("dialog[open] [type=submit]");
        untilStateIs("paused");
        assertEquals(List.of(), browser.violations());
        browser.screenshot("projections-paused");

        openDialog("reset");
        browser.until("the word has the focus", () -> browser.shows("dialog[open] #word:focus"));
        browser.type("feed");
        browser.press(Keys.ENTER);
        browser.until("it is done", () -> !browser.shows("dialog[open]"));
        assertEquals(List.of(1L), seen);
        openDialog("resume");
        browser.press(Keys.ENTER);
        untilStateIs("running");
        cluster.until("the event again", () -> seen.equals(List.of(1L, 1L)));
        browser.width(360);
        assertEquals(360L, browser.script("return document.documentElement.scrollWidth"));
        browser.requireNoComplaints();
    }
}
