package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PeersTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long LEASES = 1_000;

    private final Peers peers = new Peers(LEASES);

    private Peers.Change view(long now, NodeId... members) {
        return peers.viewChanged(List.of(members), now);
    }

    @Test
    void aMemberThatIsOutOfTheViewWithoutGoodbyeHasVanished() {
        assertEquals(new Peers.Change(Set.of(), Set.of(A, B), Set.of()), view(0, A, B));
        assertEquals(new Peers.Change(Set.of(B), Set.of(), Set.of(B)), view(10, A));
        assertEquals(new PeerStatus(false, false, false, 10 + LEASES, 10 + LEASES), peers.status(B));
        assertTrue(peers.status(B).isLost());
    }

    @Test
    void aMemberThatSaidGoodbyeHasNotVanished() {
        view(0, A, B);
        peers.saidGoodbye(B);
        assertTrue(peers.status(B).isDeparting());
        assertEquals(new Peers.Change(Set.of(B), Set.of(), Set.of()), view(10, A));
        assertFalse(peers.isUndecided(10));
        assertFalse(peers.status(B).isDeparting());
    }

    @Test
    void aGoodbyeHoldsThoughTheViewShowsTheNodeOnceMore() {
        view(0, A, B);
        peers.saidGoodbye(B);
        view(10, A);
        view(20, A, B);
        assertEquals(Set.of(), view(30, A).vanished());
    }

    @Test
    void aNodeThatVanishedIsProvenDeadOnce() {
        view(0, A);
        view(10);
        assertTrue(peers.provenDead(A));
        assertFalse(peers.provenDead(A), "no news");
        assertFalse(peers.isUndecided(20));
        assertTrue(peers.status(A).dead());
    }

    @Test
    void aMemberIsNotProvenDead() {
        view(0, A);
        assertFalse(peers.provenDead(A));
        view(20);
        view(30, A);
        assertFalse(peers.provenDead(A), "it is back");
        assertFalse(peers.provenDead(B), "it never was a member");
    }

    @Test
    void itIsUndecidedForAsLongAsTheLeasesOfTheLostMayLast() {
        view(0, A, B);
        view(10, B);
        assertTrue(peers.isUndecided(9 + LEASES));
        assertFalse(peers.isUndecided(10 + LEASES));
    }

    @Test
    void aLostNodeMayBeProvenDeadLongAfterItsLeasesHaveEnded() {
        view(0, A);
        view(10);
        assertFalse(peers.isUndecided(100 * LEASES));
        assertTrue(peers.provenDead(A));
    }

    @Test
    void timeThatMayNotHavePassedProlongsIt() {
        view(0, A);
        view(10);
        peers.postpone(500);
        assertTrue(peers.status(A).isUndecided(509 + LEASES));
        assertFalse(peers.status(A).isUndecided(510 + LEASES));
    }

    /** Others may have gone on in that time, if it passed. */
    @Test
    void timeThatMayHavePassedDoesNotProlongTheTimeInWhichADeathIsNews() {
        view(0, A);
        view(10);
        peers.postpone(500);
        assertTrue(peers.status(A).isNews(9 + LEASES));
        assertFalse(peers.status(A).isNews(10 + LEASES));
    }

    @Test
    void theDepartedThatAreRememberedAreBounded() {
        for (int i = 0; i <= Peers.MOST_DEPARTED; i++) {
            view(i, new NodeId("n" + i));
        }
        view(1_000);
        assertEquals(PeerStatus.UNSEEN, peers.status(new NodeId("n0")));
        assertTrue(peers.status(new NodeId("n1")).isLost());
    }
}
