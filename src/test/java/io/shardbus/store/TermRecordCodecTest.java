package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import io.shardbus.model.UnknownFields;
import io.shardbus.wire.FieldWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TermRecordCodecTest {
    private static final TermRecord RECORD = new TermRecord(258, new NodeId("né-1"), -1, 3);
    private static final Set<NodeId> HOLDERS = Set.of(new NodeId("b"), new NodeId("aé"));

    /** Term, owner, incarnation, beat, length of leases. */
    private static final String REIGN = "05" + "088202" + "12056ec3a92d31" + "19ffffffffffffffff" + "2006" + "28c03e";

    /** Stored bytes outlive a release: these may never change. */
    @Test
    void versionFiveIsThisFormat() {
        assertIs(REIGN, RECORD);
        assertIs(
                REIGN + "3001" + "3a0361c3a9" + "3a0162",
                new TermRecord(258, new NodeId("né-1"), -1, 3, 8_000, HOLDERS));
        assertIs(REIGN + "3001", new TermRecord(258, new NodeId("né-1"), -1, 3, 8_000, Set.of()));
    }

    /** Two seats, two enrolled nodes; the founding's number and its incarnation. */
    @Test
    void theCharterOfACluster() {
        var charter = new Charter(new TermId(258, 7), Set.of("b:1", "a:1"), Set.of(new NodeId("x"), new NodeId("w")));
        assertIs(
                REIGN + "4001" + "4a03613a31" + "4a03623a31" + "520177" + "520178" + "588202" + "610700000000000000",
                new TermRecord(258, new NodeId("né-1"), -1, 3, 8_000, null, charter));
        var ofAHost = new Charter(new TermId(258, 7), Set.of(), Set.of(new NodeId("w")));
        assertIs(
                REIGN + "3001" + "4001" + "520177" + "588202" + "610700000000000000",
                new TermRecord(258, new NodeId("né-1"), -1, 3, 8_000, Set.of(), ofAHost));
    }

    private static void assertIs(String hex, TermRecord record) {
        var bytes = HexFormat.of().parseHex(hex);
        assertArrayEquals(
                bytes, TermRecordCodec.encode(record), () -> HexFormat.of().formatHex(TermRecordCodec.encode(record)));
        assertEquals(record, TermRecordCodec.decode(bytes));
    }

    @Test
    void aReleasedReignIsOneWithoutABeat() {
        var released = new TermRecord(258, new NodeId("a"), 7, TermRecord.RELEASED);
        assertEquals(released, TermRecordCodec.decode(TermRecordCodec.encode(released)));
    }

    @Test
    void theFieldsOfALaterBuildAreKeptAsTheyAre() {
        var later = new FieldWriter()
                .raw(TermRecordCodec.encode(RECORD))
                .text(900, "invented")
                .number(901, 7)
                .toBytes();
        var read = TermRecordCodec.decode(later);
        assertEquals(RECORD.termId(), read.termId());
        assertTrue(read.isSameReign(RECORD));
        assertNotEquals(RECORD, read, "it is not what this build would write");
        assertArrayEquals(later, TermRecordCodec.encode(read), "a store that compares bytes must find it");
        assertEquals(UnknownFields.NONE, RECORD.nextBeat().rest());
    }

    /** Of builds whose formats had no numbered fields; recorded from one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "01" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "6ec3a92d31",
                "02" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "00000000" + "6ec3a92d31",
                "03" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "0000000000001388" + "6ec3",
                "04" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "0000000000001388" + "00000000"
                        + "6ec3"
            })
    void aRecordOfAnEarlierBuildIsRefusedWithBothWireVersions(String hex) {
        var failure = assertThrows(
                IncompatibleRecordException.class,
                () -> TermRecordCodec.decode(HexFormat.of().parseHex(hex)));
        assertTrue(failure.getMessage().contains("wire version 1"), failure.getMessage());
        assertTrue(failure.getMessage().contains("wire version 2"), failure.getMessage());
    }

    @Test
    void refusesAnUnknownVersionByNumber() {
        var bytes = TermRecordCodec.encode(RECORD);
        bytes[0] = (byte) 200;
        assertRefused(bytes, "version 200");
    }

    @Test
    void refusesWhatWasCutOff() {
        assertRefused(new byte[0], "no bytes");
        var bytes = TermRecordCodec.encode(RECORD);
        for (int length = 1; length < bytes.length; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "impossible field");
        }
    }

    @Test
    void refusesGarbage() {
        var zeroTerm = HexFormat.of().parseHex("05" + "080012016128c03e");
        assertRefused(zeroTerm, "impossible field");
        var noText = TermRecordCodec.encode(RECORD);
        noText[7] = (byte) 0xff;
        assertRefused(noText, "impossible field");
        var blankOwner = HexFormat.of().parseHex("05" + "0801" + "120120" + "28c03e");
        assertRefused(blankOwner, "blank");
    }

    private static void assertRefused(byte[] bytes, String reason) {
        var failure = assertThrows(UnreadableRecordException.class, () -> TermRecordCodec.decode(bytes));
        assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    }
}
