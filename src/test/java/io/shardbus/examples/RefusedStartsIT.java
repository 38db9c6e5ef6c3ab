package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node of an example that cannot start says in one line what to change, and ends. */
@Tag("slow")
@WholeMachine
class RefusedStartsIT {
    private static void assertOneLine(CounterNodeProcess node, int status, String text) {
        assertEquals(status, node.awaitExit(), node::log);
        assertEquals(1, node.log().lines().count(), node::log);
        assertTrue(node.log().contains(text), node::log);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        SHARDBUS_HOST            | no.such.host.invalid | 1 | SHARDBUS_HOST no.such.host.invalid cannot be resolved
        SHARDBUS_HOST            | 203.0.113.7          | 1 | SHARDBUS_HOST 203.0.113.7 is not of this machine
        SHARDBUS_HOST            | 0.0.0.0              | 1 | SHARDBUS_HOST 0.0.0.0 stands for all addresses
        SHARDBUS_PEERS           | 127.0.0.1:99999      | 1 | "127.0.0.1:99999" is not allowed
        SHARDBUS_MINIMUM_MEMBERS | three                | 2 | SHARDBUS_MINIMUM_MEMBERS 'three' is not a number
        SHARDBUS_MINIMUM_MEMBERS | 0                    | 2 | SHARDBUS_MINIMUM_MEMBERS '0' is not a number
        SHARDBUS_TLS             | /no/such/directory   | 1 | /no/such/directory
        """)
    void aWrongVariableIsNamed(String variable, String value, int status, String text) {
        try (var node =
                CounterNodeProcess.ofExample("counter", 8080, 1, LoopbackHosts.of(1), Map.of(variable, value))) {
            assertOneLine(node, status, text);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8081, 7800, 7900, 7700})
    void aTakenPortIsNamed(int port) throws IOException {
        var host = LoopbackHosts.of(1).get(0);
        try (var taken = new ServerSocket(port, 1, InetAddress.getByName(host));
                var node = CounterNodeProcess.start(1, List.of(host))) {
            assertOneLine(node, 1, "cannot listen at " + host + ":" + taken.getLocalPort());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        mysql://localhost/accounts                | 2 | use sqlite:FILE or postgresql://
        sqlite:                                   | 2 | use sqlite:FILE or postgresql://
        sqlite:/proc/nix/accounts.db              | 1 | SHARDBUS_STORE cannot be used: sqlite:/proc/nix/accounts.db
        sqlite:/dev/null                          | 1 | /dev/null
        postgresql://127.0.0.1:1/accounts         | 1 | 127.0.0.1:1
        postgresql://[                            | 1 | SHARDBUS_STORE cannot be used: the store's uri cannot be read
        """)
    void aStoreThatCannotBeUsedIsNamed(String store, int status, String text) {
        try (var node = CounterNodeProcess.ofExample(
                "persistence", 8180, 1, LoopbackHosts.of(1), Map.of("SHARDBUS_STORE", store))) {
            assertEquals(status, node.awaitExit(), node::log);
            assertTrue(node.log().contains("persistence: "), node::log);
            assertTrue(node.log().contains(text), node::log);
        }
    }
}
