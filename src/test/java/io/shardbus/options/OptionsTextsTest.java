package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.launcher.ConfigFile;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
        assertEquals(OptionKey.ALL.stream().map(OptionsTextsTest::row).toList(), rows(page()));
    }

    private static List<String> row(OptionKey<?> key) {
        return List.of("`" + key.name() + "`", "`" + Json.encode(key.toJson(DEFAULTS)) + "`", key.range());
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("docs", "reference", "options.md"));
    }

    /** Key, default and range of each row, up to the next heading. */
    private static List<List<String>> rows(String page) {
        return page.lines()
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("| `"))
                .map(line -> List.of(line.split(" *\\| *")).subList(1, 4))
                .toList();
    }

    /**
     * The table of an object of options.
     *
     * @param keys with defaults; the empty text for a key without one
     * @param valid what the check takes
     */
    private record Table(String name, Map<String, String> keys, JsonObject valid, Consumer<JsonObject> check) {
        static Table of(String name, JsonObject defaults, JsonObject valid, Consumer<JsonObject> check) {
            return of(name, Set.of(), defaults, valid, check);
        }

        /** @param unset keys that have no default */
        static Table of(
                String name, Set<String> unset, JsonObject defaults, JsonObject valid, Consumer<JsonObject> check) {
            Map<String, String> keys = new TreeMap<>();
            unset.forEach(key -> keys.put(key, ""));
            defaults.forEach(entry -> {
                if (entry.getKey().equals("admission")) {
                    ((JsonObject) entry.getValue())
                            .forEach(inner -> keys.put("admission." + inner.getKey(), code(inner.getValue())));
                } else {
                    keys.put(entry.getKey(), code(entry.getValue()));
                }
            });
            return new Table(name, keys, valid, check);
        }

        private static String code(Object value) {
            return "`" + Json.encode(value) + "`";
        }

        private List<List<String>> rows(String page) {
            String heading = "## Keys of `" + name + "`\n";
            assertTrue(page.contains(heading), heading);
            return OptionsTextsTest.rows(page.substring(page.indexOf(heading) + heading.length()));
        }

        /** Key and default of each row. */
        Map<String, String> described(String page) {
            return rows(page).stream()
                    .collect(Collectors.toMap(row -> row.get(0).replace("`", ""), row -> row.get(1)));
        }

        /** What is said when the key has the value. */
        String refusal(String key, Object value) {
            JsonObject json = valid.copy();
            if (key.startsWith("admission.")) {
                json.put("admission", new JsonObject().put(key.substring(10), value));
            } else {
                json.put(key, value);
            }
            var refusal = assertThrows(IllegalArgumentException.class, () -> check.accept(json), key);
            return String.valueOf(refusal.getMessage());
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Table> tables() {
        var quorum = new JsonObject().put("strategy", "static-quorum").put("quorumSize", 1);
        var files = new JsonObject().put("certificate", "a").put("key", "a").put("trust", "a");
        var named = new JsonObject().put("name", "a");
        var uri = new JsonObject().put("uri", "postgresql://host/database");
        var none = new JsonObject();
        var stores = new SqliteOptions().toJson().put("uri", "").put("partitions", PostgresOptions.DEFAULT_PARTITIONS);
        return List.of(
                Table.of(
                        "splitBrain",
                        new SplitBrainOptions().toJson(),
                        quorum,
                        json -> new SplitBrainOptions(json).validate()),
                Table.of(
                        "entityRecovery",
                        new EntityRecoveryOptions().toJson(),
                        none,
                        json -> new EntityRecoveryOptions(json).validate()),
                Table.of(
                        "passivation",
                        new PassivationOptions().toJson(),
                        none,
                        json -> new PassivationOptions(json).validate()),
                Table.of("direct", new DirectOptions().toJson(), none, json -> new DirectOptions(json).validate()),
                Table.of("metrics", new MetricsOptions().toJson(), none, json -> new MetricsOptions(json).validate()),
                Table.of(
                        "cluster",
                        ClusterOptions.KEYS,
                        new ClusterOptions().toJson(),
                        none,
                        json -> new ClusterOptions(json).validate()),
                Table.of("tls", new TlsOptions().toJson(), files, json -> new TlsOptions(json).validate()),
                Table.of("daemons", new DaemonOptions().toJson(), named, json -> new DaemonOptions(json).validate()),
                Table.of(
                        "singletons",
                        new SingletonOptions().toJson(),
                        named,
                        json -> new SingletonOptions(json).validate()),
                Table.of(
                        "dataCenter",
                        DataCenterOptions.KEYS.keySet(),
                        new DataCenterOptions().toJson(),
                        named,
                        json -> new DataCenterOptions(json).validate()),
                Table.of(
                        "persistence",
                        PostgresOptions.KEYS.keySet(),
                        stores,
                        uri,
                        json -> new PostgresOptions(json).validate()),
                Table.of(
                        "gracefulShutdown",
                        new GracefulShutdownOptions().toJson(),
                        none,
                        json -> new GracefulShutdownOptions(json)));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void documentListsEveryKeyOfAnObjectWithItsDefault(Table table) throws IOException {
        assertEquals(table.keys(), new TreeMap<>(table.described(page())));
    }

    @ParameterizedTest
    @MethodSource("tables")
    void aKeyThatIsMissingOrHasAnotherDefaultIsFound(Table table) throws IOException {
        String page = page();
        int begin = page.indexOf("\n| `", page.indexOf("## Keys of `" + table.name() + "`"));
        String row = page.substring(begin, page.indexOf('\n', begin + 1));
        String missing = page.substring(0, begin) + page.substring(begin + row.length());
        assertNotEquals(table.keys(), table.described(missing));
        String[] cells = row.split("\\|", -1);
        cells[2] = " `5` ";
        String changed = page.substring(0, begin) + String.join("|", cells) + page.substring(begin + row.length());
        assertNotEquals(table.keys(), table.described(changed));
    }

    @Test
    void everyObjectAmongTheOptionsHasATable() {
        var objects = OptionKey.ALL.stream()
                .filter(key -> key.kind().equals("an object:"))
                .map(OptionKey::name)
                .toList();
        assertTrue(objects.size() >= 5, objects::toString);
        assertTrue(tables().stream().map(Table::name).toList().containsAll(objects), objects::toString);
    }

    /** Texts and numbers; ranges that depend on another key are said with that key's default. */
    @ParameterizedTest
    @MethodSource("tables")
    void documentHasTheRangesThatRefusalsName(Table table) throws IOException {
        for (List<String> row : table.rows(page())) {
            String key = row.get(0).replace("`", "");
            String range = row.get(2).replace("maxWorkers", "256").replace("two heartbeats", "2000");
            boolean isText = row.get(1).isEmpty() || row.get(1).startsWith("`\"");
            boolean isNumber = row.get(1).matches("`-?[\\d.]+`");
            if (!range.isEmpty() && (isText || isNumber)) {
                String refusal = table.refusal(key, isText ? "\0" : tooLarge(row.get(1), range));
                assertTrue(refusal.contains(range), () -> key + ": " + range + ": " + refusal);
            }
        }
    }

    private static Number tooLarge(String value, String range) {
        if (value.contains(".")) {
            return 1e9;
        }
        long most = Long.parseLong(range.replaceFirst(".*[^\\d]", ""));
        if (most < Integer.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        return most + 1;
    }

    private static int indexOf(List<String> lines, String start) {
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no line starts with " + start));
    }
}
