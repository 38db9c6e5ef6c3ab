package io.shardbus.membership.detection;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import org.jgroups.Address;
import org.jgroups.blocks.cs.NioServer;
import org.jgroups.blocks.cs.TcpServer;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.SocketFactory;
import org.jgroups.util.ThreadFactory;

/**
 * Server of the failure detection that uses the sockets of its stack. FD_SOCK2 supports only an {@link NioServer},
 * whose channels are never encrypted; this one delegates to a {@link TcpServer}. The channel that the superclass opens
 * is closed before it accepts a connection.
 */
final class WatchServer extends NioServer {
    private static final String SERVICE = "shardbus.socket-watch";

    private final TcpServer server;

    WatchServer(
            ThreadFactory threads,
            SocketFactory sockets,
            InetAddress address,
            int port,
            InetAddress externalAddress,
            int externalPort)
            throws Exception {
        super(threads, new DefaultSocketFactory(), InetAddress.getLoopbackAddress(), 0, 0, null, 0, 0, SERVICE);
        Overrides.require(WatchServer.class);
        channel.close();
        selector.close();
        server = new TcpServer(threads, sockets, address, port, port, externalAddress, externalPort, 0, SERVICE);
        local_addr = server.localAddress();
        channel = new Listening(new InetSocketAddress(address, port));
    }

    /**
     * Starts the server with a connection for each direction. If two members that connect to each other at the same
     * moment, as in a cluster of two, shared connections, they would close one of the two together with the request on
     * it; the time of the handshake makes this likely.
     */
    @Override
    public synchronized void start() throws Exception {
        server.receiver(receiver)
                .clientBindPort(client_bind_port)
                .usePeerConnections(false)
                .linger(linger)
                .log(log)
                .setMaxLength(max_length);
        conn_listeners.forEach(server::addConnectionListener);
        server.start();
    }

    @Override
    public synchronized void stop() {
        server.stop();
    }

    @Override
    public void send(Address peer, byte[] bytes, int offset, int length) throws Exception {
        server.send(peer, bytes, offset, length);
    }

    @Override
    public boolean hasConnection(Address peer) {
        return server.hasConnection(peer);
    }

    @Override
    public boolean closeConnection(Address peer) {
        return server.closeConnection(peer);
    }

    @Override
    public boolean closeConnection(Address peer, boolean notify) {
        return server.closeConnection(peer, notify);
    }

    @Override
    public String printConnections() {
        return server.printConnections();
    }

    /** Gives the address of the server for a log line; all else is unsupported. */
    private static final class Listening extends ServerSocketChannel {
        private final SocketAddress place;

        Listening(SocketAddress place) {
            super(SelectorProvider.provider());
            this.place = place;
        }

        @Override
        public SocketAddress getLocalAddress() {
            return place;
        }

        @Override
        public ServerSocketChannel bind(SocketAddress local, int backlog) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T getOption(SocketOption<T> name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<SocketOption<?>> supportedOptions() {
            return Set.of();
        }

        @Override
        public ServerSocket socket() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketChannel accept() {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void implCloseSelectableChannel() {
            // nothing is open
        }

        @Override
        protected void implConfigureBlocking(boolean block) {
            throw new UnsupportedOperationException();
        }
    }
}
