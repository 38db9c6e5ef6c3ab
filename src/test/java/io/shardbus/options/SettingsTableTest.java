package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** docs/reference/settings.md has our keys, all of them, and their defaults. */
class SettingsTableTest {
    private static final Path TABLE = Path.of("docs", "reference", "settings.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final JsonObject OURS = new ShardingOptions()
            .toJson()
            .put("daemons", new DaemonOptions().toJson())
            .put("singletons", new SingletonOptions().toJson());

    /** A line of the table: what is here, and its default. */
    private record Row(String here, String ours) {}

    private static List<Row> rows() throws IOException {
        try (Stream<String> lines = Files.lines(TABLE)) {
            return lines.filter(line -> line.startsWith("| `"))
                    .map(line -> line.split("\\|", -1))
                    .map(cells ->
                            new Row(cells[3].trim(), cells[4].replace("`", "").trim()))
                    .toList();
        }
    }

    private static Object value(String path) {
        Object found = OURS;
        for (String key : path.split("\\.", -1)) {
            found = found instanceof JsonObject object ? object.getValue(key) : null;
        }
        return found;
    }

    private static List<String> codes(String text) {
        return CODE.matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }

    @Test
    @DisplayName("Each of our keys in the table exists and has the default that the table says")
    void saysWhatThereIs() throws IOException {
        List<Row> rows = rows();
        assertTrue(rows.size() > 80, rows.size() + " rows");
        assertAll(rows.stream().map(SettingsTableTest::check));
    }

    private static Executable check(Row row) {
        return () -> {
            if (row.ours().isEmpty()) {
                for (String code : codes(row.here())) {
                    assertTrue(isCode(code), code + " is a key, or nothing that there is; its default is missing");
                }
                assertTrue(!codes(row.here()).isEmpty() || row.here().equals("none"), row.toString());
                return;
            }
            String key = codes(row.here()).get(0);
            assertNotNull(value(key), key);
            assertEquals(Json.encode(value(key)), row.ours(), key);
        };
    }

    /** What is said in code or asked over HTTP, and no key. */
    private static boolean isCode(String code) {
        Set<String> parts = Stream.of(
                        EntityDefinition.class,
                        ClusterOptions.class,
                        DataCenterOptions.class,
                        GracefulShutdownOptions.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .map(Method::getName)
                .collect(Collectors.toSet());
        return code.startsWith("GET /") || parts.contains(code.substring(code.lastIndexOf('.') + 1));
    }

    @Test
    @DisplayName("Each option of ours is in the table or below it")
    void leavesNothingOut() throws IOException {
        Set<String> missing = new TreeSet<>(new ShardingOptions().toJson().fieldNames());
        codes(Files.readString(TABLE)).forEach(code -> missing.remove(code.replaceFirst("\\..*", "")));
        assertEquals(Set.of(), missing);
    }
}
