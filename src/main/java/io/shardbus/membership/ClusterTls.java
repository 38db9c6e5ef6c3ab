package io.shardbus.membership;

import io.shardbus.membership.tls.NodeTls;
import io.shardbus.membership.tls.TlsSockets;
import io.shardbus.options.TlsOptions;
import io.shardbus.transport.tls.BusTls;
import io.shardbus.transport.tls.TlsMaterial;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.MPING;
import org.jgroups.protocols.TCP;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS of a clustered node: of the JGroups stack and the event bus, with certificate files that may change. */
final class ClusterTls {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterTls.class);
    private static final long NO_TIMER = -1;

    private final NodeTls tls;
    private final TlsSockets sockets;
    private final TlsMaterial material;
    private final AtomicBoolean reloading = new AtomicBoolean();
    private volatile long timer = NO_TIMER;

    /**
     * Reads the files; blocks.
     *
     * @throws IllegalArgumentException naming the option that is invalid, or whose file is
     */
    ClusterTls(TlsOptions options) {
        tls = NodeTls.of(options);
        sockets = new TlsSockets(tls);
        material = tls.material();
    }

    TlsSockets sockets() {
        return sockets;
    }

    TlsMaterial material() {
        return material;
    }

    /** @throws IllegalStateException if a connection of the stack is not encrypted */
    void requireEncrypted(ProtocolStack stack) {
        var open = new ArrayList<String>();
        var transport = stack.getTransport();
        if (transport.getClass() != TCP.class || transport.getSocketFactory() != sockets) {
            open.add(transport.getName() + " (use TCP)");
        }
        if (stack.getProtocols().stream().anyMatch(protocol -> protocol.getClass() == FD_SOCK2.class)) {
            open.add("FD_SOCK2 (use io.shardbus.membership.detection.SocketWatch)");
        }
        if (stack.getProtocols().stream().anyMatch(MPING.class::isInstance)) {
            open.add("MPING (use io.shardbus.membership.detection.PeerSearch)");
        }
        if (!open.isEmpty()) {
            throw new IllegalStateException("tls: set, but parts of the JGroups stack do not use it: " + open
                    + "; conf/jgroups-*.xml are stacks that do");
        }
    }

    /** @throws IllegalStateException if the event bus takes connections without a certificate */
    void requireSecureBus(Vertx vertx) {
        BusTls.of(vertx).requireSecure();
    }

    /**
     * Called once the event bus listens. From then on this node checks the files for changes until {@link #end}, and
     * new connections of the event bus use the reloaded files, too.
     */
    Future<Void> begin(Vertx vertx) {
        return BusTls.of(vertx)
                .adopt(material)
                .onSuccess(adopted -> timer = vertx.setPeriodic(tls.reloadIntervalMs(), id -> reload(vertx)));
    }

    /** Skipped while an earlier check has not ended: a file system that hangs occupies one worker thread only. */
    private void reload(Vertx vertx) {
        if (!reloading.compareAndSet(false, true)) {
            return;
        }
        vertx.<@Nullable Void>executeBlocking(
                        () -> {
                            tls.reload();
                            return null;
                        },
                        false)
                .onComplete(looked -> reloading.set(false))
                .onFailure(failure -> LOG.error("checking the TLS files for changes failed, retrying", failure));
    }

    /** Ends the checks; called while the Vertx can still complete a check that has begun. */
    void end(Vertx vertx) {
        vertx.cancelTimer(timer);
    }
}
