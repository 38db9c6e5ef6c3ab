package io.shardbus.transport.direct;

import io.shardbus.options.DirectOptions;
import io.shardbus.transport.tls.TlsMaterial;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Endpoint of the direct links of a node's lanes: where they listen for each other, and how they connect. Any thread.
 */
public final class DirectPlace {
    private static final Logger LOG = LoggerFactory.getLogger(DirectPlace.class);
    private static final int CONNECT_TIMEOUT_MS = 1500;
    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::");

    private final Vertx vertx;
    private final DirectOptions options;
    private final String host;
    private final String toldHost;
    private final LongSupplier random;
    private final @Nullable TlsMaterial tls;
    /**
     * Ports in use in this process. Vert.x distributes the connections to a port over all servers that listen there,
     * so each lane needs one of its own.
     */
    private final Set<Integer> taken = ConcurrentHashMap.newKeySet();

    /**
     * @param busHost where the event bus is published
     * @param clusterTls certificates and trust of this node's other connections, unless the options name files of their
     * own
     * @param random numbers that an attacker cannot guess
     */
    public DirectPlace(
            Vertx vertx, DirectOptions options, String busHost, @Nullable TlsMaterial clusterTls, LongSupplier random) {
        this.vertx = vertx;
        this.options = options;
        this.host = options.getHost().isEmpty() ? busHost : options.getHost();
        this.toldHost = EVERYWHERE.contains(host) ? busHost : host;
        this.random = random;
        this.tls = options.isTls() ? ofFiles(options) : clusterTls;
        LOG.info(
                "direct lane links listen at {}, ports {}, {}",
                host,
                options.getPorts(),
                tls == null ? "not encrypted" : "with TLS");
    }

    /** The links of a lane; called on its context. */
    public LaneLinks open(LaneLinks.Wiring lane) {
        return new LaneLinks(vertx, this, lane);
    }

    LinkToken newToken() {
        return new LinkToken(random.getAsLong(), random.getAsLong());
    }

    NetClient newClient() {
        NetClientOptions client = new NetClientOptions().setConnectTimeout(CONNECT_TIMEOUT_MS);
        return vertx.createNetClient(tls == null ? client : tls.secure(client));
    }

    private static TlsMaterial ofFiles(DirectOptions options) {
        return new TlsMaterial(
                new PemKeyCertOptions().setKeyPath(options.getTlsKey()).setCertPath(options.getTlsCertificate()),
                new PemTrustOptions().addCertPath(options.getTlsTrust()),
                Set.of("TLSv1.3", "TLSv1.2"));
    }

    /**
     * Listens on a port of its own, on the caller's context.
     *
     * @param again whether the caller has tried before, and found none
     */
    Future<Door> listen(Handler<NetSocket> connected, boolean again) {
        return listen(options.firstPort(), connected).onComplete(bound -> tell(bound, again));
    }

    private void tell(AsyncResult<Door> bound, boolean again) {
        if (bound.failed() && !again) {
            LOG.warn(
                    "cannot listen for direct lane links at {}:{}: other lanes use the event bus until a port is free",
                    host,
                    options.getPorts(),
                    bound.cause());
        } else if (bound.succeeded() && again) {
            LOG.info(
                    "listens for direct lane links at {}:{} now",
                    host,
                    bound.result().port());
        }
    }

    private Future<Door> listen(int first, Handler<NetSocket> connected) {
        int port = first;
        while (port != 0 && port <= options.lastPort() && !taken.add(port)) {
            port++;
        }
        if (port > options.lastPort()) {
            return Future.failedFuture("every port is taken");
        }
        int tried = port;
        return server(tried)
                .connectHandler(connected)
                .listen()
                .map(server -> new Door(server, tried))
                .recover(failure -> {
                    taken.remove(tried);
                    return tried < options.lastPort() ? listen(tried + 1, connected) : Future.failedFuture(failure);
                });
    }

    private NetServer server(int port) {
        NetServerOptions server = new NetServerOptions().setHost(host).setPort(port);
        return vertx.createNetServer(tls == null ? server : tls.secure(server));
    }

    /** Listening socket of a lane. */
    final class Door {
        private final NetServer server;
        private final int reserved;

        Door(NetServer server, int reserved) {
            this.server = server;
            this.reserved = reserved;
        }

        String host() {
            return toldHost;
        }

        int port() {
            return server.actualPort();
        }

        Future<Void> close() {
            return server.close().onComplete(done -> taken.remove(reserved));
        }
    }
}
