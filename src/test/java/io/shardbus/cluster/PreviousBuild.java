package io.shardbus.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * The build of the commit before this one, or of the last commit where the sources have been changed since; compiled
 * from the history, the product and its test process.
 */
final class PreviousBuild {
    private static final Path PLACE = Path.of("target/previous-build").toAbsolutePath();
    private static final String MAIN = "src/main/java";
    private static final String WIRE = MAIN + "/io/shardbus/wire/WireVersion.java";
    private static final String HOST = "src/test/java/io/shardbus/cluster/HostProcess.java";

    private PreviousBuild() {}

    /**
     * Where its classes are; empty where there is no history, or where the wire has been broken since, which is said in
     * this file.
     */
    static Optional<List<Path>> classes() {
        String commit = run("git", "diff", "--quiet", "HEAD", "--", "src").code() == 0 ? "HEAD~1" : "HEAD";
        Result wire = run("git", "show", commit + ":" + WIRE);
        return wire.code() == 0 && wire.output().equals(text(Path.of(WIRE)))
                ? Optional.of(compiled(commit))
                : Optional.empty();
    }

    private static List<Path> compiled(String commit) {
        empty(PLACE);
        require(run("git", "archive", "-o", PLACE.resolve("src.tar").toString(), commit, "src"), "archive");
        require(run("tar", "xf", PLACE.resolve("src.tar").toString(), "-C", PLACE.toString()), "tar");
        Path product = PLACE.resolve("classes");
        Path tests = PLACE.resolve("test-classes");
        String path = System.getProperty("java.class.path");
        compile(product, path, "", sources(PLACE.resolve(MAIN)));
        compile(
                tests,
                product + File.pathSeparator + path,
                PLACE.resolve("src/test/java").toString(),
                List.of(PLACE.resolve(HOST)));
        return List.of(tests, product);
    }

    private static void compile(Path to, String classPath, String sourcePath, List<Path> sources) {
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none",
                "-nowarn",
                "-parameters",
                "-d",
                to.toString(),
                "-cp",
                classPath,
                "-sourcepath",
                sourcePath));
        sources.forEach(source -> arguments.add(source.toString()));
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (code != 0) {
            throw new IllegalStateException("the previous build does not compile: " + code);
        }
    }

    private static List<Path> sources(Path root) {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Classes of an earlier run must not be left. */
    static void empty(Path place) {
        try {
            Files.createDirectories(place);
            try (Stream<Path> files = Files.walk(place)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
            Files.createDirectories(place);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Result(int code, String output) {}

    private static void require(Result result, String what) {
        if (result.code() != 0) {
            throw new IllegalStateException(what + ": " + result);
        }
    }

    private static Result run(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            return new Result(-1, e.toString());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
