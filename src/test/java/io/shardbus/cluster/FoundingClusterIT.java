package io.shardbus.cluster;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.shardbus.integration.Await;
import io.shardbus.integration.WholeMachine;
import io.shardbus.verify.CounterNodeProcess;
import io.shardbus.verify.LoopbackHosts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that starts while the cluster does not answer. */
@Timeout(120)
@Tag("slow")
@WholeMachine
class FoundingClusterIT {
    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void waitsForAPausedNodeInsteadOfFoundingAClusterBesideIt() throws Exception {
        var hosts = LoopbackHosts.of(2);
        try (var first = CounterNodeProcess.start(1, hosts)) {
            first.awaitReady(LONGEST_START);
            first.freeze();
            try (var second = CounterNodeProcess.start(2, hosts)) {
                Await.until(second::log, () -> second.log().contains("takes connections but does not answer"));
                first.thaw();
                second.awaitReady(LONGEST_START);
                Await.until(second::log, () -> nodesSeenBy(second) == 2 && nodesSeenBy(first) == 2);
                assertFalse(second.log().contains(": coordinating"), second::log);
            }
        }
    }

    private int nodesSeenBy(CounterNodeProcess node) {
        var request = HttpRequest.newBuilder(node.uri("/sharding/api/cluster")).build();
        try {
            var answer =
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body();
            return new JsonObject(answer).getJsonArray("nodes").size();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
