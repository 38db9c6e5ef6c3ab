package io.shardbus.codec;

import io.shardbus.fuzz.Mutants;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostilePayloadTest {
    private static final PayloadCodec<Shop> CODEC = PayloadCodecs.forType(Shop.TYPE);

    private static byte[] encoded(Object value) {
        Buffer out = Buffer.buffer();
        CODEC.encode(value, out);
        return out.getBytes();
    }

    @Test
    void payloadsWithMistakesAreReadOrRefused() {
        Shop.Note note = new Shop.Note(
                "text",
                List.of(new Shop.Line("a", 1)),
                Map.of("b", 2),
                Duration.ofSeconds(3),
                Instant.ofEpochSecond(4));
        List<byte[]> real = Stream.of(
                        note,
                        new Shop.Add(Long.MIN_VALUE),
                        new Shop.Get(),
                        new Shop.Area(3, 3),
                        Shop.Command.OPEN,
                        new Shop.Stock(1, 2.5),
                        Shop.Mood.BUSY,
                        List.of("x", Map.of("k", 1L)),
                        Set.of(7),
                        5L,
                        true,
                        2.5,
                        "text",
                        Buffer.buffer("bytes"))
                .map(HostilePayloadTest::encoded)
                .toList();
        new Mutants(real)
                .decode(
                        bytes -> String.valueOf(CODEC.decode(Buffer.buffer(bytes), 0, bytes.length)),
                        Set.of(IllegalArgumentException.class),
                        read -> {});
    }
}
