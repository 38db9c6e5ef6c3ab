package benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process that hosts counters, started with the JVM options and the class path of this one. Closing kills it, and
 * waits for its end.
 */
final class HostProcess implements AutoCloseable {
    private static final long START_SECONDS = 120;

    private final Process process;
    private final CompletableFuture<String> ready = new CompletableFuture<>();

    private HostProcess(Process process) {
        this.process = process;
        // A stopped process does not see that its standard input has ended.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        var reader = new Thread(this::readOutput, "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** A process whose node coordinates and hosts nothing. */
    static HostProcess startProxy(Node.Place place, Arguments told, Path log) {
        return start(place, told, log, "--proxy");
    }

    /**
     * @param log where its standard error goes
     * @param flags of {@link HostMain}
     */
    static HostProcess start(Node.Place place, Arguments told, Path log, String... flags) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), HostMain.class.getName()));
        command.addAll(Stream.concat(identity(place), told.forwarded()).toList());
        command.addAll(List.of(flags));
        try {
            return new HostProcess(
                    new ProcessBuilder(command).redirectError(log.toFile()).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> identity(Node.Place place) {
        var ports = place.ports().stream().map(String::valueOf).toList();
        return Stream.of("--name=" + place.cluster(), "--peers=" + String.join(",", ports), "--node=" + place.number());
    }

    private void readOutput() {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("ready ")) {
                    ready.complete(line.substring("ready ".length()));
                }
            }
        } catch (IOException e) {
            ready.completeExceptionally(e);
        }
        ready.completeExceptionally(new IllegalStateException("a host ended before it was ready"));
    }

    /** The id of its node, once it hosts. */
    String awaitReady() throws Exception {
        return ready.get(START_SECONDS, TimeUnit.SECONDS);
    }

    void awaitEnd(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("a host still runs after " + seconds + " s");
        }
    }

    long pid() {
        return process.pid();
    }

    /** SIGTERM; not by the process, which would close the standard input too. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** Any other signal, by its name. */
    void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " of " + process.pid() + " ended with " + status);
        }
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
