package io.shardbus.store.infinispan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.model.FencingToken;
import io.shardbus.model.UnknownFields;
import io.shardbus.store.UnreadableRecordException;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdBucketCodecTest {
    private static final IdBucket BUCKET =
            new IdBucket(new FencingToken(258, 7, 300), Map.of("n1", 5L), StoredIds.of(Set.of("é")));

    /** Files outlive a release: these bytes may never change. */
    @Test
    void versionTwoIsThisFormat() {
        var bytes = HexFormat.of()
                .parseHex("02" + "0a0f" + "088202" + "110700000000000000" + "18ac02" + "1206" + "0a026e31" + "1005"
                        + "1a08" + "00000001" + "0002c3a9");
        assertArrayEquals(
                bytes, IdBucketCodec.encode(BUCKET), () -> HexFormat.of().formatHex(IdBucketCodec.encode(BUCKET)));
        assertEquals(BUCKET, IdBucketCodec.decode(bytes));
        assertEquals(1, IdBucketCodec.size(bytes));
    }

    /** As a build without numbered fields wrote it into a file. */
    @Test
    void versionOneIsRead() {
        var bytes = HexFormat.of()
                .parseHex("01" + "0000000000000102" + "0000000000000007" + "000000000000012c" + "01" + "00026e31"
                        + "0000000000000005" + "00000001" + "0002c3a9");
        assertEquals(BUCKET, IdBucketCodec.decode(bytes));
        assertEquals(1, IdBucketCodec.size(bytes));
        for (int length = 0; length < bytes.length; length++) {
            var cut = Arrays.copyOf(bytes, length);
            assertThrows(UnreadableRecordException.class, () -> IdBucketCodec.decode(cut));
        }
    }

    @Test
    void theFieldsOfALaterBuildStayWhenTheBucketIsWrittenAgain() {
        var invented = new FieldWriter().text(77, "invented").toBytes();
        var later = new FieldWriter()
                .raw(IdBucketCodec.encode(BUCKET))
                .raw(invented)
                .toBytes();
        var read = IdBucketCodec.decode(later);
        assertEquals(UnknownFields.of(invented), read.rest());
        var next = read.next("n2", new FencingToken(259, 7, 1), StoredIds.of(Set.of("a", "b")));
        var written = IdBucketCodec.decode(IdBucketCodec.encode(next));
        assertEquals(next, written);
        assertEquals(UnknownFields.of(invented), written.rest());
        assertEquals(UnknownFields.of(invented), BUCKET.mergedWith(next).rest(), "the newer one");
    }

    @Test
    void refusesAnotherVersionAndGarbage() {
        assertThrows(UnreadableRecordException.class, () -> IdBucketCodec.decode(new byte[0]));
        assertThrows(UnreadableRecordException.class, () -> IdBucketCodec.decode(new byte[] {3}));
        assertThrows(UnreadableRecordException.class, () -> IdBucketCodec.decode(new byte[] {2}), "without a fence");
        var bytes = IdBucketCodec.encode(BUCKET);
        var in = new FieldReader(bytes, 1, bytes.length);
        while (in.next()) {
            var cut = Arrays.copyOf(bytes, in.position());
            assertThrows(UnreadableRecordException.class, () -> IdBucketCodec.decode(cut));
        }
    }
}
