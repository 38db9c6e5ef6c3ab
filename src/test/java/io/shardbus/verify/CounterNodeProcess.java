package io.shardbus.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A node of an example, of examples/counter unless said otherwise: a process started by its run.sh, on an address of
 * its own.
 */
public final class CounterNodeProcess implements AutoCloseable {
    /** The top of this project, when it is not the working directory. */
    public static final String ROOT_PROPERTY = "shardbus.root";

    private static final Path ROOT =
            Path.of(System.getProperty(ROOT_PROPERTY, "")).toAbsolutePath();
    private static final Path LOGS = ROOT.resolve("target/counter-nodes");
    private static final Duration LONGEST_EXIT = Duration.ofSeconds(70);

    private final int number;
    private final String host;
    private final int httpPort;
    private final Process process;
    private final Path log;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private CounterNodeProcess(int number, String host, int httpPort, Process process, Path log) {
        this.number = number;
        this.host = host;
        this.httpPort = httpPort;
        this.process = process;
        this.log = log;
        var reader = new Thread(this::readOutput, "output-of-node-" + number);
        reader.setDaemon(true);
        reader.start();
    }

    /** @param hosts the addresses of all nodes, number 1 first */
    public static CounterNodeProcess start(int number, List<String> hosts) {
        return ofExample(Example.COUNTER.directory(), Example.COUNTER.httpPort(), number, hosts);
    }

    /**
     * A node of an example that takes the same environment as examples/counter.
     *
     * @param httpPort its node N listens on this and N
     */
    public static CounterNodeProcess ofExample(String example, int httpPort, int number, List<String> hosts) {
        return start(example, httpPort, number, hosts, new Surroundings(List.of(), Map.of()));
    }

    /** The same, with more variables of the environment. */
    public static CounterNodeProcess ofExample(
            String example, int httpPort, int number, List<String> hosts, Map<String, String> settings) {
        return start(example, httpPort, number, hosts, new Surroundings(List.of(), settings));
    }

    /** @param settings more variables of the environment */
    public static CounterNodeProcess start(int number, Hosts hosts, Map<String, String> settings) {
        return start(Example.COUNTER, number, hosts, settings);
    }

    static CounterNodeProcess start(Example example, int number, Hosts hosts, Map<String, String> settings) {
        return start(
                example.directory(),
                example.httpPort(),
                number,
                hosts.addresses(),
                new Surroundings(hosts.prefix(number), settings));
    }

    /** Where a process starts: what its command begins with, and more variables of its environment. */
    private record Surroundings(List<String> prefix, Map<String, String> settings) {}

    private static CounterNodeProcess start(
            String example, int httpPort, int number, List<String> hosts, Surroundings surroundings) {
        var host = hosts.get(number - 1);
        var command = new ArrayList<>(surroundings.prefix());
        command.add(ROOT.resolve("examples").resolve(example).resolve("run.sh").toString());
        command.add(Integer.toString(number));
        try {
            Files.createDirectories(LOGS);
            var log = LOGS.resolve(host + "-" + System.nanoTime() + ".log");
            var builder = new ProcessBuilder(command).redirectError(log.toFile());
            builder.environment().put("SHARDBUS_HOST", host);
            builder.environment().put("SHARDBUS_PEERS", String.join(",", hosts));
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            builder.environment().putAll(surroundings.settings());
            return new CounterNodeProcess(number, host, httpPort + number, builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readOutput() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ready")) {
                    ready.complete(null);
                }
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
        ready.completeExceptionally(new IllegalStateException("the process ended before it was ready"));
    }

    public CounterNodeProcess awaitReady(Duration atMost) {
        try {
            ready.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return this;
        } catch (TimeoutException e) {
            throw new AssertionError(this + " is not ready after " + atMost + "\n" + log(), e);
        } catch (ExecutionException e) {
            throw new AssertionError(this + " will not be ready\n" + log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public URI uri(String path) {
        return URI.create("http://" + host + ":" + httpPort + path);
    }

    /** SIGTERM. */
    public void terminate() {
        process.destroy();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
    }

    /** The process gets no time until {@link #thaw}. */
    public void freeze() {
        Commands.run("kill", "-STOP", Long.toString(process.pid()));
    }

    public void thaw() {
        Commands.run("kill", "-CONT", Long.toString(process.pid()));
    }

    /** Writes what its threads do to a file, as the jstack of the JDK tells it. */
    void dumpThreads(Path file) throws IOException {
        var jstack = Path.of(System.getProperty("java.home"), "bin", "jstack");
        var dump = new ProcessBuilder(jstack.toString(), Long.toString(process.pid()))
                .redirectErrorStream(true)
                .redirectOutput(file.toFile())
                .start();
        try {
            if (!dump.waitFor(LONGEST_EXIT.toSeconds(), TimeUnit.SECONDS)) {
                dump.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            dump.destroyForcibly();
        }
    }

    public int awaitExit() {
        try {
            if (!process.waitFor(LONGEST_EXIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(this + " still runs\n" + log());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where it writes its standard error to. */
    public Path logFile() {
        return log;
    }

    /** What it wrote to standard error. */
    public String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return "node " + number + " at " + host + ", pid " + process.pid();
    }
}
