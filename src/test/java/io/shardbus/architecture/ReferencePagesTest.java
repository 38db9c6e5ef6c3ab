package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.FailureCode;
import io.shardbus.persistence.DurableStateEntity;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.persistence.StateEffect;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of docs/reference that no other test compares with the code: what they name is there, and complete. */
class ReferencePagesTest {
    private static final Path PAGES = Path.of("docs", "reference");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "shardbus");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static String page(String name) throws IOException {
        return Files.readString(PAGES.resolve(name));
    }

    private static Stream<MatchResult> find(String regex, String text) {
        return Pattern.compile(regex, Pattern.MULTILINE).matcher(text).results();
    }

    private static String section(String page, String heading) {
        int begin = page.indexOf("\n## " + heading + "\n");
        assertTrue(begin >= 0, heading);
        int end = page.indexOf("\n## ", begin + 1);
        return page.substring(begin, end < 0 ? page.length() : end);
    }

    /** The numbers of a class of constants, by their names in camel case. */
    private static Map<String, Integer> numbers(String type) throws ReflectiveOperationException {
        Map<String, Integer> numbers = new TreeMap<>();
        for (Field constant : Class.forName("io.shardbus.transport." + type).getDeclaredFields()) {
            if (constant.getType() == int.class) {
                constant.setAccessible(true);
                numbers.put(camelCase(constant.getName()), constant.getInt(null));
            }
        }
        return numbers;
    }

    private static String camelCase(String constant) {
        return Arrays.stream(constant.split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    @Test
    void theWirePageHasTheKindsOfControlMessages() throws Exception {
        Map<String, Integer> written = find("^\\| (\\d+) (\\w+) \\|", section(page("wire.md"), "Control frame"))
                .collect(Collectors.toMap(row -> row.group(2), row -> Integer.valueOf(row.group(1))));
        assertEquals(numbers("ControlKind"), new TreeMap<>(written));
    }

    @Test
    void theWirePageHasTheKindsOfItems() throws Exception {
        String text = section(page("wire.md"), "Frame between two lanes");
        Map<String, Integer> kinds = numbers("FrameKind");
        assertTrue(text.contains("One byte, " + kinds.remove("Version") + ";"), text);
        assertTrue(kinds.keySet().removeAll(Set.of("WithHeaders", "WithAsk", "WithToken", "EndsAsk", "Base")));
        kinds.forEach((name, number) -> assertTrue(
                find("\\b" + number + "\\s+(?i:" + name + ")\\b", text).count() > 0, number + " " + name));
    }

    /** Numbers of fields in a row of the wire page: those outside braces and parentheses. */
    private static List<Integer> fields(String text) {
        return find("(?:^|, | and )(\\d+) ", text.replaceAll("\\{[^}]*\\}|\\([^)]*\\)", ""))
                .map(field -> Integer.valueOf(field.group(1)))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "term, store.TermRecordCodec",
        "a bucket of remembered ids, store.infinispan.IdBucketCodec",
    })
    void theWirePageHasTheFieldsOfARecord(String record, String codec) throws Exception {
        String row = find("^\\| " + record + "[^|]*\\| \\d+ \\|([^|]*)\\|$", section(page("wire.md"), "Stored records"))
                .findFirst()
                .orElseThrow()
                .group(1)
                .trim();
        Field last = Class.forName("io.shardbus." + codec).getDeclaredField("LAST_KNOWN");
        last.setAccessible(true);
        assertEquals(
                IntStream.rangeClosed(1, last.getInt(null)).boxed().toList(), fields(row), () -> codec + ": " + row);
    }

    @Test
    void theWirePageHasTheKindsOfFramesBetweenDataCenters() throws Exception {
        String text = section(page("wire.md"), "Links between data centers");
        String list = text.substring(text.indexOf("Kinds:"));
        Class<?> kinds = Class.forName("io.shardbus.datacenter.Frame$Kind");
        Field number = kinds.getDeclaredField("number");
        number.setAccessible(true);
        for (Object kind : kinds.getEnumConstants()) {
            String written = number.getInt(kind) + "\\s+" + kind.toString().toLowerCase(Locale.ROOT);
            assertEquals(
                    number.getInt(kind) == 0 ? 0 : 1,
                    find("\\b" + written + "\\b", list).count(),
                    written);
        }
    }

    @Test
    void thePersistencePageHasTheNumbersOfTheFailureCodes() throws IOException {
        List<MatchResult> rows = find("^\\| `(\\w+)` \\((\\d+)\\)", section(page("persistence.md"), "Failure codes"))
                .toList();
        assertEquals(5, rows.size());
        rows.forEach(row -> assertEquals(
                Integer.parseInt(row.group(2)),
                FailureCode.valueOf(row.group(1)).number(),
                row.group(1)));
    }

    private static Set<String> methods(Class<?>... types) {
        return Arrays.stream(types)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @Test
    void thePersistencePageHasTheWordsOfEachModel() throws IOException {
        Set<String> events = methods(EventSourcedEntity.class, Effect.class, PersistenceContext.class);
        Set<String> state = methods(DurableStateEntity.class, StateEffect.class, PersistenceContext.class);
        List<String> rows = section(page("persistence.md"), "The words of an entity")
                .lines()
                .filter(line -> line.startsWith("| `"))
                .filter(line -> line.split("\\|").length == 5)
                .toList();
        assertTrue(rows.size() > 10, rows::toString);
        for (String row : rows) {
            String[] cells = row.split("\\|", -1);
            CODE.matcher(cells[1])
                    .results()
                    .map(code -> code.group(1).replaceAll("^(context)?\\.|\\(.*", ""))
                    .forEach(word -> {
                        assertEquals(cells[2].contains("x"), events.contains(word), word + " of events");
                        assertEquals(cells[3].contains("x"), state.contains(word), word + " of a state");
                    });
        }
    }

    /** The columns of each table of a schema. */
    private static Map<String, Set<String>> tables(String schema) throws IOException {
        String text = Files.readString(Path.of("src/main/resources/io/shardbus/store", schema));
        return find("CREATE TABLE IF NOT EXISTS (\\w+) \\((.*?)\n;", text.replace("\n    ", " \u0001"))
                .collect(Collectors.toMap(
                        table -> table.group(1),
                        table -> find("\u0001(\\w+) ", table.group(2))
                                .map(column -> column.group(1))
                                .collect(Collectors.toSet())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite-schema.sql", "postgres-schema.sql"})
    void thePersistencePageHasTheTablesOfAStore(String schema) throws IOException {
        Map<String, Set<String>> tables = tables(schema);
        Set<String> described = new TreeSet<>();
        for (String row :
                section(page("persistence.md"), "What a store holds").lines().toList()) {
            Matcher table = Pattern.compile("^\\| `(shardbus_\\w+)` \\|[^|]*\\|([^|]*)\\|$")
                    .matcher(row);
            if (table.matches()) {
                described.add(table.group(1));
                Set<String> columns = tables.getOrDefault(table.group(1), Set.of());
                CODE.matcher(table.group(2))
                        .results()
                        .map(code -> code.group(1))
                        .filter(name -> name.matches("[a-z_]+"))
                        .forEach(name -> assertTrue(columns.contains(name), () -> table.group(1) + "." + name));
            }
        }
        assertEquals(new TreeSet<>(tables.keySet()), described);
    }

    @Test
    void thePlatformPageHasTheVersionsOfTheBuild() throws IOException {
        List<String> built = find("<infinispan\\.version>([\\d.]+\\d)", Files.readString(Path.of("pom.xml")))
                .map(version -> version.group(1))
                .toList();
        List<String> written = find(
                        "^\\| (?:\\*\\*)?([\\d.]+)(?:\\*\\*)? ",
                        section(page("platform.md"), "Lines of Infinispan and Java"))
                .map(row -> row.group(1))
                .limit(3)
                .toList();
        assertEquals(built, written);
    }

    @Test
    void thePlatformPagesNameTestsThatExist() throws IOException {
        Set<String> tests;
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            tests = files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toSet());
        }
        String pages = page("platform.md") + page("../measurements/platform.md");
        List<String> named =
                find("`(\\w+(?:IT|Test))`", pages).map(test -> test.group(1)).toList();
        assertTrue(named.size() > 20, named::toString);
        assertEquals(
                List.of(), named.stream().filter(test -> !tests.contains(test)).toList());
    }

    /** Simple names of all types of the main sources, nested ones among them. */
    private static Set<String> types() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            Set<String> types = new TreeSet<>();
            for (Path file :
                    files.filter(found -> found.toString().endsWith(".java")).toList()) {
                find("\\b(?:class|interface|enum|record) (\\w+)", Files.readString(file))
                        .forEach(type -> types.add(type.group(1)));
            }
            return types;
        }
    }

    /** Names in code style that begin with a capital letter and go on in small ones, of this project. */
    @ParameterizedTest
    @ValueSource(strings = {"manual.md", "persistence.md", "versions.md", "wire.md", "options.md", "admin.md"})
    void thePageNamesTypesThatExist(String page) throws IOException {
        Set<String> types = types();
        List<String> missing = find("`([A-Z]\\w*[a-z]\\w*)(?:[.<(][^`]*)?`", page(page))
                .map(type -> type.group(1))
                .filter(type -> !types.contains(type))
                .filter(type -> !type.matches("\\w+(IT|Test)"))
                .toList();
        assertEquals(List.of(), missing);
    }

    /** The public packages of the Javadoc's overview are those whose API stays. */
    @Test
    void theVersionsPageHasThePackagesOfTheOverview() throws IOException {
        String row = find("^\\| Java API \\|.*$", page("versions.md"))
                .findFirst()
                .orElseThrow()
                .group();
        Set<String> stable = CODE.matcher(row)
                .results()
                .map(code -> code.group(1))
                .filter(name -> name.matches("[a-z.]+"))
                .map(name -> name.startsWith("io.shardbus") ? name : "io.shardbus." + name)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> overview = find(
                        "\\{@link (io\\.shardbus[a-z.]*)\\}",
                        Files.readString(Path.of("src/main/javadoc/overview.html")))
                .map(link -> link.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        // the stores are packages of their own, named by their classes on the page
        overview.removeIf(name -> name.startsWith("io.shardbus.store."));
        assertEquals(overview, stable);
    }
}
