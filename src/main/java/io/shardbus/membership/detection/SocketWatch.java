package io.shardbus.membership.detection;

import io.shardbus.membership.tls.TlsSockets;
import io.shardbus.model.LossReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.Membership;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * FD_SOCK2 that blocks no other thread while it connects. The stock protocol connects to its next neighbour on the
 * thread that delivers the event, one attempt after the other for each port of each member, and waits 1 s for each
 * answer. If that is the thread that reads the answers, none can arrive: a dead process was suspected seconds late,
 * together with all others. If it is the thread that installs views, a node that reached no other member kept its old
 * view for 20 s. Here a separate thread connects, and skips members that have left the view.
 *
 * <p>The stock protocol also does not connect again to a neighbour that it has suspected and found alive: for that, its
 * neighbour must change. Two members that connect to each other at the same moment may close each other's connection,
 * and then neither watches the other; a process that dies is then excluded by its missing heartbeats only, seconds
 * later. Here each node checks every two seconds that it has a connection to its neighbour. Where it cannot connect, it
 * tries again after 30 s, as each failed attempt suspects the neighbour. Nodes with this and with the stock protocol
 * are compatible.
 */
public final class SocketWatch extends FD_SOCK2 {
    private static final long IDLE_SECONDS = 10;
    private static final long CHECK_MS = 2000;
    private static final long RETRY_SECONDS = 30;

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

    private @Nullable Future<?> checks;
    /** The member that this node last connected to, and its place; of the connecting thread, as the next two. */
    private @Nullable Address watched;

    private @Nullable IpAddress place;
    /** A neighbour to which a check could not connect, and when the next one tries; by the stack's clock, in ns. */
    private @Nullable Address unreachable;

    private long retryAt;

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
        checks = timer.scheduleWithFixedDelay(this::check, CHECK_MS, CHECK_MS, TimeUnit.MILLISECONDS, false);
    }

    @Override
    public void stop() {
        var running = checks;
        if (running != null) {
            running.cancel(false);
        }
        super.stop();
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

    private void check() {
        if (connecting.getQueue().isEmpty()) {
            connecting.execute(this::watchAgain);
        }
    }

    /** Connects to the neighbour if there is no connection to it. */
    private void watchAgain() {
        try {
            var neighbour = neighbour();
            if (neighbour == null || shutting_down || isWatched(neighbour) || isLeftAlone(neighbour)) {
                return;
            }
            log.debug("%s: there is no connection to the neighbour %s", local_addr, neighbour);
            if (neighbour.equals(watched)) {
                closeConnectionToPingDest();
            }
            if (connectTo(neighbour, members)) {
                unreachable = null;
            } else if (!shutting_down) {
                unreachable = neighbour;
                retryAt = time() + TimeUnit.SECONDS.toNanos(RETRY_SECONDS);
                pingable_mbrs.remove(neighbour);
                broadcastSuspectMessage(List.of(neighbour));
            }
        } catch (RuntimeException e) {
            log.warn("%s: the next neighbour is not watched: %s", local_addr, e);
        }
    }

    /**
     * The member behind this one in the view, without those that are not to be watched now. The stock protocol puts a
     * suspect that is alive behind all others, where the same member may not watch it again.
     */
    private @Nullable Address neighbour() {
        var ring = members.copy();
        members.getMembers().stream()
                .filter(member -> !pingable_mbrs.contains(member))
                .forEach(ring::remove);
        return ring.getNext(local_addr);
    }

    /** Whether a check has tried in vain to connect to it not long ago: its port may be out of reach for ever. */
    private boolean isLeftAlone(Address neighbour) {
        return neighbour.equals(unreachable) && time() < retryAt;
    }

    private long time() {
        return getTransport().getTimeService().timestamp();
    }

    private boolean isWatched(Address neighbour) {
        var present = place;
        return neighbour.equals(watched) && present != null && srv.hasConnection(present);
    }

    @Override
    protected boolean connectTo(Address neighbour, Membership present) {
        boolean connected = super.connectTo(neighbour, present);
        watched = connected ? neighbour : null;
        return connected;
    }

    @Override
    protected boolean connectTo(IpAddress to, Address member) {
        boolean connected = members.contains(member) && super.connectTo(to, member);
        place = connected ? to : null;
        return connected;
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
