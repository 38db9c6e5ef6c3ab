package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.FailureCode;
import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.region.FrameHead;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the encoder writes, the decoder reads. */
class FrameFormatTest {
    private static final int SHARDS = 10;
    private static final int MOST_BYTES = 100;
    private static final PeerLane A = new PeerLane(new NodeId("a"), 3);
    private static final PeerLane B = new PeerLane(new NodeId("b"), 1);
    private static final FrameHead HEAD =
            new FrameHead(2, 7, 5, new FrameHead.Answer(4, 9, List.of(new FrameHead.Bounce(8, List.of(0, 2)))));

    private final List<Buffer> sent = new ArrayList<>();
    private final List<Boolean> answersOnly = new ArrayList<>();
    private final FrameEncoder encoder = new FrameEncoder(A, 1024, MOST_BYTES, new Texts(), (to, frame, answerOnly) -> {
        sent.add(frame);
        answersOnly.add(answerOnly);
    });
    private final FrameDecoder decoder = new FrameDecoder(new Texts(), SHARDS);

    /** Payloads are texts; "bad" fails when half of it is written. */
    private static final class Texts implements PayloadWire {
        @Override
        public void encodeMessage(Object message, Buffer out) {
            out.appendString((String) message);
            if (message.equals("bad")) {
                throw new IllegalArgumentException("bad indeed");
            }
        }

        @Override
        public Object decodeMessage(Buffer in, int start, int end) {
            return in.getString(start, end);
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

    private static Envelope message(int shard, String id, Object payload, long sequence) {
        var envelope = new Envelope(shard, id, payload, 77, null);
        envelope.token(new FencingToken(10, 20, sequence));
        return envelope;
    }

    private FrameDecoder.Frame sent(FrameItem... items) {
        encoder.begin(B, HEAD);
        for (var item : items) {
            assertNull(encoder.append(item));
        }
        encoder.send();
        return decoder.decode(sent.get(sent.size() - 1));
    }

    private static Envelope first(FrameDecoder.Frame frame) {
        return (Envelope) frame.items().get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "counter-42", "Zähler", "数", "a🐘b", "a\u007fb\u0080c"})
    void everyIdComesOver(String id) {
        var frame = sent(message(4, id, "payload", 30));
        assertEquals(A, frame.from());
        assertEquals(HEAD, frame.head());
        var read = first(frame);
        assertEquals(id, read.entityId());
        assertEquals(4, read.shard());
        assertEquals(77, read.ask());
        assertEquals("payload", read.payload());
        assertEquals(new FencingToken(10, 20, 30), read.token());
        assertEquals(A, read.origin());
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ü", "🐘"})
    void theLongestIdsComeOver(String letter) {
        var id = letter.repeat(1024 / letter.getBytes(StandardCharsets.UTF_8).length);
        assertEquals(id, first(sent(message(0, id, "p", 1))).entityId());
        assertEquals("short", first(sent(message(0, "short", "p", 1))).entityId());
    }

    @Test
    void aShardsTokenIsReadAnewWhenItChanges() {
        var frame = sent(
                message(1, "a", "p", 5), message(1, "b", "p", 5), message(2, "c", "p", 6), message(1, "d", "p", 7));
        var sequences = frame.items().stream()
                .map(item -> ((Envelope) item).token().sequence())
                .toList();
        assertEquals(List.of(5L, 5L, 6L, 7L), sequences);
        assertSame(
                ((Envelope) frame.items().get(0)).token(),
                ((Envelope) frame.items().get(1)).token());
    }

    @Test
    void aFrameWithoutANumberIsAnAnswerAlone() {
        sent();
        encoder.begin(B, new FrameHead(2, 0, 5, HEAD.answer()));
        encoder.repeat(B, encoder.send());
        sent(message(1, "a", "p", 5));
        assertEquals(List.of(false, true, false, false), answersOnly);
    }

    @Test
    void aTokenHoldsForTheRestOfItsFrameAlone() {
        sent(message(1, "a", "p", 5));
        int alone = sent.get(0).length();
        var two = sent(message(1, "a", "p", 5), message(1, "b", "p", 5));
        assertEquals(alone + 1 + 2 + 8 + 2 + 1 + 4 + 1, sent.get(1).length(), "kind, shard, ask, id, payload");
        assertEquals(first(two).token(), ((Envelope) two.items().get(1)).token());
        sent(message(1, "a", "p", 5));
        assertEquals(alone, sent.get(2).length(), "each frame can be read without those before it");
    }

    @Test
    void whatNamedATokenAndWasNotSentHasNotNamedIt() {
        encoder.begin(B, HEAD);
        assertNotNull(encoder.append(message(1, "b", "bad", 5)));
        assertNull(encoder.append(message(1, "d", "good", 5)));
        encoder.send();
        assertEquals(5, first(decoder.decode(sent.get(0))).token().sequence());
    }

    @Test
    void aTellCarriesNoNumber() {
        var tell = new Envelope(1, "a", "p", 0, null);
        tell.token(new FencingToken(10, 20, 5));
        assertEquals(0, first(sent(tell)).ask());
        int told = sent.get(0).length();
        sent(message(1, "a", "p", 5));
        assertEquals(told + 8, sent.get(1).length());
    }

    @Test
    void startsAnswersFailuresAndDrainNotesComeOver() {
        var failure = new Failure(FailureCode.ENTITY_FAILED, "no", "ZERO");
        var drained = new FrameItem.Drained(3, new FencingToken(1, 2, 3));
        var frame = sent(
                message(1, "a", Envelope.START, 5),
                new FrameItem.Reply(8, "yes", null),
                new FrameItem.Reply(9, null, failure),
                drained);
        assertTrue(first(frame).isStart());
        assertEquals(
                List.of(new FrameItem.Reply(8, "yes", null), new FrameItem.Reply(9, null, failure), drained),
                frame.items().subList(1, 4));
    }

    @Test
    void whatCannotBeSentLeavesTheFrameAsItWas() {
        encoder.begin(B, HEAD);
        assertNull(encoder.append(message(1, "a", "good", 5)));
        var refusals = List.of(
                message(1, "b", "bad", 5), new FrameItem.Reply(1, "bad", null), message(1, "c", "x".repeat(101), 5));
        for (var item : refusals) {
            assertNotNull(encoder.append(item));
        }
        assertNull(encoder.append(message(1, "d", "good", 5)));
        encoder.send();
        assertEquals(
                List.of("a", "d"),
                decoder.decode(sent.get(0)).items().stream()
                        .map(item -> ((Envelope) item).entityId())
                        .toList());
    }

    @Test
    void garbageIsRefused() {
        sent(message(1, "abc", "payload", 5));
        var frame = sent.get(0);
        for (int length = 0; length < frame.length(); length++) {
            assertCutIsRefused(frame.getBuffer(0, length));
        }
        assertThrows(WireFormatException.class, () -> decoder.decode(Buffer.buffer(new byte[] {9, 9, 9})));
        sent(message(1, "abc", "payload", 5));
        var wrongShard = sent.get(1).copy();
        int kind = wrongShard.length() - "payload".length() - 4 - 5 - 8 - 24 - 2 - 1;
        wrongShard.setUnsignedShort(kind + 1, SHARDS);
        assertThrows(WireFormatException.class, () -> decoder.decode(wrongShard));
        var unnamedToken = sent.get(1).copy();
        unnamedToken.setByte(kind, (byte) (FrameKind.MESSAGE | FrameKind.WITH_ASK));
        assertThrows(WireFormatException.class, () -> decoder.decode(unnamedToken));
    }

    /** A frame that ends between two items is a shorter frame. */
    private void assertCutIsRefused(Buffer cut) {
        try {
            assertEquals(List.of(), decoder.decode(cut).items());
        } catch (WireFormatException expected) {
            assertNotNull(expected.getMessage());
        }
    }
}
