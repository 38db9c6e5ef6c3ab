package io.shardbus.transport;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.NodeId;
import io.shardbus.spi.DeathWitness.Suspect;
import io.shardbus.spi.DeathWitness.Verdict;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetServer;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
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

    private NetServer listen(int port) {
        return await(vertx.createNetServer().connectHandler(socket -> {}).listen(port, HOST));
    }

    private Suspect met(NetServer server) {
        Suspect member = new Suspect(new NodeId("n"), HOST, server.actualPort());
        witness.met(member);
        until("the witness has met the member", () -> witness.hasMet(member.id()));
        return member;
    }

    @Test
    void aRefusedConnectionIsProof() {
        NetServer server = listen(0);
        Suspect member = met(server);
        assertEquals(Verdict.UNKNOWN, await(witness.ask(member)), "it listens, though it does not answer");
        await(server.close());
        assertEquals(Verdict.DEAD, await(witness.ask(member)));
    }

    @Test
    void whoeverListensThereNowMayBeTheSame() {
        Suspect member = metAndReplaced();
        assertEquals(Verdict.UNKNOWN, await(witness.ask(member)));
    }

    /** Somebody else on this machine may be given the port in between: then another is taken. */
    private Suspect metAndReplaced() {
        for (int tries = 0; tries < 20; tries++) {
            NetServer server = listen(0);
            Suspect member = met(server);
            await(server.close());
            Future<NetServer> again =
                    vertx.createNetServer().connectHandler(socket -> {}).listen(member.busPort(), HOST);
            if (await(again.transform(Future::succeededFuture)).succeeded()) {
                return member;
            }
        }
        throw new AssertionError("no port could be opened again");
    }

    @Test
    void anAddressThatNeverAcceptedProvesNothing() {
        NetServer server = listen(0);
        Suspect never = new Suspect(new NodeId("n"), HOST, server.actualPort());
        await(server.close());
        assertEquals(Verdict.UNKNOWN, await(witness.ask(never)));
    }

    @Test
    void whatWasForgottenProvesNothing() {
        NetServer server = listen(0);
        Suspect member = met(server);
        await(server.close());
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
