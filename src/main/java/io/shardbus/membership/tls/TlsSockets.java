package io.shardbus.membership.tls;

import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.MulticastSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLSocket;
import org.jgroups.util.DefaultSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of a JGroups stack, all of them with mutual TLS. Requests for sockets that would not be encrypted fail:
 * channels, datagram sockets, and sockets that are bound or connected when they are created.
 */
public final class TlsSockets extends DefaultSocketFactory {
    private static final Logger LOG = LoggerFactory.getLogger(TlsSockets.class);

    /** Deadline of a handshake, which takes some milliseconds, on a busy host a hundred times that. */
    static final long HANDSHAKE_MS = 2000;

    /**
     * Pause after a handshake without an answer: so a frozen peer costs the sending thread a third of its time at most.
     */
    private static final long SILENT_MS = 2 * HANDSHAKE_MS;

    private static final long IDLE_S = 30;
    private static final int MOST_TOLD = 10;
    private static final long TOLD_MS = 60_000;

    /** Runs deadlines on a thread of its own, as the application may block the common pool. */
    private static final ScheduledThreadPoolExecutor LATER = later();

    private final NodeTls tls;
    private final Set<SocketAddress> silent = ConcurrentHashMap.newKeySet();
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final AtomicLong refused = new AtomicLong();

    private static ScheduledThreadPoolExecutor later() {
        var executor = new ScheduledThreadPoolExecutor(1, task -> {
            var thread = new Thread(task, "shardbus-tls-deadlines");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    public TlsSockets(NodeTls tls) {
        this.tls = tls;
    }

    SSLSocket layer(Socket connected, boolean client) throws IOException {
        var host = connected.getInetAddress().getHostAddress();
        var layered =
                (SSLSocket) tls.context().getSocketFactory().createSocket(connected, host, connected.getPort(), true);
        layered.setEnabledProtocols(tls.versions());
        layered.setUseClientMode(client);
        if (!client) {
            layered.setNeedClientAuth(true);
        }
        return layered;
    }

    /**
     * Skips a silent peer for a while, as each attempt would last until its deadline; a peer that recovers connects.
     */
    void didNotAnswer(SocketAddress peer) {
        silent.add(peer);
        after(SILENT_MS, () -> silent.remove(peer));
    }

    void requireAnswering(SocketAddress peer) throws ConnectException {
        if (silent.contains(peer)) {
            throw new ConnectException(peer + " has not answered a TLS handshake recently");
        }
    }

    /** Counts a connection that the process could not accept, and logs the reason. */
    void notAccepted(ServerSocket port, Exception reason) {
        refused.incrementAndGet();
        if (isNews("accept")) {
            LOG.warn("cannot accept connections to port {}, retrying: {}", port.getLocalPort(), String.valueOf(reason));
        }
    }

    /** Counts a peer whose handshake with a port of this node failed, and logs the reason. */
    void refused(ServerSocket port, String peer, Exception reason) {
        long count = refused.incrementAndGet();
        if (isNews("from " + peer)) {
            LOG.warn(
                    "refused a connection of {} to port {}: no TLS in time, or a certificate that tls.trust does not"
                            + " vouch for ({} refused since the start): {}",
                    peer,
                    port.getLocalPort(),
                    count,
                    String.valueOf(reason));
        }
    }

    /** Logs that the handshake with a peer failed to which this node connected. */
    void distrusted(String peer, Exception reason) {
        if (isNews("to " + peer)) {
            LOG.warn(
                    "cannot connect to {}: it has no TLS, or a certificate that tls.trust does not vouch for, or"
                            + " it does not accept this node's certificate: {}",
                    peer,
                    String.valueOf(reason));
        }
    }

    /** Whether a connection is logged: each peer once a minute, and at most ten peers a minute. */
    private boolean isNews(String connection) {
        boolean news = told.size() < MOST_TOLD && told.add(connection);
        if (news) {
            after(TOLD_MS, () -> told.remove(connection));
        }
        return news;
    }

    /** Number of connections to this node that were refused, or could not be accepted. */
    public long refused() {
        return refused.get();
    }

    /** Runs the task at the deadline of a handshake that begins now, unless it is cancelled. */
    Future<?> atDeadline(Runnable task) {
        return LATER.schedule(task, HANDSHAKE_MS, TimeUnit.MILLISECONDS);
    }

    private static void after(long millis, Runnable task) {
        Future<?> unused = LATER.schedule(task, millis, TimeUnit.MILLISECONDS);
    }

    void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("{} cannot be closed", socket, e);
        }
    }

    @Override
    public Socket createSocket(String service) {
        return new TlsSocket(this);
    }

    @Override
    public ServerSocket createServerSocket(String service) throws IOException {
        return new TlsServerSocket(this);
    }

    @Override
    public Socket createSocket(String service, String host, int port) {
        throw notEncrypted(service);
    }

    @Override
    public Socket createSocket(String service, InetAddress host, int port) {
        throw notEncrypted(service);
    }

    @Override
    public Socket createSocket(String service, String host, int port, InetAddress localHost, int localPort) {
        throw notEncrypted(service);
    }

    @Override
    public Socket createSocket(String service, InetAddress host, int port, InetAddress localHost, int localPort) {
        throw notEncrypted(service);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port) {
        throw notEncrypted(service);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port, int backlog) {
        throw notEncrypted(service);
    }

    @Override
    public ServerSocket createServerSocket(String service, int port, int backlog, InetAddress bindAddress) {
        throw notEncrypted(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service) {
        throw notEncrypted(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service, SocketAddress bindAddress) {
        throw notEncrypted(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service, int port) {
        throw notEncrypted(service);
    }

    @Override
    public DatagramSocket createDatagramSocket(String service, int port, InetAddress bindAddress) {
        throw notEncrypted(service);
    }

    @Override
    public MulticastSocket createMulticastSocket(String service) {
        throw notEncrypted(service);
    }

    @Override
    public MulticastSocket createMulticastSocket(String service, int port) {
        throw notEncrypted(service);
    }

    @Override
    public MulticastSocket createMulticastSocket(String service, SocketAddress bindAddress) {
        throw notEncrypted(service);
    }

    @Override
    public SocketChannel createSocketChannel(String service) {
        throw notEncrypted(service);
    }

    @Override
    public SocketChannel createSocketChannel(String service, SocketAddress bindAddress) {
        throw notEncrypted(service);
    }

    @Override
    public ServerSocketChannel createServerSocketChannel(String service) {
        throw notEncrypted(service);
    }

    @Override
    public ServerSocketChannel createServerSocketChannel(String service, int port) {
        throw notEncrypted(service);
    }

    private static UnsupportedOperationException notEncrypted(String service) {
        return new UnsupportedOperationException("tls: " + service
                + " would not be encrypted: use the transport TCP with diag.enabled=\"false\", and the protocols of"
                + " conf/jgroups-*.xml");
    }
}
