package io.shardbus.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** Finds the word {@code synchronized} in the code of a source tree: class files do not show ArchUnit the blocks. */
final class SynchronizedBlocks {
    private static final Pattern COMMENT_OR_STRING =
            Pattern.compile("\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern KEYWORD = Pattern.compile("\\bsynchronized\\b");

    private SynchronizedBlocks() {}

    /** The files under {@code directory} that use it; none when there is no such directory. */
    static List<Path> under(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(SynchronizedBlocks::isUsedIn)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isUsedIn(Path file) {
        try {
            var code = COMMENT_OR_STRING.matcher(Files.readString(file)).replaceAll("");
            return KEYWORD.matcher(code).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
