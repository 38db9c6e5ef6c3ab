package io.shardbus.transport;

import io.shardbus.model.NodeId;
import io.shardbus.spi.DeathWitness;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes a refused connection to the event-bus port of a node as proof of its death: the kernel of its host says that no
 * process listens there. A frozen process still has its connections accepted by the kernel, a cut or dead host does not
 * answer, a process that was started again on the same port accepts: all of these prove nothing.
 *
 * <p>A refusal counts only from the very address that accepted a connection while the node was a member. So a published
 * address that cannot be reached from here, or a wall that has always stood in between, proves nothing either. A
 * firewall that begins to reject (not to drop) connections to a living node deceives it.
 */
public final class RefusedConnectionWitness implements DeathWitness {
    private static final int CONNECT_TIMEOUT_MS = 1000;
    private static final int MEETINGS = 10;
    private static final long MEETING_PAUSE_MS = 1000;

    private final Vertx vertx;
    private final NetClient client;
    private final Map<NodeId, SocketAddress> reached = new ConcurrentHashMap<>();

    public RefusedConnectionWitness(Vertx vertx) {
        this.vertx = vertx;
        this.client = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MS).setReconnectAttempts(0));
    }

    @Override
    public void met(Suspect member) {
        if (!hasMet(member.id())) {
            meet(member, MEETINGS);
        }
    }

    private void meet(Suspect member, int attempts) {
        client.connect(member.busPort(), member.busHost()).onComplete(attempt -> {
            if (attempt.succeeded()) {
                NetSocket socket = attempt.result();
                reached.put(member.id(), numeric(socket.remoteAddress()));
                socket.close();
            } else if (attempts > 1) {
                vertx.setTimer(MEETING_PAUSE_MS, ignored -> meet(member, attempts - 1));
            }
        });
    }

    /** Whether a refusal of this node counts. */
    boolean hasMet(NodeId node) {
        return reached.containsKey(node);
    }

    /** Without the name, which may lead elsewhere later. */
    private static SocketAddress numeric(SocketAddress address) {
        return SocketAddress.inetSocketAddress(address.port(), address.hostAddress());
    }

    @Override
    public Future<Verdict> ask(Suspect vanished) {
        SocketAddress address = reached.get(vanished.id());
        return address == null
                ? Future.succeededFuture(Verdict.UNKNOWN)
                : client.connect(address).transform(RefusedConnectionWitness::judge);
    }

    private static Future<Verdict> judge(AsyncResult<NetSocket> attempt) {
        if (attempt.succeeded()) {
            attempt.result().close();
        }
        boolean refused = attempt.failed() && isRefusal(attempt.cause());
        return Future.succeededFuture(refused ? Verdict.DEAD : Verdict.UNKNOWN);
    }

    /** Timeouts and unreachable hosts come as connect exceptions too; only the system's own words tell them apart. */
    static boolean isRefusal(Throwable failure) {
        String message = failure.getMessage();
        return failure instanceof ConnectException && message != null && message.contains("Connection refused");
    }

    @Override
    public void forget(NodeId node) {
        reached.remove(node);
    }
}
