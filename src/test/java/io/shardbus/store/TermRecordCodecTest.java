package io.shardbus.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.TermRecord;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TermRecordCodecTest {
    private static final TermRecord RECORD = new TermRecord(258, new NodeId("né-1"), -1, 3);
    private static final Set<NodeId> HOLDERS = Set.of(new NodeId("b"), new NodeId("aé"));

    /** Stored bytes outlive a release: these may never change for version 1. */
    @Test
    void versionOneIsThisFormat() {
        var bytes = HexFormat.of()
                .parseHex("01" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "6ec3a92d31");
        assertArrayEquals(bytes, TermRecordCodec.encode(RECORD));
        assertEquals(RECORD, TermRecordCodec.decode(bytes));
    }

    @Test
    void versionTwoIsThisFormat() {
        var record = new TermRecord(258, new NodeId("né-1"), -1, 3, 8_000, HOLDERS);
        var bytes = HexFormat.of()
                .parseHex("02" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "00000002"
                        + "000361c3a9" + "000162" + "6ec3a92d31");
        assertArrayEquals(bytes, TermRecordCodec.encode(record));
        assertEquals(record, TermRecordCodec.decode(bytes));
        for (int length = 1; length <= 37; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "record");
        }
    }

    /** Nodes of a release that knows these two only can still be there. */
    @Test
    void leasesOfTheUsualLengthAreLeftToVersionsOneAndTwo() {
        assertEquals(8_000, RECORD.leaseMillis());
        assertEquals(1, TermRecordCodec.encode(RECORD)[0]);
    }

    @Test
    void versionsThreeAndFourSayHowLongLeasesLast() {
        var three = HexFormat.of()
                .parseHex("03" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "0000000000001388"
                        + "6ec3a92d31");
        var four = HexFormat.of()
                .parseHex("04" + "0000000000000102" + "ffffffffffffffff" + "0000000000000003" + "0000000000001388"
                        + "00000002" + "000361c3a9" + "000162" + "6ec3a92d31");
        for (var bytes : new byte[][] {three, four}) {
            var holders = bytes[0] == 3 ? null : HOLDERS;
            var record = new TermRecord(258, new NodeId("né-1"), -1, 3, 5_000, holders);
            assertArrayEquals(bytes, TermRecordCodec.encode(record));
            assertEquals(record, TermRecordCodec.decode(bytes));
            for (int length = 1; length <= bytes.length - 5; length++) {
                assertRefused(Arrays.copyOf(bytes, length), "record");
            }
        }
    }

    @Test
    void refusesAnUnknownVersionByNumber() {
        var bytes = TermRecordCodec.encode(RECORD);
        bytes[0] = (byte) 200;
        assertRefused(bytes, "version 200");
    }

    @Test
    void refusesWhatWasCutOff() {
        var bytes = TermRecordCodec.encode(RECORD);
        for (int length = 0; length <= 25; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "bytes");
        }
    }

    @Test
    void refusesGarbage() {
        var zeroTerm = TermRecordCodec.encode(RECORD);
        Arrays.fill(zeroTerm, 1, 9, (byte) 0);
        assertRefused(zeroTerm, "impossible field");
        var noText = TermRecordCodec.encode(RECORD);
        noText[26] = (byte) 0xff;
        assertRefused(noText, "impossible field");
        var blankOwner = TermRecordCodec.encode(new TermRecord(1, new NodeId("x"), 0, 0));
        blankOwner[25] = ' ';
        assertRefused(blankOwner, "impossible field");
    }

    private static void assertRefused(byte[] bytes, String reason) {
        var failure = assertThrows(UnreadableRecordException.class, () -> TermRecordCodec.decode(bytes));
        assertTrue(failure.getMessage().contains(reason), failure.getMessage());
    }
}
