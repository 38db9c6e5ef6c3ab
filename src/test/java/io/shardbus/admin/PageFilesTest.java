package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.options.AdminOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files of the page that are served, and what its index says of the options of its router. */
class PageFilesTest {
    private static final Path SOURCES = Path.of("src/main/resources/io/shardbus/admin/ui");
    private static final Set<String> UNPACKED =
            Set.of("preact.module.js", "hooks.module.js", "uPlot.iife.min.js", "uPlot.min.css");

    @Test
    void allFilesOfThePageAreServedAndNoOthers() throws IOException {
        try (var found = Files.walk(SOURCES)) {
            var names = found.filter(Files::isRegularFile)
                    .map(file -> SOURCES.relativize(file).toString())
                    .filter(name -> !Set.of("files.txt", "index.html").contains(name))
                    .collect(Collectors.toCollection(TreeSet::new));
            names.addAll(UNPACKED);
            assertEquals(names, new TreeSet<>(PageFiles.listed()));
        }
    }

    private static String body(AdminOptions options) {
        var html = PageFiles.read(PageSettings.of(options)).index().toString();
        return html.lines().filter(line -> line.startsWith("<body")).findFirst().orElseThrow();
    }

    @Test
    void theIndexSaysWhetherItIsReadOnlyAndOfWhichEnvironment() {
        assertEquals(
                "<body data-environment=\"\" data-environment-colour=\"grey\" data-read-only=\"true\">",
                body(new AdminOptions()));
        assertEquals(
                "<body data-environment=\"a &quot;&lt;b&gt;&amp;\" data-environment-colour=\"red\""
                        + " data-read-only=\"false\">",
                body(new AdminOptions()
                        .setEnvironment("a \"<b>&")
                        .setEnvironmentColour("red")
                        .setReadOnly(false)));
    }
}
