package io.shardbus.membership.detection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.membership.detection.PeerSearch.AllKnown;
import java.net.InetAddress;
import java.util.List;
import java.util.stream.IntStream;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.Test;

/** How long a node that starts waits for answers of its peers. */
class PeerSearchTest {
    private final AllKnown known = new AllKnown();

    private static PeerPorts.Look look(int listening, int silent) {
        var address = InetAddress.getLoopbackAddress();
        List<IpAddress> open = IntStream.range(0, listening)
                .mapToObj(port -> new IpAddress(address, 7800 + port))
                .toList();
        return new PeerPorts.Look(open, silent);
    }

    @Test
    void endsWhenAllPeersRefuseTwice() {
        assertFalse(known.after(look(0, 0), 0));
        assertTrue(known.after(look(0, 0), 0));
    }

    @Test
    void waitsForAPeerThatListensAndHasNotAnswered() {
        assertFalse(known.after(look(1, 0), 0));
        assertFalse(known.after(look(1, 0), 0));
        assertFalse(known.after(look(1, 0), 1));
        assertTrue(known.after(look(1, 0), 1));
    }

    @Test
    void waitsForAPeerThatNeitherAnswersNorRefuses() {
        assertFalse(known.after(look(0, 1), 0));
        assertFalse(known.after(look(0, 1), 0));
        assertFalse(known.after(look(2, 1), 2));
        assertFalse(known.after(look(2, 1), 2));
    }

    @Test
    void looksOnceMoreWhenAPeerHasComeBetweenTwoLooks() {
        assertFalse(known.after(look(0, 0), 0));
        assertFalse(known.after(look(1, 0), 0));
        assertFalse(known.after(look(1, 0), 1));
        assertFalse(known.after(look(2, 0), 2));
        assertTrue(known.after(look(2, 0), 2));
    }
}
