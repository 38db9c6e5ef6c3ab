package io.shardbus.transport;

import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.NodeId;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of a frame as numbered fields: its sender, its place in its channel, and the answer to frames of the other
 * direction.
 */
final class FrameHeadFields {
    static final int NODE = 1;
    static final int LANE = 2;
    private static final int EPOCH = 3;
    private static final int NUMBER = 4;
    private static final int ANSWERED = 5;
    private static final int ANSWER_EPOCH = 6;
    private static final int RECEIVED = 7;
    private static final int BOUNCE = 8;

    private static final int FRAME = 1;
    private static final int ITEMS = 2;

    /** Far more than any machine has lanes. */
    private static final int MOST_LANES = 0xffff;

    /** A head that was read. */
    record Read(PeerLane from, FrameHead head) {}

    private FrameHeadFields() {}

    static void write(FieldWriter out, FrameHead head) {
        FrameHead.Answer answer = head.answer();
        out.number(EPOCH, head.epoch())
                .number(NUMBER, head.number())
                .number(ANSWERED, head.answered())
                .number(ANSWER_EPOCH, answer.epoch())
                .number(RECEIVED, answer.received());
        for (FrameHead.Bounce bounce : answer.bounces()) {
            out.record(BOUNCE, one -> one.number(FRAME, bounce.frame()).numbers(ITEMS, bounce.items()));
        }
    }

    /** @throws WireFormatException for garbage */
    static Read read(FieldReader in) {
        @Nullable NodeId node = null;
        int lane = 0;
        long epoch = 0;
        long number = 0;
        long answered = 0;
        long answerEpoch = 0;
        long received = 0;
        List<FrameHead.Bounce> bounces = List.of();
        while (in.next()) {
            switch (in.field()) {
                case NODE -> node = in.node();
                case LANE -> lane = in.count();
                case EPOCH -> epoch = in.number();
                case NUMBER -> number = in.number();
                case ANSWERED -> answered = in.number();
                case ANSWER_EPOCH -> answerEpoch = in.number();
                case RECEIVED -> received = in.number();
                case BOUNCE -> {
                    bounces = bounces.isEmpty() ? new ArrayList<>() : bounces;
                    bounces.add(bounce(in.record()));
                }
                default -> {}
            }
        }
        if (node == null || lane > MOST_LANES) {
            throw new WireFormatException("a frame from lane " + lane + " of " + node);
        }
        FrameHead.Answer answer = new FrameHead.Answer(answerEpoch, received, bounces);
        return new Read(new PeerLane(node, lane), new FrameHead(epoch, number, answered, answer));
    }

    private static FrameHead.Bounce bounce(FieldReader in) {
        long frame = 0;
        List<Integer> items = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case FRAME -> frame = in.number();
                case ITEMS -> readItems(in.record(), items);
                default -> {}
            }
        }
        return new FrameHead.Bounce(frame, items);
    }

    private static void readItems(FieldReader in, List<Integer> items) {
        while (in.hasMore()) {
            items.add(in.bareCount());
        }
    }
}
