package io.shardbus.launcher;

import io.netty.channel.Channel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port of an HTTP server, which can be closed before the server. Vert.x 5.0 shuts both down at once, with every
 * connection that has just been accepted and sent no request yet; its client sees a failed request.
 */
public final class HttpPort {
    private static final Duration LATE = Duration.ofMillis(300);

    private final Vertx vertx;
    private final HttpServer server;
    private volatile @Nullable Channel port;

    private HttpPort(Vertx vertx, HttpServer server) {
        this.vertx = vertx;
        this.server = server;
    }

    /** To be called before the server listens; takes its connection handler. */
    public static HttpPort of(Vertx vertx, HttpServer server) {
        var port = new HttpPort(vertx, server);
        server.connectionHandler(port::accepted);
        return port;
    }

    private void accepted(HttpConnection connection) {
        if (port == null && connection instanceof HttpServerConnection known) {
            port = known.channelHandlerContext().channel().parent();
        }
    }

    /**
     * Closes the port, then, a moment later, the server, which ends the requests under way.
     *
     * @param longestRequest how long these may take
     */
    public Future<Void> close(Duration longestRequest) {
        var open = port;
        if (open == null) {
            return server.shutdown(longestRequest.toMillis(), TimeUnit.MILLISECONDS);
        }
        Promise<Void> late = Promise.promise();
        open.close().addListener(closed -> vertx.setTimer(LATE.toMillis(), timer -> late.complete()));
        return late.future().compose(done -> server.shutdown(longestRequest.toMillis(), TimeUnit.MILLISECONDS));
    }
}
