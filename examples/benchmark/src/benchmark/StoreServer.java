package benchmark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The PostgreSQL server of a run: the one that {@code --postgres=URI} names (of the process {@code --server=PID}, which
 * started it), or one that is started from the Maven
 * artifact of the tests, with fsync on, in a process of its own that ends with this one.
 */
final class StoreServer implements AutoCloseable {
    private static final long STOP_S = 30;
    private static final String MAIN = "io.shardbus.store.postgres.PostgresServerMain";

    private final String uri;
    private final Process process;
    private final ProcessHandle counted;

    private StoreServer(String uri, Process process, ProcessHandle counted) {
        this.uri = uri;
        this.process = process;
        this.counted = counted;
    }

    static StoreServer of(Arguments told) throws IOException {
        if (!told.get("postgres", "").isEmpty()) {
            int pid = told.number("server", 0, 0, Integer.MAX_VALUE);
            return new StoreServer(
                    told.get("postgres", ""), null, ProcessHandle.of(pid).orElse(null));
        }
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process = new ProcessBuilder(
                        List.of(java, "-Xmx64m", "-cp", System.getProperty("benchmark.server", ""), MAIN))
                .directory(Path.of(System.getProperty("benchmark.root", ".")).toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var uri = process.inputReader(StandardCharsets.UTF_8).readLine();
        if (uri == null) {
            throw new IOException("PostgreSQL did not start; --postgres=URI names a server, --store=sqlite needs none");
        }
        return new StoreServer(uri, process, process.toHandle());
    }

    String uri() {
        return uri;
    }

    /** Processor time of the server and its backends that live; 0 for one that was named without its process. */
    double cpuSeconds() {
        if (counted == null) {
            return 0;
        }
        return new Cpu(counted.descendants().mapToLong(ProcessHandle::pid).toArray()).seconds();
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process.getOutputStream().close();
            process.onExit().orTimeout(STOP_S, TimeUnit.SECONDS).join();
        }
    }
}
