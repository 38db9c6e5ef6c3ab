package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.store.UnreadableRecordException;
import io.shardbus.wire.FieldWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeAttributesTest {
    private static final NodeAttributes ATTRIBUTES = new NodeAttributes(Set.of("web", "db"), true, "1.2");

    private static final String SAYS = "03" + "0802" + "1001" + "1a03312e32" + "22026462" + "2203776562";

    /** Nodes of two releases read each other's: these bytes may never change. */
    @Test
    void versionThreeIsThisFormat() {
        assertIs(SAYS, ATTRIBUTES);
        assertIs(SAYS + "2a0168" + "30943c", ATTRIBUTES.at("h", 7700));
        assertThrows(IllegalArgumentException.class, () -> ATTRIBUTES.at("h", 65_536));
        assertIs(
                SAYS + "3a06" + "0a0161" + "120131" + "3a06" + "0a0162" + "120132",
                ATTRIBUTES.decidingBy(Map.of("b", "2", "a", "1")));
        assertIs(SAYS + "4204" + "6e6f6e65", ATTRIBUTES.sealingWith("none"));
    }

    private static void assertIs(String hex, NodeAttributes attributes) {
        var bytes = HexFormat.of().parseHex(hex);
        assertArrayEquals(bytes, NodeAttributesCodec.encode(attributes));
        assertEquals(attributes, NodeAttributesCodec.decode(bytes));
        assertEquals(2, NodeAttributesCodec.wireVersion(bytes));
    }

    @Test
    void whatALaterBuildSaysBesideItIsSkipped() {
        var bytes = new FieldWriter()
                .raw(NodeAttributesCodec.encode(ATTRIBUTES))
                .text(77, "invented")
                .fixed(78, -1)
                .toBytes();
        assertEquals(ATTRIBUTES, NodeAttributesCodec.decode(bytes));
    }

    /** The first two as builds without numbered fields wrote them. */
    @ParameterizedTest
    @CsvSource({
        "01010003312e320002000264620003776562, 1",
        "020100000000000168" + "1e14, 1",
        "030803, 3",
    })
    void aNodeThatSpeaksOtherFormatsIsToldApart(String hex, int wireVersion) {
        var bytes = HexFormat.of().parseHex(hex);
        assertEquals(wireVersion, NodeAttributesCodec.wireVersion(bytes));
        assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.decode(bytes));
    }

    @Test
    void refusesAnotherVersionAndWhatWasCutOff() {
        var bytes = NodeAttributesCodec.encode(ATTRIBUTES.at("h", 7700));
        assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.decode(new byte[0]));
        for (int length = 1; length < bytes.length; length++) {
            var cut = Arrays.copyOf(bytes, length);
            try {
                NodeAttributesCodec.decode(cut);
            } catch (UnreadableRecordException expected) {
                continue;
            }
            assertTrue(length >= 3, "a cut between two fields leaves fewer fields");
        }
        bytes[0] = 9;
        assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.decode(bytes));
        assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.wireVersion(bytes));
    }

    @Test
    void refusesWhatWouldNotFit() {
        var tooLong = "x".repeat(201);
        assertThrows(IllegalArgumentException.class, () -> new NodeAttributes(Set.of(tooLong), true, ""));
        assertThrows(IllegalArgumentException.class, () -> new NodeAttributes(Set.of(), true, tooLong));
    }
}
