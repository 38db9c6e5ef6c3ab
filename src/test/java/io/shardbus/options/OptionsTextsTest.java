package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.launcher.ConfigFile;
import io.vertx.core.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the texts say about the options is what the code does. */
class OptionsTextsTest {
    private static final Path CONFIGURATION = Path.of("conf", "sharding.json");
    private static final ShardingOptions DEFAULTS = new ShardingOptions();

    @Test
    void configurationHoldsEveryKeyWithItsDefault() {
        var json = ConfigFile.read(CONFIGURATION);
        assertEquals(DEFAULTS.toJson().encodePrettily(), json.encodePrettily());
        assertEquals(DEFAULTS, new ShardingOptions(json));
        assertDoesNotThrow(() -> new ShardingOptions(json).validate());
    }

    @Test
    void configurationHasACommentWithTheRangeAboveEveryKey() throws IOException {
        var lines = Files.readAllLines(CONFIGURATION);
        for (var key : OptionKey.ALL) {
            int at = indexOf(lines, "  \"" + key.name() + "\":");
            var comment = lines.get(at - 1);
            assertTrue(comment.startsWith("  // ") && comment.endsWith("(" + key.range() + ")"), comment);
        }
    }

    @Test
    void documentListsEveryKeyWithDefaultAndRange() throws IOException {
        var rows = Files.readAllLines(Path.of("docs", "reference", "options.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(line -> List.of(line.split(" *\\| *")).subList(1, 4))
                .toList();
        assertEquals(OptionKey.ALL.stream().map(OptionsTextsTest::row).toList(), rows);
    }

    private static List<String> row(OptionKey<?> key) {
        return List.of("`" + key.name() + "`", "`" + Json.encode(key.toJson(DEFAULTS)) + "`", key.range());
    }

    private static int indexOf(List<String> lines, String start) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line starts with " + start));
    }
}
