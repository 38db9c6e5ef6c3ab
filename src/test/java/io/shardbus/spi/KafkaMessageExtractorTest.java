package io.shardbus.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KafkaMessageExtractorTest {
    private static final KafkaMessageExtractor<String> EXTRACTOR = KafkaMessageExtractor.by(message -> message);

    @DisplayName("START-15 the hash is Kafka's")
    @ParameterizedTest(name = "START-15 {0} -> {1}")
    @CsvSource({
        "1, -1993445489",
        "12, 126087238",
        "123, -267702483",
        "1234, -1614185708",
        "12345, -1188365604",
        "21, -973932308",
        "foobar, -790332482"
    })
    void hashesAsKafkaDoes(String id, int hash) throws IOException {
        assertEquals(hash, KafkaMessageExtractor.hash(id));
        var row = "| `" + id + "` | " + hash + " |";
        assertTrue(
                Files.readString(Path.of("docs", "reference", "addressing.md")).contains(row), row);
    }

    @Test
    @DisplayName("START-15 a shard has the number of the key's Kafka partition")
    void shardIsThePartition() {
        assertEquals((-1993445489 & 0x7fffffff) % 12, EXTRACTOR.shard("1", 12));
        assertEquals(126087238 % 12, EXTRACTOR.shard("12", 12));
        for (int i = 0; i < 1000; i++) {
            int shard = EXTRACTOR.shard("key-" + i, 7);
            assertTrue(shard >= 0 && shard < 7, "shard " + shard);
        }
    }

    @Test
    void takesTheIdFromTheMessageAndHasAVersionOfItsOwn() {
        assertEquals("order-1", EXTRACTOR.entityId("order-1"));
        assertEquals("kafka-1", EXTRACTOR.version());
    }
}
