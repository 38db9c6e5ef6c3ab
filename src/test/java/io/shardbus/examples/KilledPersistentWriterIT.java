package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.store.postgres.PostgresServer;
import io.shardbus.store.postgres.TestPostgres;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tables are read as they are, beside the library. Five processes start one after the other: each wait has a
 * deadline of its own, and the limit of a test is more than all of them take.
 */
@DisplayName("Nodes of accounts that are killed while they store")
@Tag("slow")
@WholeMachine
@Timeout(300)
class KilledPersistentWriterIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int NODES = 3;
    private static final int ACCOUNTS = 60;
    private static final int CLIENTS_OF_EACH_NODE = 8;
    private static final long DEADLINE_MS = 10_000;
    private static final int ANSWERS = 300;

    private final List<String> hosts = LoopbackHosts.of(NODES);
    private final List<CounterNodeProcess> nodes = new CopyOnWriteArrayList<>();
    private String store;
    private AccountTraffic traffic;

    @AfterEach
    void stop() {
        nodes.forEach(CounterNodeProcess::close);
        nodes.forEach(CounterNodeProcess::awaitExit);
    }

    @Test
    @DisplayName("in a file that they share: what was answered is there once, what failed as not stored is not")
    void file(@TempDir Path directory) {
        killInTurn(1, directory.resolve("accounts.db"));
    }

    @Test
    @Tag("long-fault")
    @DisplayName("in a file that they share, each of them in turn: what was answered is there once")
    void fileAndAllInTurn(@TempDir Path directory) {
        killInTurn(NODES, directory.resolve("accounts.db"));
    }

    private void killInTurn(int killed, Path file) {
        start("sqlite:" + file);
        for (int node = 0; node < killed; node++) {
            killAndRestart(node);
        }
        check(() -> StoredAccounts.read(file));
    }

    @Test
    @DisplayName("on a server that is stopped at once, too: what was answered is there once, what failed as not stored"
            + " is not")
    void server() {
        var vertx = Vertx.vertx();
        try (PostgresServer server = TestPostgres.ownServer()) {
            start(server.uri());
            killAndRestart(0);
            server.stopAtOnce();
            server.startAgain();
            traffic.awaitAnswers(ANSWERS);
            nodes.get(1).kill();
            server.stopAtOnce();
            server.startAgain();
            traffic.awaitAnswers(ANSWERS);
            check(() -> StoredAccounts.read(vertx, server.uri()));
            stop();
        } finally {
            Await.result(vertx.close());
        }
    }

    private void start(String named) {
        store = named;
        IntStream.range(0, NODES).forEach(node -> nodes.add(begin(node)));
        nodes.forEach(node -> node.awaitReady(LONGEST_START));
        traffic = new AccountTraffic(nodes, ACCOUNTS, DEADLINE_MS).start(CLIENTS_OF_EACH_NODE);
        traffic.awaitAnswers(ANSWERS);
    }

    private CounterNodeProcess begin(int node) {
        return CounterNodeProcess.ofExample(
                "persistence",
                8180,
                node + 1,
                hosts,
                Map.of("SHARDBUS_STORE", store, "SHARDBUS_MINIMUM_MEMBERS", Integer.toString(NODES / 2 + 1)));
    }

    private void killAndRestart(int node) {
        nodes.get(node).kill();
        nodes.get(node).awaitExit();
        traffic.awaitAnswers(ANSWERS);
        nodes.set(node, begin(node).awaitReady(LONGEST_START));
        traffic.awaitAnswers(ANSWERS);
    }

    private void check(Supplier<StoredAccounts> reader) {
        var outcomes = traffic.stop();
        var stored = reader.get();
        System.out.println("KilledPersistentWriterIT: " + traffic.counts() + ", "
                + stored.rows().size() + " events stored");
        stored.check(outcomes);
        for (String account : traffic.accounts()) {
            assertEquals(
                    stored.balances().getOrDefault(account, 0L),
                    traffic.account(2, account).getLong("balance"),
                    account);
        }
    }
}
