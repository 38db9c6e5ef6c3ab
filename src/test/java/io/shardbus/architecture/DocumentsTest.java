package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The documents of the repository: their links lead somewhere, the types that they name exist, decisions have their
 * day, lines are not wide, and the README stays short.
 */
class DocumentsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath();
    private static final Path SOURCES = ROOT.resolve("src/main/java/io/shardbus");
    private static final int README_LINES = 120;
    private static final int WIDTH = 120;
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)(?: \"[^\"]*\")?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.*)$", Pattern.MULTILINE);

    private static final Pattern ENTRY = Pattern.compile("^- .*\n(  .*\n)*", Pattern.MULTILINE);
    private static final Pattern DAY = Pattern.compile("\\(20\\d\\d-\\d\\d-\\d\\d\\b");

    /** A type with its package and perhaps a method, as {@code core.routing.Lane.send} in code style. */
    private static final Pattern TYPE =
            Pattern.compile("`(?:io\\.shardbus\\.)?((?:[a-z]+\\.)+)([A-Z]\\w*[a-z]\\w*)(?:\\.([a-z]\\w*))?`");

    private static List<Path> documents() throws IOException {
        var found = new ArrayList<Path>(List.of(ROOT.resolve("README.md")));
        for (String directory : List.of("docs", "examples", "conf")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
                files.filter(file -> file.toString().endsWith(".md")).forEach(found::add);
            }
        }
        return found;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<String> anchors(Path document) {
        return HEADING.matcher(text(document))
                .results()
                .map(heading -> heading.group(1).trim().toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
                .toList();
    }

    private static boolean leadsSomewhere(Path document, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target) && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    private static List<String> brokenLinks(Path document) {
        var broken = new ArrayList<String>();
        Matcher links = LINK.matcher(text(document));
        while (links.find()) {
            String link = links.group(1);
            if (!link.matches("[a-z]+:.*") && !leadsSomewhere(document, link)) {
                broken.add(ROOT.relativize(document) + ": " + link);
            }
        }
        return broken;
    }

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatExist() throws IOException {
        var documents = documents();
        assertTrue(documents.size() > 1, documents::toString);
        assertEquals(
                List.of(),
                documents.stream()
                        .flatMap(document -> brokenLinks(document).stream())
                        .toList());
    }

    /** The entries of a list, each with the lines that continue it, that name no day. */
    private static List<String> withoutADay(String decisions) {
        return ENTRY.matcher(decisions)
                .results()
                .map(MatchResult::group)
                .filter(entry -> !DAY.matcher(entry).find())
                .map(entry -> entry.lines().findFirst().orElseThrow())
                .toList();
    }

    @Test
    void everyDecisionHasItsDay() {
        assertEquals(List.of(), withoutADay(text(ROOT.resolve("docs/DECISIONS.md"))));
        assertEquals(
                List.of("- **Two.** Why"), withoutADay("- **One.** Why\n  (2026-11-21).\n- **Two.** Why\n  not.\n"));
    }

    /** The types, and methods of them, that the text names and the sources have not; of packages of this project. */
    private static List<String> missingTypes(String text) {
        return TYPE.matcher(text)
                .results()
                .filter(name -> Files.isDirectory(
                        SOURCES.resolve(name.group(1).substring(0, name.group(1).indexOf('.')))))
                .filter(name -> !isThere(name.group(1), name.group(2), name.group(3)))
                .map(MatchResult::group)
                .toList();
    }

    private static boolean isThere(String room, String type, @Nullable String method) {
        Path source = SOURCES.resolve(room.replace('.', '/')).resolve(type + ".java");
        return Files.exists(source)
                && (method == null
                        || Pattern.compile("\\b" + method + "\\(")
                                .matcher(text(source))
                                .find());
    }

    @Test
    void everyTypeThatADocumentNamesWithItsPackageExists() throws IOException {
        for (Path document : documents()) {
            if (!document.endsWith("CHANGELOG.md")) {
                assertEquals(List.of(), missingTypes(text(document)), () -> "named in " + ROOT.relativize(document));
            }
        }
        assertTrue(TYPE.matcher(text(ROOT.resolve("docs/internals/walks.md")))
                        .results()
                        .count()
                > 60);
        assertEquals(
                List.of("`core.routing.Highway`", "`core.routing.Lane.teleport`"),
                missingTypes("`core.routing.Highway`, `core.routing.Lane.send`, `core.routing.Lane.teleport`"));
    }

    /** The numbers of lines that are too wide, rows of tables aside. */
    private static List<String> wideLines(Path document) {
        var lines = text(document).lines().toList();
        var wide = new ArrayList<String>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.length() > WIDTH && !line.startsWith("|")) {
                wide.add(ROOT.relativize(document) + ":" + (i + 1));
            }
        }
        return wide;
    }

    @Test
    void noLineIsWiderThan120ColumnsButRowsOfTables(@TempDir Path directory) throws IOException {
        assertEquals(
                List.of(),
                documents().stream()
                        .flatMap(document -> wideLines(document).stream())
                        .toList());
        var planted = directory.resolve("planted.md");
        Files.writeString(
                planted, "a".repeat(WIDTH) + "\n| " + "a".repeat(WIDTH) + " |\n" + "a".repeat(WIDTH + 1) + "\n");
        assertEquals(List.of(ROOT.relativize(planted) + ":3"), wideLines(planted));
    }

    @Test
    void theReadmeIsShort() {
        long lines = text(ROOT.resolve("README.md")).lines().count();
        assertTrue(lines <= README_LINES, () -> lines + " lines");
    }
}
