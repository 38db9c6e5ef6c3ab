package io.shardbus.launcher;

import io.netty.channel.Channel;
import io.netty.channel.nio.AbstractNioChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port of an HTTP server, which can be closed before the server. Vert.x 5.0 shuts both down at once, with every
 * connection that has just been accepted and sent no request yet; its client sees a failed request.
 */
final class HttpPort {
    private static final Duration LATE = Duration.ofMillis(300);
    private static final long TURN_MS = 1;

    private final Future<Vertx> vertx;
    private final HttpServer server;
    private volatile @Nullable Channel port;

    private HttpPort(Future<Vertx> vertx, HttpServer server) {
        this.vertx = vertx;
        this.server = server;
    }

    /** To be called before the server listens; takes its connection handler. */
    static HttpPort of(Future<Vertx> vertx, HttpServer server) {
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
     * Closes the port, then, a moment later, the server, which ends the requests under way. Connections that the
     * operating system has taken for this port are still served: closing a port resets those that were not accepted.
     *
     * @param longestRequest how long these may take
     */
    Future<Void> close(Duration longestRequest) {
        var open = port;
        if (open == null) {
            return server.shutdown(longestRequest.toMillis(), TimeUnit.MILLISECONDS);
        }
        return refuse(open)
                .compose(closed -> late())
                .compose(done -> server.shutdown(longestRequest.toMillis(), TimeUnit.MILLISECONDS));
    }

    private Future<Void> late() {
        Promise<Void> late = Promise.promise();
        vertx.result().setTimer(LATE.toMillis(), timer -> late.complete());
        return late.future();
    }

    /** A channel that a selector still knows is closed by the selector's next turn, and resets what came in between. */
    private Future<Void> refuse(Channel open) {
        Promise<Void> closed = Promise.promise();
        if (open.unsafe() instanceof AbstractNioChannel.NioUnsafe unsafe
                && unsafe.ch() instanceof ServerSocketChannel listening) {
            open.deregister().addListener(done -> closeWhenUnknown(open, listening, closed));
        } else {
            open.close().addListener(done -> closed.complete());
        }
        return closed.future();
    }

    private void closeWhenUnknown(Channel open, ServerSocketChannel listening, Promise<Void> closed) {
        if (listening.isRegistered()) {
            vertx.result()
                    .setTimer(
                            TURN_MS,
                            timer -> open.eventLoop().execute(() -> closeWhenUnknown(open, listening, closed)));
            return;
        }
        try {
            acceptAllAndClose(open, listening);
        } catch (IOException | RuntimeException e) {
            open.pipeline().fireExceptionCaught(e);
        }
        open.close().addListener(done -> closed.complete());
    }

    private static void acceptAllAndClose(Channel open, ServerSocketChannel listening) throws IOException {
        for (var late = listening.accept(); late != null; late = listening.accept()) {
            open.pipeline().fireChannelRead(new NioSocketChannel(open, late));
        }
        listening.close();
    }
}
