package io.shardbus.transport;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Codecs that throw what is no exception: their items fail, and the others of the frame travel. */
class ThrowingCodecTest {
    private static final FencingToken TOKEN = new FencingToken(7, 8, 9);

    private final List<Buffer> frames = new ArrayList<>();
    private final ThrowingTexts texts = new ThrowingTexts();
    private final FrameEncoder encoder = new FrameEncoder(
            new PeerLane(new NodeId("a"), 0), 4_096, 1_000, texts, (to, frame, mere) -> frames.add(frame), () -> 0);
    private final FrameDecoder decoder = new FrameDecoder(texts, 10, () -> 0, skipped -> {});

    /** The text "bad" throws, after it was written in part. */
    private static final class ThrowingTexts implements PayloadWire {
        @Nullable
        Throwable writing;

        @Nullable
        Throwable reading;

        private static void report(@Nullable Throwable fault) {
            if (fault != null) {
                ThrowingTexts.<RuntimeException>throwUndeclared(fault);
            }
        }

        @SuppressWarnings("unchecked")
        private static <E extends Throwable> void throwUndeclared(Throwable fault) throws E {
            throw (E) fault;
        }

        @Override
        public void encodeMessage(Object message, Buffer out) {
            out.appendString(String.valueOf(message));
            if (message.equals("bad")) {
                report(writing);
            }
        }

        @Override
        public Object decodeMessage(Buffer in, int start, int end) {
            String text = in.getString(start, end);
            if (text.equals("bad")) {
                report(reading);
            }
            return text;
        }

        @Override
        public void encodeAnswer(Object answer, Buffer out) {
            encodeMessage(answer, out);
        }

        @Override
        public Object decodeAnswer(Buffer in, int start, int end) {
            return decodeMessage(in, start, end);
        }
    }

    private static final class Untold extends AssertionError {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no text");
        }
    }

    static List<Throwable> faults() {
        return List.of(
                new IllegalStateException("no"),
                new IOException("as a codec in Kotlin may"),
                new LinkageError("no"),
                new StackOverflowError(),
                new Untold());
    }

    private static Envelope message(Object payload) {
        Envelope envelope = new Envelope(0, "e", payload, 5, null);
        envelope.token(TOKEN);
        return envelope;
    }

    private List<FrameItem> sent() {
        encoder.send();
        return decoder.decode(frames.get(0)).items();
    }

    private void begin() {
        encoder.begin(new PeerLane(new NodeId("b"), 0), new FrameHead(2, 1, 0, FrameHead.Answer.NOTHING));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anItemThatCannotBeWrittenFailsAlone(Throwable fault) {
        texts.writing = fault;
        begin();
        Failure message = encoder.append(message("bad"));
        Failure reply = encoder.append(new FrameItem.Reply(8, "bad", null));
        assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, requireNonNull(message).code());
        assertEquals(FailureCode.PAYLOAD_NOT_ENCODABLE, requireNonNull(reply).code());
        assertNull(encoder.append(message("good")));
        List<FrameItem> items = sent();
        assertEquals(1, items.size());
        assertEquals("good", assertInstanceOf(Envelope.class, items.get(0)).payload());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anItemThatCannotBeReadFailsAlone(Throwable fault) {
        texts.reading = fault;
        begin();
        encoder.append(message("bad"));
        encoder.append(new FrameItem.Reply(8, "bad", null));
        encoder.append(message("good"));
        List<FrameItem> items = sent();
        assertInstanceOf(FrameItem.Undecodable.class, items.get(0));
        Failure answer = assertInstanceOf(FrameItem.Reply.class, items.get(1)).failure();
        assertEquals(FailureCode.PAYLOAD_NOT_DECODABLE, requireNonNull(answer).code());
        assertEquals("good", assertInstanceOf(Envelope.class, items.get(2)).payload());
    }

    @Test
    void theTextOfAFailureHasABoundOnTheWire() {
        String endless = "x".repeat(1_000_000);
        begin();
        encoder.append(new FrameItem.Reply(8, null, new Failure(FailureCode.ENTITY_FAILED, endless, endless)));
        FrameItem.Reply reply = assertInstanceOf(FrameItem.Reply.class, sent().get(0));
        Failure failure = requireNonNull(reply.failure());
        assertEquals(FaultText.MOST_CHARACTERS + 3, failure.message().length());
        assertEquals(
                FaultText.MOST_CHARACTERS + 3,
                requireNonNull(failure.entityCode()).length());
    }

    @Test
    void anErrorOfTheMachineLeavesTheFrameAsBefore() {
        texts.writing = new OutOfMemoryError("as an encoder may");
        begin();
        encoder.append(message("good"));
        assertThrows(OutOfMemoryError.class, () -> encoder.append(message("bad")));
        assertEquals(1, sent().size());
    }
}
