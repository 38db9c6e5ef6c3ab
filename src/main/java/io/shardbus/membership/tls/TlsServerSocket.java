package io.shardbus.membership.tls;

import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jgroups.util.DefaultThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that returns only connections of peers with trusted certificates. JGroups accepts one connection after the
 * other on one thread, and would wait there for each handshake: a client that sends nothing would block all others.
 * Here up to {@value #MOST} handshakes run at once; one more ends the oldest.
 */
final class TlsServerSocket extends ServerSocket {
    private static final Logger LOG = LoggerFactory.getLogger(TlsServerSocket.class);

    /** Limit of the handshakes at a time. */
    static final int MOST = 64;

    private static final int MOST_THREADS = 2 * MOST;
    private static final long IDLE_SECONDS = 10;
    private static final long PAUSE_MS = 100;

    private final TlsSockets sockets;
    private final BlockingQueue<Socket> trusted = new ArrayBlockingQueue<>(MOST);
    private final LinkedBlockingDeque<TlsSocket> unknown = new LinkedBlockingDeque<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ThreadPoolExecutor handshakes = new ThreadPoolExecutor(
            0,
            MOST_THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new DefaultThreadFactory("tls-handshake", true));

    TlsServerSocket(TlsSockets sockets) throws IOException {
        this.sockets = sockets;
    }

    @Override
    public void bind(@Nullable SocketAddress place, int backlog) throws IOException {
        super.bind(place, backlog);
        new DefaultThreadFactory("tls-accept", true).newThread(this::acceptAll).start();
    }

    @Override
    public Socket accept() throws IOException {
        try {
            while (!isClosed()) {
                var next = trusted.poll(PAUSE_MS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    return next;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new SocketException("the port is closed");
    }

    private void acceptAll() {
        while (!isClosed()) {
            var socket = new TlsSocket(sockets);
            try {
                implAccept(socket);
                begin(socket);
            } catch (IOException | RejectedExecutionException e) {
                sockets.closeQuietly(socket);
                pauseAfter(e);
            }
        }
    }

    /** Pauses after a failed accept: if the process has no file descriptors left, the next attempt would fail, too. */
    private void pauseAfter(Exception failure) {
        try {
            if (!isClosed() && !closed.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                sockets.notAccepted(this, failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(TlsSocket socket) {
        if (unknown.size() >= MOST) {
            var oldest = unknown.poll();
            if (oldest != null) {
                sockets.closeQuietly(oldest);
            }
        }
        unknown.add(socket);
        handshakes.execute(() -> know(socket));
    }

    private void know(TlsSocket socket) {
        try {
            socket.handshake(false);
            if (isClosed() || !trusted.offer(socket)) {
                sockets.closeQuietly(socket);
            }
        } catch (IOException e) {
            if (endedUnknown(e)) {
                LOG.debug("{} ended its connection to port {} before the TLS handshake", socket, getLocalPort(), e);
            } else if (!isClosed()) {
                sockets.refused(this, String.valueOf(socket.getInetAddress()), e);
            }
        } finally {
            unknown.remove(socket);
        }
    }

    /** Whether the peer closed the connection at once, as probes do that only check whether a process listens. */
    private static boolean endedUnknown(IOException failure) {
        return failure.getCause() instanceof EOFException || failure.getClass() == SocketException.class;
    }

    @Override
    public void close() throws IOException {
        super.close();
        closed.countDown();
        Set.copyOf(unknown).forEach(sockets::closeQuietly);
        handshakes.shutdown();
        for (var left = trusted.poll(); left != null; left = trusted.poll()) {
            sockets.closeQuietly(left);
        }
    }
}
