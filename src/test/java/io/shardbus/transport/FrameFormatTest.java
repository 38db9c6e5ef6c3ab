package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    private final List<String> skipped = new ArrayList<>();
    private long now;
    private final FrameEncoder encoder = new FrameEncoder(
            A,
            1024,
            MOST_BYTES,
            new Texts(),
            (to, frame, answerOnly) -> {
                sent.add(frame);
                answersOnly.add(answerOnly);
            },
            () -> now);
    private final FrameDecoder decoder = new FrameDecoder(new Texts(), SHARDS, () -> now, skipped::add);

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

    private static final ItemHeaders HEADERS =
            new ItemHeaders(Map.of("traceparent", "00-4bf9-00f0-01", "tracestate", "a=1"), 5_000, "order-7");

    /** Deadlines are by each node's own clock. */
    @Test
    void headersTravelBesideMessagesStartsAnswersAndFailures() {
        now = 1_000;
        var envelope = message(1, "a", "p", 5);
        envelope.headers(HEADERS);
        var start = message(1, "b", Envelope.START, 5);
        start.headers(new ItemHeaders(Map.of(), ItemHeaders.NO_DEADLINE, "c"));
        var answer = new FrameItem.Reply(8, "yes", null, HEADERS);
        var failure = new FrameItem.Reply(9, null, Failure.of(FailureCode.TIMED_OUT, "late"), HEADERS);
        encoder.begin(B, HEAD);
        for (var item : List.of(envelope, start, answer, failure, message(1, "c", "p", 5))) {
            assertNull(encoder.append(item));
        }
        encoder.send();
        now = 70_000;
        var read = decoder.decode(sent.get(0)).items();
        var there = new ItemHeaders(HEADERS.trace(), 74_000, "order-7");
        assertEquals(there, ((Envelope) read.get(0)).headers());
        assertEquals("p", ((Envelope) read.get(0)).payload());
        assertEquals(start.headers(), ((Envelope) read.get(1)).headers());
        assertEquals(new FrameItem.Reply(8, "yes", null, there), read.get(2));
        assertEquals(new FrameItem.Reply(9, null, failure.failure(), there), read.get(3));
        assertSame(ItemHeaders.NONE, ((Envelope) read.get(4)).headers());
    }

    @Test
    void aDeadlineThatHasPassedIsNotLost() {
        now = 9_000;
        var envelope = message(1, "a", "p", 5);
        envelope.headers(HEADERS);
        assertEquals(9_001, first(sent(envelope)).headers().deadline());
    }

    @Test
    void headersAreBounded() {
        var text = "é".repeat(ItemHeaders.LONGEST_TRACE - 1);
        var most = new ItemHeaders(Map.of("k", text), 1, "é".repeat(ItemHeaders.LONGEST_COMMAND_ID));
        var envelope = message(1, "a", "p", 5);
        envelope.headers(most);
        assertEquals(most.trace(), first(sent(envelope)).headers().trace());
        assertThrows(IllegalArgumentException.class, () -> new ItemHeaders(Map.of("ke", text), 1, ""));
        assertThrows(IllegalArgumentException.class, () -> new ItemHeaders(Map.of(), 1, "x".repeat(257)));
        Map<String, String> many = new HashMap<>();
        for (int i = 0; i <= ItemHeaders.MOST_TRACE_ENTRIES; i++) {
            many.put("k" + i, "v");
        }
        assertThrows(IllegalArgumentException.class, () -> new ItemHeaders(many, 1, ""));
    }

    /** An ask of shard 1 to entity "a" whose headers are these bytes. */
    private Buffer frameWithHeaders(byte[] headers) {
        sent(message(1, "a", "p", 5));
        var plain = sent.get(sent.size() - 1);
        int idAt = plain.length() - 1 - 4 - 1 - 2;
        int kindAt = idAt - 8 - 24 - 2 - 1;
        var frame = plain.getBuffer(0, idAt);
        frame.setByte(kindAt, (byte) (plain.getByte(kindAt) | FrameKind.WITH_HEADERS));
        return frame.appendBytes(
                        new FieldWriter().varint(headers.length).raw(headers).toBytes())
                .appendBuffer(plain.getBuffer(idAt, plain.length()));
    }

    @Test
    void headersThatAreTooMuchAreLeftOutAndCountedAndUnknownOnesAreSkipped() {
        var tooLong = new FieldWriter().text(99, "x".repeat(8_190)).toBytes();
        var tooLarge = new FieldWriter().text(3, "x".repeat(257)).toBytes();
        for (var headers : List.of(tooLong, tooLarge)) {
            var read = first(decoder.decode(frameWithHeaders(headers)));
            assertSame(ItemHeaders.NONE, read.headers());
            assertEquals("p", read.payload());
        }
        assertEquals(2, skipped.size());
        var unknown = new FieldWriter()
                .number(77, 1)
                .text(3, "c")
                .text(99, "invented")
                .toBytes();
        assertEquals(
                "c", first(decoder.decode(frameWithHeaders(unknown))).headers().commandId());
        assertEquals(2, skipped.size());
        assertThrows(WireFormatException.class, () -> decoder.decode(frameWithHeaders(new byte[] {0x1a, 0x7f})));
    }

    /** Item 30 of a later build, as a tell, as an ask, and as the end of one of ours; with headers and without. */
    @Test
    void anItemOfAnUnknownKindLeavesTheOthersAsTheyAre() {
        encoder.begin(B, HEAD);
        assertNull(encoder.append(message(1, "a", "p", 5)));
        encoder.send();
        var frame = sent.get(0).copy();
        byte[] body = new FieldWriter().text(5, "invented").toBytes();
        for (int flags :
                List.of(0, FrameKind.WITH_ASK, FrameKind.ENDS_ASK, FrameKind.WITH_ASK | FrameKind.WITH_HEADERS)) {
            frame.appendByte((byte) (30 | flags));
            if (flags != 0) {
                frame.appendLong(88);
            }
            if ((flags & FrameKind.WITH_HEADERS) != 0) {
                frame.appendByte((byte) 0);
            }
            frame.appendByte((byte) body.length).appendBytes(body);
        }
        frame.appendBuffer(tail(message(1, "b", "q", 5)));
        var read = decoder.decode(frame).items();
        assertEquals("a", ((Envelope) read.get(0)).entityId());
        assertEquals(
                List.of(
                        new FrameItem.Unknown(30, 0, false),
                        new FrameItem.Unknown(30, 88, false),
                        new FrameItem.Unknown(30, 88, true),
                        new FrameItem.Unknown(30, 88, false)),
                read.subList(1, 5));
        assertEquals("b", ((Envelope) read.get(5)).entityId());
        assertEquals(4, skipped.size());
    }

    /** The bytes of one item with its token. */
    private Buffer tail(Envelope envelope) {
        sent();
        int head = sent.get(sent.size() - 1).length();
        sent(envelope);
        var whole = sent.get(sent.size() - 1);
        return whole.getBuffer(head, whole.length());
    }

    @Test
    void fieldsOfALaterBuildInTheHeadAreSkipped() {
        sent(message(1, "a", "p", 5));
        var plain = sent.get(0);
        int head = plain.getByte(1);
        byte[] more =
                new FieldWriter().text(50, "new").fixed(51, 5).number(52, 1).toBytes();
        var later = Buffer.buffer()
                .appendByte(plain.getByte(0))
                .appendByte((byte) (head + more.length))
                .appendBytes(more)
                .appendBuffer(plain.getBuffer(2, plain.length()));
        var read = decoder.decode(later);
        assertEquals(HEAD, read.head());
        assertEquals("a", first(read).entityId());
    }

    @Test
    void anErasureIsForTheHomeThatWasAskedForIt() {
        encoder.begin(B, HEAD);
        var refusal = encoder.append(message(1, "a", EraseEntity.REQUEST, 5));
        assertEquals(FailureCode.NOT_APPLICABLE, refusal.code());
        assertNull(encoder.append(message(1, "d", "good", 5)));
        encoder.send();
        assertEquals("d", first(decoder.decode(sent.get(0))).entityId());
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
