package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.store.UnreadableRecordException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeAttributesTest {
    private static final NodeAttributes ATTRIBUTES = new NodeAttributes(Set.of("web", "db"), true, "1.2");

    /** Nodes of two releases read each other's: these bytes may never change for version 1. */
    @Test
    void versionOneIsThisFormat() {
        var bytes = HexFormat.of().parseHex("01" + "01" + "0003312e32" + "0002" + "00026462" + "0003776562");
        assertArrayEquals(bytes, NodeAttributesCodec.encode(ATTRIBUTES));
        assertEquals(ATTRIBUTES, NodeAttributesCodec.decode(bytes));
    }

    @Test
    void versionTwoSaysWhereTheBusIs() {
        var attributes = ATTRIBUTES.at("h", 7700);
        var bytes = HexFormat.of()
                .parseHex("02" + "01" + "0003312e32" + "0002" + "00026462" + "0003776562" + "000168" + "1e14");
        assertArrayEquals(bytes, NodeAttributesCodec.encode(attributes));
        assertEquals(attributes, NodeAttributesCodec.decode(bytes));
        assertThrows(IllegalArgumentException.class, () -> ATTRIBUTES.at("h", 65_536));
    }

    @Test
    void refusesAnotherVersionAndWhatWasCutOff() {
        var bytes = NodeAttributesCodec.encode(ATTRIBUTES);
        for (int length = 0; length < bytes.length; length++) {
            var cut = Arrays.copyOf(bytes, length);
            assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.decode(cut));
        }
        bytes[0] = 2;
        assertThrows(UnreadableRecordException.class, () -> NodeAttributesCodec.decode(bytes));
    }

    @Test
    void refusesWhatWouldNotFit() {
        var tooLong = "x".repeat(201);
        assertThrows(IllegalArgumentException.class, () -> new NodeAttributes(Set.of(tooLong), true, ""));
        assertThrows(IllegalArgumentException.class, () -> new NodeAttributes(Set.of(), true, tooLong));
    }
}
