package io.shardbus.membership.detection;

import io.shardbus.membership.tls.TlsSockets;
import io.shardbus.model.LossReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.DefaultThreadFactory;

/**
 * FD_SOCK2 that blocks no other thread while it connects. The stock protocol connects to its next neighbour on the
 * thread that delivers the event, one attempt after the other for each port of each member, and waits 1 s for each
 * answer. If that is the thread that reads the answers, none can arrive: a dead process was suspected seconds late,
 * together with all others. If it is the thread that installs views, a node that reached no other member kept its old
 * view for 20 s. Here a separate thread connects, and skips members that have left the view. Nodes with this and with
 * the stock protocol are compatible.
 */
public final class SocketWatch extends FD_SOCK2 {
    private static final long IDLE_SECONDS = 10;

    /**
     * Limit of a received message, which names a cluster and a member. A client may announce two gigabytes, for which
     * the stock protocol allocates memory.
     */
    private static final int MOST_BYTES = 65_536;

    /** Runs one connection attempt at a time, in order; drops those after {@link #destroy}. */
    private final ThreadPoolExecutor connecting = new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("socket-watch", true),
            new ThreadPoolExecutor.DiscardPolicy());

    public SocketWatch() {
        Overrides.require(SocketWatch.class);
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
        connecting.allowCoreThreadTimeOut(true);
        req_handler.setHandler(request -> connecting.execute(() -> connect(request)));
    }

    /** Listens on the address of the transport, not on all addresses of the host. */
    @Override
    public void start() throws Exception {
        if (bind_addr == null) {
            bind_addr = getTransport().getBindAddress();
        }
        super.start();
    }

    /** Creates a server with the sockets of the stack if these are encrypted. */
    @Override
    protected NioServer createServer(int[] ports) {
        var server = getSocketFactory() instanceof TlsSockets sockets
                ? encrypted(sockets, ports)
                : super.createServer(ports);
        server.setMaxLength(MOST_BYTES);
        return server;
    }

    private NioServer encrypted(TlsSockets sockets, int[] ports) {
        var failure =
                new IllegalStateException("the failure detection can listen on no port of " + Arrays.toString(ports));
        for (int port : ports) {
            try {
                return new WatchServer(getThreadFactory(), sockets, bind_addr, port, external_addr, external_port);
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
        }
        throw failure;
    }

    @Override
    public void destroy() {
        connecting.shutdownNow();
        super.destroy();
    }

    private void connect(Request request) {
        try {
            handle(request);
        } catch (Exception e) {
            log.warn("%s: the next neighbour is not watched: %s", local_addr, e);
        }
    }

    @Override
    protected boolean connectTo(IpAddress to, Address member) {
        return members.contains(member) && super.connectTo(to, member);
    }

    @Override
    protected void suspect(Collection<Address> suspects) {
        LossReasons.note(this, suspects, LossReason.SOCKET);
        super.suspect(suspects);
    }

    @Override
    protected void broadcastSuspectMessage(List<Address> suspects) {
        var present = new ArrayList<>(suspects);
        present.retainAll(members.getMembers());
        super.broadcastSuspectMessage(present);
    }
}
