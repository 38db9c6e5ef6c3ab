package io.shardbus.store.postgres;

import io.shardbus.testkit.ClusterTestKit;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A PostgreSQL server of the tests, on the loopback, with a data directory of its own and the durability of a server in
 * production: fsync and synchronous_commit are on. It ends with the process that started it, however that ends.
 */
public final class PostgresServer implements AutoCloseable {
    /** Ends the server when its own input ends, as it does when the tests' process is killed; each line is a signal. */
    private static final String KEEPER =
            "\"$@\" < /dev/null & server=$!; while read -r signal; do kill -\"$signal\" $server; done;"
                    + " kill -INT $server 2> /dev/null; wait $server";

    private static final String READY = "database system is ready to accept connections";
    private static final int LINES_KEPT = 60;
    private static final int START_SECONDS = 30;

    private final PostgresBinaries binaries;
    private final Path data;
    private final int port = ClusterTestKit.freePort();
    private final List<String> settings;
    private Process keeper;

    private PostgresServer(PostgresBinaries binaries, Path data, List<String> settings) {
        this.binaries = binaries;
        this.data = data;
        this.settings = settings;
    }

    /**
     * A running server with empty content.
     *
     * @param settings such as {@code max_connections=20}; with {@code listen_addresses} also beyond the loopback
     * @throws UncheckedIOException if this machine cannot run one, with the reason
     */
    public static PostgresServer start(String... settings) {
        try {
            PostgresBinaries binaries = PostgresBinaries.unpacked();
            Path data = binaries.newDirectory("postgres-data-");
            binaries.run(
                    "bin/initdb",
                    "--no-sync",
                    "--no-instructions",
                    "--auth=trust",
                    "--username=postgres",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--pgdata=" + data);
            Files.writeString(data.resolve("pg_hba.conf"), "host all all samenet trust\n", StandardOpenOption.APPEND);
            PostgresServer server = new PostgresServer(binaries, data, List.of(settings));
            server.run();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address of its first database, in which tests make their own. */
    public String uri() {
        return "postgresql://postgres@127.0.0.1:" + port + "/postgres";
    }

    public int port() {
        return port;
    }

    /** Ends it as a power cut would: connections break, and nothing that was not synchronised is there later. */
    public void stopAtOnce() {
        stop("QUIT");
    }

    /** Starts it again on the same port after {@link #stopAtOnce}, and waits until it takes connections. */
    public void startAgain() {
        try {
            run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop("INT");
        try {
            PostgresBinaries.delete(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-D", data.toString(), "-p", Integer.toString(port)));
        List<String> all = new ArrayList<>(List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=64MB",
                "max_wal_size=512MB",
                "fsync=on",
                "synchronous_commit=on"));
        all.addAll(settings);
        for (String setting : all) {
            arguments.addAll(List.of("-c", setting));
        }
        List<String> command = new ArrayList<>(List.of("sh", "-c", KEEPER, "postgres-keeper"));
        command.addAll(binaries.command("bin/postgres", arguments.toArray(String[]::new)));
        keeper = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(binaries.root().toFile())
                .start();
        Output output = new Output(keeper);
        try {
            output.ready.get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            stop("QUIT");
            throw new IOException("PostgreSQL did not start: " + output.lines(), e);
        }
    }

    private void stop(String signal) {
        try {
            keeper.outputWriter(StandardCharsets.US_ASCII)
                    .append(signal)
                    .append('\n')
                    .close();
        } catch (IOException e) {
            keeper.destroy(); // it ended before
        }
        try {
            if (!keeper.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
                keeper.descendants().forEach(ProcessHandle::destroyForcibly);
                throw new IllegalStateException("PostgreSQL did not end after " + signal);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads what the server says, so that it never waits for a reader. */
    private static final class Output extends Thread {
        private final BufferedReader reader;
        private final Deque<String> last = new ArrayDeque<>();
        private final CompletableFuture<Void> ready = new CompletableFuture<>();

        Output(Process process) {
            super("postgres-output");
            reader = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            setDaemon(true);
            start();
        }

        @Override
        public void run() {
            try {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    keep(line);
                    if (line.endsWith(READY)) {
                        ready.complete(null);
                    }
                }
                ready.completeExceptionally(new IOException("the server ended"));
            } catch (IOException e) {
                ready.completeExceptionally(e);
            }
        }

        private synchronized void keep(String line) {
            last.addLast(line);
            if (last.size() > LINES_KEPT) {
                last.removeFirst();
            }
        }

        synchronized String lines() {
            return String.join("\n", last);
        }
    }
}
