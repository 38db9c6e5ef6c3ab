package io.shardbus.cluster;

import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Processes that host the nodes of one test cluster. Closing kills each that still runs, by its handle. */
final class Processes implements AutoCloseable {
    /** The role of nodes that host counters. */
    static final String HOSTING = "hosting";

    private static final long START_SECONDS = 60;
    private static final int REMEMBERED_LINES = 60;

    private final String name = "processes-" + UUID.randomUUID();
    private final List<String> peers = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private @Nullable TlsOptions tls;

    /** One process. */
    static final class Host {
        private final Process process;
        private final CompletableFuture<List<NodeId>> ready = new CompletableFuture<>();
        private final CompletableFuture<String> report = new CompletableFuture<>();
        private final Deque<String> lastLines = new ConcurrentLinkedDeque<>();

        private Host(Process process) {
            this.process = process;
            Thread reader = new Thread(this::read, "output of " + process.pid());
            reader.setDaemon(true);
            reader.start();
        }

        private void read() {
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    lastLines.add(line);
                    if (lastLines.size() > REMEMBERED_LINES) {
                        lastLines.poll();
                    }
                    if (line.startsWith("ready ")) {
                        ready.complete(Arrays.stream(line.substring(6).split(" "))
                                .map(NodeId::new)
                                .toList());
                    }
                    if (line.startsWith("report ")) {
                        report.complete(line.substring(7));
                    }
                }
            } catch (IOException e) {
                lastLines.add(e.toString());
            }
            report.completeExceptionally(new IllegalStateException("ended: " + lastLines));
            ready.completeExceptionally(new IllegalStateException("ended: " + lastLines));
        }

        /** Its nodes; waits until all have started. */
        List<NodeId> nodes() {
            return result(ready);
        }

        private <T> T result(CompletableFuture<T> future) {
            try {
                return future.get(START_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("the process has not done it: " + lastLines, e);
            }
        }

        NodeId node() {
            return nodes().get(0);
        }

        /** kill -9. */
        void crash() {
            process.destroyForcibly();
        }

        /** The process gets no time until {@link #thaw}. */
        void freeze() {
            signal("-STOP");
        }

        void thaw() {
            signal("-CONT");
        }

        private void signal(String signal) {
            try {
                int code = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor();
                if (code != 0) {
                    throw new AssertionError("kill " + signal + " gave " + code);
                }
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        /** Asks all its nodes to leave in good order. */
        void leave() {
            order("leave");
        }

        private void order(String line) {
            try {
                process.outputWriter().append(line).append("\n").flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** What it has seen of its own traffic, which ends. */
        String report() {
            order("report");
            return result(report);
        }

        /** The exit code; fails loudly when the process goes on for too long. */
        int exitCode(long seconds) {
            try {
                if (process.waitFor(seconds, TimeUnit.SECONDS)) {
                    return process.exitValue();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw new AssertionError("the process goes on after " + seconds + " s: " + lastLines);
        }
    }

    /** The nodes of processes that start from now on have this TLS. */
    void secure(TlsOptions nextProcesses) {
        tls = nextProcesses;
    }

    /** Begins to start a process with so many nodes. */
    Host start(int nodes, ShardingOptions options) {
        return start(nodes, options, false);
    }

    /**
     * The same with one node of another build, whose classes come before those of this one; it sends to counters
     * itself.
     *
     * @param known where it finds nodes of the cluster that are not in these processes
     */
    Host startBuild(List<Path> classes, ShardingOptions options, List<String> known) {
        known.stream().filter(peer -> !peers.contains(peer)).forEach(peers::add);
        return start(1, options, false, classes);
    }

    /**
     * The same with one node, whose counters take their values along; those of one type are remembered, those of
     * another one not.
     */
    Host startMoving(ShardingOptions options) {
        return start(1, options, true);
    }

    private Host start(int nodes, ShardingOptions options, boolean moving) {
        return start(nodes, options, moving, List.of());
    }

    private Host start(int nodes, ShardingOptions options, boolean moving, List<Path> build) {
        List<Integer> ports =
                Stream.generate(TestCluster::freePort).distinct().limit(nodes).toList();
        ports.forEach(port -> peers.add("127.0.0.1:" + port));
        JsonObject start = new JsonObject()
                .put("name", name)
                .put("peers", new JsonArray(new ArrayList<>(peers)))
                .put("moving", moving)
                .put("sending", !build.isEmpty())
                .put("tls", tls == null ? null : tls.toJson())
                .put("ports", new JsonArray(new ArrayList<>(ports)))
                .put("options", new ShardingOptions(options).addRole(HOSTING).toJson());
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                Stream.concat(build.stream().map(Path::toString), Stream.of(System.getProperty("java.class.path")))
                        .collect(Collectors.joining(File.pathSeparator)),
                HostProcess.class.getName(),
                start.encode());
        try {
            Host host = new Host(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
            hosts.add(host);
            return host;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nodes of this JVM that join the same cluster; to be closed before the processes. */
    TestCluster join() {
        return new TestCluster(name, peers);
    }

    @Override
    public void close() {
        for (Host host : hosts) {
            host.process.destroyForcibly();
        }
        hosts.forEach(host -> host.exitCode(10));
    }
}
