package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.WholeMachine;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.verify.Hosts;
import io.shardbus.verify.LocalCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** examples/verify, from its script to its exit code. */
@DisplayName("examples/verify")
@Timeout(180)
@Tag("slow")
@WholeMachine
class VerifyExampleIT {
    private static final Path SCRIPT = Path.of("examples/verify/run.sh").toAbsolutePath();

    @TempDir
    private Path directory;

    private record Verdict(int code, String output) {
        String lastLine() {
            return output.substring(output.lastIndexOf('\n') + 1);
        }
    }

    private Verdict verify(List<String> arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(arguments);
        var process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(10, TimeUnit.SECONDS));
        return new Verdict(process.exitValue(), output.strip());
    }

    @Test
    void judgesAClusterOfItsOwn() throws IOException, InterruptedException {
        var verdict = verify(List.of("local", "3", "1", "--faults", "stop2", "--seed", "1", "--counters", "10"));
        assertEquals(0, verdict.code(), verdict::output);
        assertTrue(
                verdict.lastLine()
                        .matches("verify ok=[1-9][0-9]* failed=[0-9]+ faults=1 violations=0 silent=0 not_whole=0"
                                + " silence_ms=[0-9]+ verdict=good"),
                verdict::output);
    }

    @Test
    void judgesARunningClusterOverHttp() throws IOException, InterruptedException {
        try (var cluster = LocalCluster.start(Hosts.loopback(1), Map.of())) {
            var url = cluster.urls().get(0).toString();
            var verdict = verify(List.of("http", url, "--counters", "5", "--seconds", "1", "--fault", "exit 3"));
            assertEquals(0, verdict.code(), verdict::output);
            assertTrue(verdict.output().contains("fault 'exit 3' gave 3"), verdict::output);
            assertTrue(
                    verdict.lastLine().matches("verify ok=[1-9].* faults=1 violations=0 silent=0 .* verdict=good"),
                    verdict::output);
        }
    }

    @Test
    @DisplayName("judges accounts in a file whose nodes are killed and frozen beyond their lease")
    void judgesAccountsInAFile() throws IOException, InterruptedException {
        judgesAccounts("--store=sqlite", "--faults=kill,stop12");
    }

    @Test
    @DisplayName("judges accounts on a server that stops, and whose nodes are killed all at once")
    void judgesAccountsOnAServer() throws IOException, InterruptedException {
        TestPostgres.ownServer().close();
        judgesAccounts("--store=postgres", "--faults=server,killall");
    }

    private void judgesAccounts(String store, String faults) throws IOException, InterruptedException {
        var verdict = verify(List.of("accounts", "2", store, faults, "--seed=1", "--accounts=10", "--clients=12"));
        assertEquals(0, verdict.code(), verdict::output);
        assertTrue(
                verdict.lastLine()
                        .matches("verify done=[1-9][0-9]* refused=[0-9]+ again=[1-9][0-9]* too_old=0 faults=2"
                                + " violations=0 silent=0 not_whole=0 settled_ms=[0-9]+ verdict=good"),
                verdict::output);
    }

    @Test
    void explainsItselfWhenAskedForNonsense() throws IOException, InterruptedException {
        for (var arguments : List.of(
                List.<String>of(),
                List.of("nonsense"),
                List.of("http"),
                List.of("local", "three"),
                List.of("local", "--faults", "flood"),
                List.of("local", "--faults", "server"),
                List.of("accounts", "--store=elsewhere"),
                List.of("accounts", "--faults=server"))) {
            var verdict = verify(arguments);
            assertEquals(2, verdict.code(), verdict::output);
            assertTrue(verdict.output().contains("usage: run.sh local"), verdict::output);
        }
    }
}
