package io.shardbus.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SliceMessageExtractorTest {
    private static final SliceMessageExtractor<String> EXTRACTOR = SliceMessageExtractor.by(message -> message);

    @DisplayName("ALLOC-35 an id always maps to its slice")
    @ParameterizedTest(name = "ALLOC-35 {0} -> slice {1}")
    @CsvSource({"a, 97", "cart|4711, 831", "order|0, 254"})
    void shardsAreRangesOfSlices(String id, int slice) {
        assertEquals(slice, SliceMessageExtractor.sliceOf(id));
        assertEquals(slice, EXTRACTOR.shard(id, 1024));
        assertEquals(slice / 16, EXTRACTOR.shard(id, 64));
        assertEquals(0, EXTRACTOR.shard(id, 1));
        assertEquals(id, EXTRACTOR.entityId(id));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 2048})
    void refusesNumbersThatDoNotDivideTheSlices(int shards) {
        assertThrows(IllegalArgumentException.class, () -> EXTRACTOR.shard("a", shards));
    }

    @Test
    void hasAVersionOfItsOwn() {
        assertEquals("slices-1", EXTRACTOR.version());
    }
}
