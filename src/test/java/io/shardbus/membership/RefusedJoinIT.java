package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.LogLines;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What a node says that cannot listen where it was told to. */
class RefusedJoinIT {
    /** Reserved for documentation: no host has it. */
    private static final String NOT_HERE = "192.0.2.1";

    private static Throwable refusal(ClusterOptions options) {
        var joined = Vertx.builder()
                .withClusterManager(ShardbusClusterManager.create(options))
                .buildClustered()
                .toCompletionStage()
                .toCompletableFuture();
        return assertThrows(CompletionException.class, joined::join).getCause();
    }

    private static void assertSays(Throwable refusal, String... parts) {
        var message = refusal.getMessage();
        for (var part : parts) {
            assertTrue(message.contains(part), () -> part + " is not in: " + message);
        }
        for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
            assertEquals(1, cause.toString().lines().count(), cause.toString());
        }
    }

    @Test
    void namesTheAddressThatIsNotOfThisHost() {
        assertSays(
                refusal(new ClusterOptions().setBindAddress(NOT_HERE).setSeats(List.of(NOT_HERE))),
                "bindAddress",
                NOT_HERE,
                "not a valid address on any local network interface");
    }

    @Test
    void namesThePortThatIsTaken() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            try (var lines = new LogLines("ROOT")) {
                var refusal = refusal(new ClusterOptions().setBindPort(port));
                assertEquals(
                        "the cluster cannot be joined: another process has port " + port
                                + " of 127.0.0.1; change the option bindPort, which is " + port,
                        refusal.getMessage());
                assertEquals(0, refusal.getStackTrace().length, "Vert.x logs it");
                assertNull(refusal.getCause());
                assertEquals(
                        1, lines.with("ERROR").size(), () -> lines.with("ERROR").toString());
            }
        }
    }

    @Test
    void saysWhatToDoWhereInfinispanFailsInside() {
        var inside = new ClassCastException("class java.lang.NullPointerException cannot be cast");
        assertSays(
                JoinRefusal.of(new IllegalStateException("join", inside), new ClusterOptions()),
                "cannot be cast",
                "start this node again once one of them is UP",
                "if none is UP after a minute, stop all nodes before you start one");
    }
}
