package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

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
}
