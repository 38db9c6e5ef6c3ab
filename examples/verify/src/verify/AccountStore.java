package verify;

import io.shardbus.verify.Fault;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An empty store for the accounts of a cluster. Closing it deletes what is in it. */
interface AccountStore extends AutoCloseable {
    /** What SHARDBUS_STORE is to name. */
    String named();

    /** Stops its server as at a power cut, and starts it again. */
    void restart();

    /** Keeps what can be kept of it in a directory. */
    void save(Path directory);

    @Override
    void close();

    /** What may happen to a cluster with a store of this name. */
    static List<Fault> faults(String name) {
        return switch (name) {
            case "sqlite" -> Fault.ofStores();
            case "postgres" ->
                Stream.concat(Fault.ofStores().stream(), Stream.of(Fault.SERVER))
                        .toList();
            default -> throw new IllegalArgumentException("--store '" + name + "' is none of sqlite, postgres");
        };
    }

    static AccountStore open(String name, Hosts hosts) {
        try {
            return name.equals("sqlite") ? new SharedFile() : new Server(hosts);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file that all nodes of this machine share. */
    final class SharedFile implements AccountStore {
        private final Path directory = Files.createTempDirectory("verify-accounts-");

        SharedFile() throws IOException {}

        @Override
        public String named() {
            return "sqlite:" + directory.resolve("accounts.db");
        }

        @Override
        public void restart() {
            throw new IllegalStateException("a file has no server");
        }

        @Override
        public void save(Path to) {
            try (var files = Files.list(directory)) {
                for (var file : files.toList()) {
                    Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try (var files = Files.walk(directory)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** A PostgreSQL server of the tests, in a process that ends with this one. */
    final class Server implements AccountStore {
        private static final Duration DOWN = Duration.ofSeconds(2);
        private static final String MAIN = "io.shardbus.store.postgres.PostgresServerMain";

        private final Process process;
        private final BufferedReader output;
        private final String uri;

        /** @param hosts of the nodes, which reach the server beside them */
        Server(Hosts hosts) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("verify.server"),
                            MAIN,
                            "listen_addresses=127.0.0.1," + hosts.outside())
                    .directory(Path.of(System.getProperty("shardbus.root")).toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            uri = answer().replace("127.0.0.1", hosts.outside());
        }

        private String answer() throws IOException {
            String line = output.readLine();
            if (line == null) {
                throw new IOException("PostgreSQL does not run on this machine");
            }
            return line;
        }

        @Override
        public String named() {
            return uri;
        }

        @Override
        public void restart() {
            tell("stop");
            Waiting.pass(DOWN);
            tell("start");
        }

        private void tell(String word) {
            try {
                var input = process.outputWriter(StandardCharsets.UTF_8);
                input.write(word + "\n");
                input.flush();
                answer();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void save(Path directory) {
            // its events are what the statements show
        }

        @Override
        public void close() {
            try {
                process.getOutputStream().close();
                process.waitFor();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroy();
            }
        }
    }
}
