package io.shardbus.membership.detection;

import org.jgroups.blocks.cs.Connection;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.FD_SOCK2;

/**
 * FD_SOCK2 that says at once whom it lost. The stock one looks for its next neighbour on the very thread that reads the
 * answers to that: each attempt waits for the whole connect timeout of 1 s in vain, one after the other for each member that
 * is left, and only then is the lost one suspected, together with all others. Here another thread does it, in some
 * milliseconds. Nodes with this and nodes with the stock protocol understand each other.
 */
public final class SocketWatch extends FD_SOCK2 {
    public SocketWatch() {
        setId(ClassConfigurator.getProtocolId(FD_SOCK2.class));
    }

    /** Listens where the transport does, not on all addresses of the host. */
    @Override
    public void start() throws Exception {
        if (bind_addr == null) {
            bind_addr = getTransport().getBindAddress();
        }
        super.start();
    }

    @Override
    public void connectionClosed(Connection connection) {
        timer.execute(() -> super.connectionClosed(connection));
    }
}
