package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SynchronizedBlocksTest {
    @Test
    void runtimeHasNone() {
        assertEquals(List.of(), SynchronizedBlocks.under(Path.of("src/main/java/io/shardbus/runtime")));
    }

    @Test
    void findsABlockButNotAComment() {
        var names = SynchronizedBlocks.under(Path.of("src/test/java/io/shardbus/architecture/fixture/runtime")).stream()
                .map(file -> file.getFileName().toString())
                .sorted()
                .toList();

        assertEquals(List.of("BlockLock.java", "MethodLock.java"), names);
    }
}
