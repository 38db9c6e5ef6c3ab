package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An announcement of a shutdown")
class HeardAnnouncementsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final HeardAnnouncements heard = new HeardAnnouncements();

    private boolean isNews(boolean stops, NodeId by, long number) {
        return heard.isNews(new ShutdownAnnouncement(stops, by, number));
    }

    @Test
    @DisplayName("counts until a later one of the same node is heard, and may be repeated until then")
    void countsUntilALaterOneIsHeard() {
        assertTrue(isNews(true, A, 1));
        assertTrue(isNews(true, A, 1));
        assertTrue(isNews(false, A, 2));
        assertFalse(isNews(true, A, 1));
        assertTrue(isNews(false, A, 2));
        assertTrue(isNews(true, A, 3));
    }

    @Test
    @DisplayName("is compared with those of its own node only, as nodes count each for itself")
    void isComparedWithItsOwnNode() {
        assertTrue(isNews(true, A, 5));
        assertTrue(isNews(false, B, 1));
        assertFalse(isNews(true, A, 4));
    }

    @Test
    @DisplayName("counts always where its node does not say which it is")
    void ofAnEarlierBuild() {
        ShutdownAnnouncement nameless = new ShutdownAnnouncement(true, null, 0);
        assertTrue(heard.isNews(nameless));
        assertTrue(isNews(false, A, 1));
        assertTrue(heard.isNews(nameless));
    }

    @Test
    @DisplayName("is remembered of the thousand nodes that have announced last")
    void isRememberedOfTheLast() {
        for (int i = 0; i <= 1_000; i++) {
            assertTrue(isNews(true, new NodeId("n" + i), 2));
        }
        assertFalse(isNews(true, new NodeId("n1"), 1));
        assertTrue(isNews(true, new NodeId("n0"), 1), "forgotten");
    }
}
