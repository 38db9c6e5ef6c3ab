package io.shardbus.launcher;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.ShutdownEvent;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Requests that reach an HTTP server at the moment when it shuts down. Vert.x 5.0 closes every connection that has sent no
 * request yet together with the port, and a client that has just connected takes that for a failed request. With this the
 * port closes first, and such connections get a moment more.
 */
public final class LateRequests {
    private LateRequests() {}

    /** To be called before the server listens; takes its connection handler. */
    public static HttpServer answerFor(Duration moment, HttpServer server) {
        return server.connectionHandler(connection -> delayShutdown(connection, moment.toMillis()));
    }

    private static void delayShutdown(HttpConnection connection, long millis) {
        if (connection instanceof HttpServerConnection accepted) {
            accepted.channelHandlerContext().pipeline().addFirst(new Delay(millis));
        }
    }

    private static final class Delay extends ChannelInboundHandlerAdapter {
        private final long millis;

        Delay(long millis) {
            this.millis = millis;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext channel, Object event) {
            if (event instanceof ShutdownEvent) {
                var unused = channel.executor()
                        .schedule(() -> channel.fireUserEventTriggered(event), millis, TimeUnit.MILLISECONDS);
            } else {
                channel.fireUserEventTriggered(event);
            }
        }
    }
}
