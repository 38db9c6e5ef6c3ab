package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each package says what does not belong there, and is null-marked, as the overview of the Javadoc says. */
class PackageInfosTest {
    private static final Path SOURCES = Path.of("src/main/java/io/shardbus");
    private static final List<String> WANTED = List.of("<p>Not allowed in: ", "\n@NullMarked\n");

    @Test
    void eachPackageSaysWhatIsNotAllowedIn() throws IOException {
        assertTrue(packages(SOURCES).size() > 50, () -> SOURCES + " has the packages");
        assertEquals(List.of(), missing(SOURCES));
    }

    @Test
    void whatIsMissingIsFound(@TempDir Path root) throws IOException {
        Files.createFile(root.resolve("WithoutInfo.java"));
        Path bare = Files.createDirectory(root.resolve("bare"));
        Files.writeString(bare.resolve("package-info.java"), "/** Bare. */\npackage bare;\n");
        Path whole = Files.createDirectory(root.resolve("whole"));
        Files.writeString(
                whole.resolve("package-info.java"),
                "/**\n * Whole.\n *\n * <p>Not allowed in: more.\n */\n@NullMarked\npackage whole;\n");

        assertEquals(
                List.of(
                        root + ": " + WANTED.get(0),
                        root + ": " + WANTED.get(1),
                        bare + ": " + WANTED.get(0),
                        bare + ": " + WANTED.get(1)),
                missing(root));
    }

    private static List<String> missing(Path root) throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path each : packages(root)) {
            Path info = each.resolve("package-info.java");
            String text = Files.exists(info) ? Files.readString(info) : "";
            WANTED.stream()
                    .filter(wanted -> !text.contains(wanted))
                    .forEach(wanted -> missing.add(each + ": " + wanted));
        }
        return missing;
    }

    private static List<Path> packages(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .distinct()
                    .sorted()
                    .toList();
        }
    }
}
