package io.shardbus.transport;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.model.NodeId;
import io.shardbus.spi.DeathWitness.Suspect;
import io.shardbus.spi.DeathWitness.Verdict;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Real connections to real ports. */
class RefusedConnectionWitnessTest {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx = Vertx.vertx();
    private final RefusedConnectionWitness witness = new RefusedConnectionWitness(vertx);

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** The system's own socket: it is closed when close returns, which a Vert.x server is not. */
    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 10, InetAddress.getLoopbackAddress());
    }

    private Suspect met(ServerSocket server) {
        Suspect member = suspect(server);
        witness.met(member);
        until("the witness has met the member", () -> witness.hasMet(member.id()));
        return member;
    }

    private static Suspect suspect(ServerSocket server) {
        return new Suspect(new NodeId("n"), HOST, server.getLocalPort());
    }

    @Test
    void aRefusedConnectionIsProof() throws IOException {
        ServerSocket server = listen(0);
        Suspect member = met(server);
        assertEquals(Verdict.UNKNOWN, await(witness.ask(member)), "it listens, though it does not answer");
        server.close();
        assertEquals(Verdict.DEAD, await(witness.ask(member)));
    }

    @Test
    void aListenerThereNowMayBeTheSame() throws IOException {
        ServerSocket server = listen(0);
        Suspect member = met(server);
        server.close();
        try (ServerSocket other = listen(member.busPort())) {
            assertTrue(other.isBound());
            assertEquals(Verdict.UNKNOWN, await(witness.ask(member)));
        }
    }

    @Test
    void anAddressThatNeverAcceptedProvesNothing() throws IOException {
        ServerSocket server = listen(0);
        Suspect never = suspect(server);
        server.close();
        assertEquals(Verdict.UNKNOWN, await(witness.ask(never)));
    }

    @Test
    void whatWasForgottenProvesNothing() throws IOException {
        ServerSocket server = listen(0);
        Suspect member = met(server);
        server.close();
        witness.forget(member.id());
        assertEquals(Verdict.UNKNOWN, await(witness.ask(member)));
    }

    @Test
    void onlyTheSystemsWordForRefusedCounts() {
        assertTrue(RefusedConnectionWitness.isRefusal(new ConnectException("Connection refused: /127.0.0.1:1")));
        assertFalse(RefusedConnectionWitness.isRefusal(new ConnectException("connection timed out after 1000 ms")));
        assertFalse(RefusedConnectionWitness.isRefusal(new NoRouteToHostException("No route to host")));
        assertFalse(RefusedConnectionWitness.isRefusal(new ConnectException()));
    }
}
