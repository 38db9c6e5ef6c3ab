package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.IntStream;
import org.jgroups.protocols.PingData;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Test;

/** How long a node that starts waits for answers of its peers. */
class PeerSearchTest {
    private static final long LONG = 600_000;
    private static final List<IpAddress> PEERS = IntStream.range(0, 3)
            .mapToObj(port -> new IpAddress(InetAddress.getLoopbackAddress(), 7800 + port))
            .toList();
    private static final Duration SHORT = Duration.ofSeconds(30);

    private final Queue<PeerPorts.Look> looks = new ArrayDeque<>();
    private final Queue<Responses> answers = new ArrayDeque<>();
    private boolean idle;
    private long waited;

    private void looks(int listening, int silent) {
        looks.add(new PeerPorts.Look(PEERS.subList(0, listening), silent));
    }

    private static PingData peer(boolean coordinator) {
        return new PingData(UUID.randomUUID(), true).coord(coordinator);
    }

    private static PingData peerAt(IpAddress address) {
        return new PingData(UUID.randomUUID(), true, "peer", address);
    }

    /** What is answered to the next question. */
    private void answered(PingData... peers) {
        var found = new Responses(true) {
            @Override
            public boolean waitFor(long millis) {
                waited += millis;
                return super.waitFor(millis);
            }
        };
        for (var peer : peers) {
            found.addResponse(peer, true);
        }
        answers.add(found);
    }

    private Responses run(long millis) {
        return new PeerSearch.Round(answers::remove, looks::remove, () -> idle, PEERS)
                .run(millis)
                .found();
    }

    private Responses runQuickly() {
        return assertTimeout(SHORT, () -> run(LONG));
    }

    @Test
    void endsWhenAllPeersRefuseTwice() {
        answered();
        looks(0, 0);
        looks(0, 0);
        var found = runQuickly();
        assertTrue(found.isDone());
        assertTrue(found.isEmpty());
        assertEquals(0, looks.size());
    }

    @Test
    void waitsForNoAnswerWhereTheKernelAndTheFirstLookShowNoPeer() {
        idle = true;
        answered();
        looks(0, 0);
        looks(0, 0);
        assertTrue(runQuickly().isDone());
        assertEquals(100, waited, "as long as a node takes from listening to asking");
        assertEquals(0, looks.size());
    }

    @Test
    void asksAPeerThatTheKernelDidNotShow() {
        idle = true;
        answered();
        looks(1, 0);
        looks(1, 0);
        answered();
        assertFalse(run(400).isDone(), "a cluster would be founded beside a paused member");
        idle = true;
        answered();
        looks(0, 0);
        looks(1, 0);
        answered(peerAt(PEERS.get(0)));
        assertEquals(1, runQuickly().size());
    }

    @Test
    void endsWithTheAnswerOfACoordinatorWithoutALook() {
        answered(peer(false), peer(true));
        assertEquals(2, runQuickly().size());
    }

    @Test
    void endsWhenAllThatListenHaveAnswered() {
        answered(peer(false));
        looks(1, 0);
        var found = runQuickly();
        assertTrue(found.isDone());
        assertEquals(1, found.size());
    }

    @Test
    void asksAgainWhereAPeerHasComeSince() {
        answered();
        looks(0, 0);
        looks(2, 0);
        answered(peer(false), peer(false));
        var found = runQuickly();
        assertTrue(found.isDone());
        assertEquals(2, found.size());
    }

    @Test
    void aPeerThatCameLaterDoesNotAnswerForOneThatListens() {
        answered(peerAt(PEERS.get(2)));
        looks(1, 0);
        answered(peerAt(PEERS.get(2)));
        assertFalse(run(400).isDone(), "a cluster would be founded beside a paused member");
        answered(peerAt(PEERS.get(0)));
        looks(1, 0);
        assertTrue(runQuickly().isDone());
    }

    @Test
    void waitsForAPeerThatListensAndDoesNotAnswer() {
        answered();
        looks(1, 0);
        answered();
        var found = run(400);
        assertFalse(found.isDone(), "a cluster would be founded beside a paused member");
        assertTrue(found.isEmpty());
    }

    @Test
    void waitsForAPeerThatNeitherAnswersNorRefuses() {
        answered();
        looks(0, 1);
        assertFalse(run(400).isDone());
    }

    @Test
    void aShortTimeHasNoLook() {
        answered();
        assertFalse(run(50).isDone());
    }
}
