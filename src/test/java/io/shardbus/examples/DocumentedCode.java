package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.TestCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Java of a document, compiled into a directory and run in a process of its own. */
final class DocumentedCode {
    private static final String MANAGER = "ShardbusClusterManager.create()";

    private final Path directory;

    DocumentedCode(Path directory) {
        this.directory = directory;
    }

    /** A name and a port of its own keep other nodes of this host out of the cluster. */
    static String inAClusterOfItsOwn(String code, String name) {
        return code.replace(
                MANAGER,
                "ShardbusClusterManager.create(new io.shardbus.options.ClusterOptions().setClusterName(\"" + name
                        + "\").setBindPort(" + TestCluster.freePort() + "))");
    }

    /** @param sources by the paths of their files below the directory */
    void compile(Map<String, String> sources) {
        String[] arguments = Stream.concat(
                        Stream.of("-nowarn", "-d", directory.toString(), "-cp", classPath()),
                        sources.entrySet().stream().map(source -> write(source.getKey(), source.getValue())))
                .toArray(String[]::new);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments), sources::toString);
    }

    private String write(String file, String code) {
        try {
            Path path = directory.resolve(file);
            Files.createDirectories(path.getParent());
            return Files.writeString(path, code).toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String classPath() {
        return System.getProperty("java.class.path") + File.pathSeparator + directory;
    }

    Process start(String mainClass, String... arguments) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = Stream.concat(Stream.of(java, "-cp", classPath(), mainClass), Stream.of(arguments))
                .toList();
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
