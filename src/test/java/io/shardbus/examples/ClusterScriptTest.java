package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts that start whole clusters of examples, with processes of a shell in place of the nodes. */
class ClusterScriptTest {
    private static final int NODES = 3;
    private static final long LONGEST_S = 60;
    private static final String ENDS = "#!/usr/bin/env bash\ntouch \"$0.up\"\nexec sleep 600\n";

    @TempDir
    private Path directory;

    private int stopped(String example, int statusOfNodes) throws IOException, InterruptedException {
        var script = Files.copy(Path.of("examples", example, "cluster.sh"), directory.resolve("cluster.sh"));
        write("run.sh", leaves(statusOfNodes));
        write("feed.sh", ENDS);
        var process = new ProcessBuilder(script.toAbsolutePath().toString(), Integer.toString(NODES))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        try {
            for (int node = 1; node <= NODES; node++) {
                awaitFile("run.sh.up." + node, process);
            }
            if (example.equals("killrweather")) {
                awaitFile("feed.sh.up", process);
            }
            process.destroy();
            assertTrue(process.waitFor(LONGEST_S, TimeUnit.SECONDS), "still runs");
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String leaves(int status) {
        return "#!/usr/bin/env bash\ntrap 'exit " + status
                + "' TERM\ntouch \"$0.up.$1\"\nwhile :; do sleep 0.05; done\n";
    }

    private void write(String name, String text) throws IOException {
        assertTrue(Files.writeString(directory.resolve(name), text).toFile().setExecutable(true));
    }

    private void awaitFile(String name, Process process) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LONGEST_S);
        while (!Files.exists(directory.resolve(name))) {
            assertTrue(System.nanoTime() < end, () -> name + " is not there");
            assertFalse(process.waitFor(10, TimeUnit.MILLISECONDS), "ended");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auction", "killrweather"})
    void sigtermEndsWithZero(String example) throws Exception {
        assertEquals(0, stopped(example, 0));
    }

    @Test
    void aNodeThatDoesNotLeaveInGoodOrderIsSeen() throws Exception {
        assertEquals(1, stopped("killrweather", 1));
    }
}
