package io.shardbus.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {
    private static String hex(FieldWriter out) {
        return HexFormat.of().formatHex(out.toBytes());
    }

    /** As {@code protoc} writes the same messages. */
    @Test
    void theFormatIsThatOfProtocolBuffers() {
        assertEquals("089601", hex(new FieldWriter().number(1, 150)));
        assertEquals("120774657374696e67", hex(new FieldWriter().text(2, "testing")));
        assertEquals("1a03089601", hex(new FieldWriter().record(3, in -> in.number(1, 150))));
        assertEquals("0803", hex(new FieldWriter().signed(1, -2)));
        assertEquals("09d202964900000000", hex(new FieldWriter().fixed(1, 1_234_567_890)));
        assertEquals("08ffffffffffffffffff01", hex(new FieldWriter().number(1, -1)));
        assertEquals("3206038e029ea705", hex(new FieldWriter().numbers(6, List.of(3, 270, 86_942))));
    }

    @Test
    void whatIsNothingIsLeftOut() {
        var nothing = new FieldWriter()
                .number(1, 0)
                .signed(2, 0)
                .fixed(3, 0)
                .flag(4, false)
                .text(5, "");
        assertEquals(0, nothing.length());
        var read = Fields.of(nothing.toBytes());
        assertEquals(0, read.number(1));
        assertEquals("", read.text(5));
        assertFalse(read.flag(4));
        assertFalse(read.has(1));
        assertThrows(WireFormatException.class, () -> read.node(1));
        assertThrows(WireFormatException.class, () -> read.token(1));
        assertThrows(WireFormatException.class, () -> read.term(1));
        assertThrows(WireFormatException.class, () -> read.requireRecord(1));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 127, 128, 300, Integer.MAX_VALUE, Long.MAX_VALUE})
    void everyNumberComesBack(long number) {
        var read = Fields.of(new FieldWriter(0)
                .number(1, number)
                .signed(2, number)
                .fixed(3, number)
                .token(4, new FencingToken(number, number, number))
                .term(5, new TermId(number, number))
                .toBytes());
        assertEquals(number, read.number(1));
        assertEquals(number, read.signed(2));
        assertEquals(number, read.fixed(3));
        assertEquals(new FencingToken(number, number, number), read.token(4));
        assertEquals(new TermId(number, number), read.term(5));
    }

    /** Around the lengths at which a record's length takes one byte more. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 123, 124, 125, 126, 127, 128, 129, 16_380, 16_383, 16_384, 100_000})
    void recordsOfEveryLengthComeBack(int letters) {
        var text = "x".repeat(letters);
        var read = Fields.of(new FieldWriter()
                .record(
                        1,
                        outer -> outer.number(1, 9)
                                .record(2, inner -> inner.text(1, text))
                                .number(3, 8))
                .node(2, new NodeId("n"))
                .toBytes());
        var outer = read.requireRecord(1);
        assertEquals(List.of(9L, 8L), List.of(outer.number(1), outer.number(3)));
        assertEquals(text, outer.requireRecord(2).text(1));
        assertEquals(new NodeId("n"), read.node(2));
    }

    @Test
    void unreadFieldsAreSkippedInEveryForm() {
        var bytes = new FieldWriter()
                .number(90, 1)
                .fixed(91, 2)
                .text(92, "three")
                .raw(HexFormat.of().parseHex("ed05" + "01020304"))
                .number(1, 5)
                .number(100_000, 7)
                .toBytes();
        var in = new FieldReader(bytes);
        long found = 0;
        while (in.next()) {
            found = in.field() == 1 ? in.number() : found;
        }
        assertEquals(5, found);
        assertEquals(5, Fields.of(bytes).number(1));
    }

    @Test
    void theLastOfAFieldCountsAndAListKeepsItsOrder() {
        var read = Fields.of(new FieldWriter()
                .number(1, 5)
                .text(2, "a")
                .number(1, 6)
                .text(2, "b")
                .numbers(3, List.of(1, 300))
                .toBytes());
        assertEquals(6, read.number(1));
        assertEquals(List.of("a", "b"), read.list(2, FieldReader::text));
        assertEquals(List.of(1, 300), read.counts(3));
        assertEquals(List.of(), read.counts(4));
    }

    @Test
    void unknownFieldsAreKeptAsTheyWere() {
        var known = new FieldWriter().number(1, 5).text(2, "a");
        var later = new FieldWriter().text(3, "c").fixed(4, 9).number(5, 300);
        var both = new FieldWriter().raw(known.toBytes()).raw(later.toBytes()).toBytes();
        assertArrayEquals(later.toBytes(), Fields.of(both).beyond(2));
        assertArrayEquals(new byte[0], Fields.of(known.toBytes()).beyond(2));
    }

    /** Among them lengths far beyond the end: they must not become arrays. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00",
                "07",
                "0b",
                "08",
                "0880",
                "08ffffffffffffffffffff01",
                "09010203",
                "0affffffff07",
                "0affffffffff7f",
                "0a05aabb",
                "0d0102",
                "0e"
            })
    void garbageIsRefused(String hex) {
        var bytes = HexFormat.of().parseHex(hex);
        assertThrows(WireFormatException.class, () -> Fields.of(bytes));
    }

    @Test
    void aValueOfAnotherFormIsRefused() {
        var read = Fields.of(new FieldWriter()
                .number(1, -5)
                .bytes(2, new byte[] {(byte) 0xff})
                .text(3, "\uFFFD")
                .toBytes());
        assertThrows(WireFormatException.class, () -> read.text(1));
        assertThrows(WireFormatException.class, () -> read.fixed(1));
        assertThrows(WireFormatException.class, () -> read.count(1));
        assertThrows(WireFormatException.class, () -> read.number(2));
        assertThrows(WireFormatException.class, () -> read.text(2));
        assertEquals("\uFFFD", read.text(3));
    }

    @Test
    void everyCutEndsInTheOneException() {
        var bytes = new FieldWriter()
                .term(1, new TermId(300, 5))
                .text(2, "text")
                .fixed(3, 7)
                .toBytes();
        for (int length = 0; length < bytes.length; length++) {
            var cut = Arrays.copyOf(bytes, length);
            try {
                assertTrue(Fields.of(cut).text(2).length() <= 4);
            } catch (WireFormatException expected) {
                assertTrue(length > 0);
            }
        }
    }
}
