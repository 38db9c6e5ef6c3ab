package io.shardbus.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.TestAuthority;
import io.shardbus.integration.TlsProbe;
import io.shardbus.integration.WholeMachine;
import io.shardbus.options.TlsOptions;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.Hosts;
import io.vertx.core.json.JsonObject;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes of examples/counter with certificates. */
@Tag("slow")
@WholeMachine
class CounterTlsIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final List<Integer> PORTS = List.of(7800, 7900, 7700);

    @Test
    @DisplayName("nodes of the example that find certificates in SHARDBUS_TLS form a cluster, and take no other node")
    void certificates(@TempDir Path directory) throws Exception {
        TestAuthority authority = new TestAuthority("counters");
        authority.node(directory, "1");
        TlsOptions second = authority.node(directory, "2");
        TlsOptions stranger = new TestAuthority("other").node(directory, "stranger");
        TestAuthority.trust(stranger, authority);
        try (Hosts hosts = Hosts.loopback(2);
                CounterNodeProcess one = start(1, hosts, directory);
                CounterNodeProcess two = start(2, hosts, directory)) {
            one.awaitReady(LONGEST_START);
            two.awaitReady(LONGEST_START);
            assertEquals(3, send(one, "POST", "/counters/a/add/3"));
            assertEquals(3, send(two, "GET", "/counters/a"));
            for (int port : PORTS) {
                InetSocketAddress place = new InetSocketAddress(hosts.address(1), port);
                assertTrue(TlsProbe.isTaken(place, second), () -> "a node at " + place);
                assertFalse(TlsProbe.isTaken(place, stranger), () -> "a stranger at " + place);
            }
        }
    }

    private static CounterNodeProcess start(int number, Hosts hosts, Path directory) {
        Path own = directory.resolve(Integer.toString(number));
        return CounterNodeProcess.start(number, hosts, Map.of("SHARDBUS_TLS", own.toString()));
    }

    private static long send(CounterNodeProcess node, String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(node.uri(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return new JsonObject(answer).getLong("value");
    }
}
