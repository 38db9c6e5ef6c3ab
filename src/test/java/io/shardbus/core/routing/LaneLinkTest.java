package io.shardbus.core.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.hosting.LaneSettings;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Outbox;
import io.shardbus.model.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lane counts of each lane of another node. */
class LaneLinkTest {
    private static final NodeId SELF = new NodeId("a");
    private static final PeerLane PEER = new PeerLane(new NodeId("b"), 0);
    private static final int BYTES = 100;
    private static final int REPEAT_AFTER = 50;
    private static final int WINDOW = 2;
    private static final long EPOCH = 1;

    private final LaneSettings settings = new LaneSettings(
            SELF, 0, 10, 100, 20, 1, WINDOW, new LaneSettings.LaneTimes(REPEAT_AFTER, 1_000, 400, 100, 500));
    private Channel channel;

    /** Each frame has so many bytes. */
    private static final class Writer implements FrameWriter {
        @Override
        public void begin(PeerLane to, FrameHead head) {}

        @Override
        public @Nullable Failure append(FrameItem item) {
            return null;
        }

        @Override
        public boolean isFull() {
            return false;
        }

        @Override
        public Object send() {
            return this;
        }

        @Override
        public void repeat(PeerLane to, Object sent) {}

        @Override
        public int bytes() {
            return BYTES;
        }
    }

    @BeforeEach
    void open() {
        channel = new Channel(PEER, EPOCH, settings, new Writer(), new Channel.Listener() {
            @Override
            public void unsendable(FrameItem item, Failure failure) {}

            @Override
            public void answered(Envelope envelope, boolean taken) {}
        });
        // its greeting has come
        assertFalse(channel.meetsAnother(new FrameHead(1, 0, 0, FrameHead.Answer.NOTHING)));
    }

    private void add(int items) {
        for (int i = 0; i < items; i++) {
            channel.add(new FrameItem.Reply(i, "answer", null));
        }
    }

    private void acknowledge(long number, long now) {
        channel.heard(BYTES, now);
        channel.answered(new FrameHead.Answer(EPOCH, number, List.of()), now);
    }

    @Test
    void nothingIsKnownAtFirst() {
        assertEquals(
                new LaneLink(PEER, false, new Flow(0, 0), new Flow(0, 0), new Outbox(0, 0, 0, 0), -1, -1),
                channel.link(5));
    }

    @Test
    void greetingsAndAcknowledgementsAreNoTrafficThatNeedsALink() {
        channel.sayWhatIsHeard();
        assertEquals(new Flow(1, BYTES), channel.link(0).sent());
        assertFalse(channel.link(0).carries());
        add(1);
        channel.flush(0);
        assertTrue(channel.link(0).carries());
    }

    @Test
    void framesAndBytesAreCountedWithThoseThatAreSentAgain() {
        add(2);
        channel.flush(0);
        assertEquals(new Flow(2, 2 * BYTES), channel.link(0).sent());
        assertFalse(channel.tick(REPEAT_AFTER));
        assertEquals(new Flow(4, 4 * BYTES), channel.link(REPEAT_AFTER).sent());
        assertEquals(new Outbox(0, 2, 0, 2), channel.link(REPEAT_AFTER).outbox());
        channel.sayWhatIsHeard();
        assertEquals(new Flow(5, 5 * BYTES), channel.link(REPEAT_AFTER).sent());
    }

    @Test
    void aFullWindowIsCountedOnceUntilItOpens() {
        add(WINDOW + 2);
        channel.flush(0);
        channel.flush(1);
        assertEquals(new Outbox(2, WINDOW, 1, 0), channel.link(1).outbox());
        acknowledge(WINDOW, 2);
        channel.flush(2);
        assertEquals(new Outbox(0, 2, 1, 0), channel.link(2).outbox());
        add(1);
        channel.flush(3);
        assertEquals(new Outbox(1, 2, 2, 0), channel.link(3).outbox());
    }

    @Test
    void aWindowThatIsFullWhileNothingWaitsHoldsNothingUp() {
        add(WINDOW);
        channel.flush(0);
        assertEquals(new Outbox(0, WINDOW, 0, 0), channel.link(0).outbox());
    }

    @Test
    void theRoundTripEndsWithTheAcknowledgement() {
        add(1);
        channel.flush(10);
        acknowledge(1, 17);
        assertEquals(7, channel.link(20).roundTripMillis());
        assertEquals(3, channel.link(20).heardMillis());
        assertEquals(new Flow(1, BYTES), channel.link(20).received());
    }

    @Test
    void anAcknowledgementAfterARepetitionTellsNoRoundTrip() {
        add(1);
        channel.flush(0);
        channel.tick(REPEAT_AFTER);
        acknowledge(1, REPEAT_AFTER + 1);
        assertEquals(-1, channel.link(REPEAT_AFTER + 1).roundTripMillis());
    }
}
