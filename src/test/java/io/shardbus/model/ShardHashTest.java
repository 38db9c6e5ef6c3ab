package io.shardbus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShardHashTest {
    private static final Pattern REPEATED = Pattern.compile("`(.)` x (\\d+)");

    record Vector(String id, int bytes, int hash, int signed, int of100, int of1000) {}

    static Stream<Vector> published() throws IOException {
        return Files.readAllLines(Path.of("docs", "reference", "addressing.md")).stream()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.split(" *\\| *"))
                .filter(cells -> cells.length == 7 && cells[2].matches("\\d+"))
                .map(cells -> vector(List.of(cells)));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "\"\", 00000000",
                "hello, 248bfa47",
                "\"hello, world\", 149bbb7f",
                "The quick brown fox jumps over the lazy dog, 2e4ff723"
            })
    void isMurmur3(String id, String hash) {
        assertEquals(Integer.parseUnsignedInt(hash, 16), ShardHash.hash(id));
    }

    @ParameterizedTest
    @MethodSource("published")
    void publishedVectorsHold(Vector vector) {
        assertEquals(vector.bytes, vector.id.getBytes(StandardCharsets.UTF_8).length);
        assertEquals(vector.hash, ShardHash.hash(vector.id));
        assertEquals(vector.signed, ShardHash.hash(vector.id));
        assertEquals(vector.of100, ShardHash.shard(vector.id, 100));
        assertEquals(vector.of1000, ShardHash.shard(vector.id, 1000));
    }

    @Test
    void publishedVectorsCoverTheHardCases() throws IOException {
        var vectors = published().toList();
        assertTrue(vectors.size() >= 12, "only " + vectors.size());
        assertTrue(vectors.stream().filter(v -> v.signed < 0).count() >= 3);
        assertTrue(vectors.stream().anyMatch(v -> v.bytes == 1024));
        assertTrue(vectors.stream().anyMatch(v -> v.id.codePoints().anyMatch(c -> c > 0xffff)));
        assertEquals(4, vectors.stream().map(v -> v.bytes % 4).distinct().count());
    }

    @Test
    void shardsAreWithinTheNumberAndAllUsed() {
        var used = new boolean[100];
        for (int i = 0; i < 10_000; i++) {
            used[ShardHash.shard("entity-" + i, 100)] = true;
        }
        for (int shard = 0; shard < used.length; shard++) {
            assertTrue(used[shard], "shard " + shard);
        }
        assertEquals(0, ShardHash.shard("anything", 1));
    }

    private static Vector vector(List<String> cells) {
        return new Vector(
                id(cells.get(1)),
                Integer.parseInt(cells.get(2)),
                Integer.parseUnsignedInt(cells.get(3).replace("`", ""), 16),
                Integer.parseInt(cells.get(4)),
                Integer.parseInt(cells.get(5)),
                Integer.parseInt(cells.get(6)));
    }

    private static String id(String cell) {
        var repeated = REPEATED.matcher(cell);
        if (repeated.matches()) {
            return repeated.group(1).repeat(Integer.parseInt(repeated.group(2)));
        }
        return cell.equals("(empty)") ? "" : cell.substring(1, cell.length() - 1);
    }
}
