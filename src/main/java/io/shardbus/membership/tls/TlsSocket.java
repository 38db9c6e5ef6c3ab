package io.shardbus.membership.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A socket that is encrypted from its first byte, with certificates of both ends. The handshake has one deadline as a
 * whole; that of a stock SSL socket has none. JGroups connects on the thread that sends all messages, so without the
 * deadline a frozen peer would silence the node. The socket closes without the closing message of TLS, whose sending
 * could block if the peer does not read.
 */
final class TlsSocket extends Socket {
    private final TlsSockets sockets;
    private volatile @Nullable SSLSocket session;

    TlsSocket(TlsSockets sockets) {
        this.sockets = sockets;
    }

    @Override
    public void connect(SocketAddress peer) throws IOException {
        connect(peer, 0);
    }

    @Override
    public void connect(SocketAddress peer, int millis) throws IOException {
        sockets.requireAnswering(peer);
        super.connect(peer, millis);
        try {
            handshake(true);
        } catch (SocketTimeoutException e) {
            sockets.didNotAnswer(peer);
            throw e;
        } catch (SSLException e) {
            sockets.distrusted(String.valueOf(peer), e);
            throw e;
        }
    }

    /**
     * Runs the handshake; closes the socket if it fails. Blocks for 2 s at most.
     *
     * @throws SocketTimeoutException if the handshake has not ended within 2 s
     */
    void handshake(boolean client) throws IOException {
        var over = new AtomicBoolean();
        var late = new AtomicBoolean();
        var deadline = sockets.atDeadline(() -> {
            if (over.compareAndSet(false, true)) {
                late.set(true);
                sockets.closeQuietly(this);
            }
        });
        try {
            var layered = sockets.layer(this, client);
            layered.startHandshake();
            if (!over.compareAndSet(false, true)) {
                throw new SocketTimeoutException("no TLS handshake in time");
            }
            session = layered;
        } catch (IOException | RuntimeException e) {
            over.set(true);
            sockets.closeQuietly(this);
            if (late.get()) {
                var timeout = new SocketTimeoutException(getRemoteSocketAddress()
                        + " did not finish the TLS handshake in " + TlsSockets.HANDSHAKE_MS + " ms");
                timeout.initCause(e);
                throw timeout;
            }
            throw e;
        } finally {
            deadline.cancel(false);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        var encrypted = session;
        return encrypted == null ? super.getInputStream() : encrypted.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        var encrypted = session;
        return encrypted == null ? super.getOutputStream() : encrypted.getOutputStream();
    }
}
