package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

    private static final long WALL = 1_764_000_000_000L;

    private boolean isNews(boolean stops, NodeId by, long number) {
        return isNews(new ShutdownAnnouncement(stops, by, number));
    }

    private boolean isNews(ShutdownAnnouncement said) {
        boolean isNews = heard.isNews(said, WALL);
        if (isNews) {
            heard.heard(said, WALL);
        }
        return isNews;
    }

    @Test
    @DisplayName("counts until a later one of any node is heard, and may be repeated until then")
    void countsUntilALaterOneOfAnyNode() {
        assertTrue(isNews(true, A, WALL));
        assertTrue(isNews(true, A, WALL));
        assertTrue(isNews(false, B, WALL + 1));
        assertFalse(isNews(true, A, WALL), "it was taken back on another node");
        assertTrue(isNews(true, A, WALL + 2));
        assertTrue(isNews(false, B, WALL + 2), "of two with one number that of the greater name is later");
        assertFalse(isNews(true, A, WALL + 2));
    }

    @Test
    @DisplayName("is later than all that its node has heard, or was told of, whatever the clock of its node says")
    void isLaterThanWhatWasHeard() {
        assertEquals(new ShutdownAnnouncement(true, A, WALL), heard.next(true, A, WALL));
        assertTrue(isNews(true, B, WALL + 3_600_000));
        assertEquals(WALL + 3_600_001, heard.next(false, A, WALL).number());
        heard.outdatedBy(WALL + 7_200_000);
        assertEquals(WALL + 7_200_001, heard.next(false, A, WALL).number());
    }

    @Test
    @DisplayName("outdates no other if its number is more than a day ahead of the clock, by a forger or a wrong clock")
    void fromTheFarFuture() {
        assertTrue(isNews(true, B, Long.MAX_VALUE));
        assertTrue(isNews(true, A, WALL));
        assertEquals(WALL + 1, heard.next(false, A, WALL).number());
        assertTrue(isNews(true, B, WALL + HeardAnnouncements.LEAD));
        assertFalse(isNews(false, A, WALL + 1), "not more than a day");
        long hourLater = WALL + 3_600_000;
        assertTrue(heard.isNews(heard.next(false, A, hourLater), hourLater), "so another one can be said");
        long setBack = WALL - HeardAnnouncements.LEAD;
        assertTrue(
                heard.isNews(new ShutdownAnnouncement(false, A, setBack), setBack), "the clock was ahead, and was set");
        heard.outdatedBy(Long.MAX_VALUE);
        assertTrue(heard.next(true, A, WALL).number() > 0);
    }

    @Test
    @DisplayName("of an earlier build counts until a later one of the same node is heard")
    void countsUntilALaterOneIsHeard() {
        assertTrue(isNews(true, A, 1));
        assertTrue(isNews(true, A, 1));
        assertTrue(isNews(false, A, 2));
        assertFalse(isNews(true, A, 1));
        assertTrue(isNews(false, A, 2));
        assertTrue(isNews(true, A, 3));
    }

    @Test
    @DisplayName("of an earlier build is compared with those of its own node only, as such nodes count each for itself")
    void isComparedWithItsOwnNode() {
        assertTrue(isNews(true, A, 5));
        assertTrue(isNews(false, B, 1));
        assertFalse(isNews(true, A, 4));
    }

    @Test
    @DisplayName("counts always where its node does not say which it is")
    void ofAnEarlierBuild() {
        ShutdownAnnouncement nameless = new ShutdownAnnouncement(true, null, 0);
        assertTrue(isNews(nameless));
        assertTrue(isNews(false, A, WALL));
        assertTrue(isNews(nameless));
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
