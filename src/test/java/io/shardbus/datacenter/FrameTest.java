package io.shardbus.datacenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameTest {
    static Stream<Frame> frames() {
        return Stream.of(
                Frame.hello("east", "west"),
                Frame.welcome("west"),
                Frame.refused("no"),
                Frame.ping(),
                Frame.pong(),
                Frame.message(Frame.Kind.TELL, 0, 0, "counter", "a", Buffer.buffer("m")),
                Frame.message(Frame.Kind.ASK, 7, 5000, "counter", "a", Buffer.buffer("m")),
                Frame.message(Frame.Kind.START, 8, 5000, "counter", "a", Buffer.buffer()),
                Frame.answer(7, Buffer.buffer("r")),
                Frame.failure(7, new ShardingException(FailureCode.ENTITY_FAILED, "refuses", "no-more", null)));
    }

    @ParameterizedTest
    @MethodSource("frames")
    void areReadAsTheyWereWritten(Frame frame) {
        assertEquals(frame, Frame.decode(frame.encode()));
    }

    /** Bytes that nodes in other data centers read: they never change. */
    @Test
    void haveTheseBytes() {
        var ask = Frame.message(Frame.Kind.ASK, 7, 5000, "counter", "a", Buffer.buffer("m"));
        assertEquals(
                "0807100718882722" + "07636f756e746572" + "2a0161" + "32016d",
                HexFormat.of().formatHex(ask.encode().getBytes()));
    }

    @Test
    void ofALaterVersionAreUnderstoodAsFarAsTheyAreKnown() {
        var later = new FieldWriter().number(1, 99).number(2, 7).text(20, "new").toBytes();
        assertEquals(Frame.Kind.UNKNOWN, Frame.decode(Buffer.buffer(later)).kind());
        var failure = new FieldWriter()
                .number(1, 10)
                .number(2, 7)
                .text(7, "NEW_CODE")
                .text(9, "why")
                .toBytes();
        var known = Frame.decode(Buffer.buffer(failure)).toFailure();
        assertEquals(FailureCode.OUTCOME_UNKNOWN, known.code());
        assertEquals("why", known.getMessage());
    }

    @Test
    void whatIsNoFrameIsRefused() {
        assertThrows(WireFormatException.class, () -> Frame.decode(Buffer.buffer(new byte[] {0x22, 0x50, 1})));
    }
}
