package io.shardbus.integration.messages;

import io.shardbus.integration.TestCluster;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Stands before the ports of lanes on another loopback address, and can break all connections through it. Close it. */
final class LinkProxy implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytes = new AtomicLong();

    /** Listens at these ports of one host for those of another. */
    LinkProxy(String host, String behind, List<Integer> ports) {
        List<Future<?>> listening = new ArrayList<>();
        for (int port : ports) {
            listening.add(vertx.createNetServer()
                    .connectHandler(near -> forward(near, behind, port))
                    .listen(port, host));
        }
        TestCluster.await(Future.all(listening));
    }

    private void forward(NetSocket near, String behind, int port) {
        near.pause();
        client.connect(port, behind)
                .onSuccess(far -> {
                    pipe(near, far);
                    pipe(far, near);
                    near.resume();
                })
                .onFailure(failure -> near.close());
    }

    private void pipe(NetSocket from, NetSocket to) {
        sockets.add(from);
        from.handler(chunk -> {
            bytes.addAndGet(chunk.length());
            to.write(chunk);
        });
        from.closeHandler(closed -> {
            sockets.remove(from);
            to.close();
        });
    }

    /** What has gone through so far. */
    long bytes() {
        return bytes.get();
    }

    void breakAll() {
        List.copyOf(sockets).forEach(NetSocket::close);
    }

    @Override
    public void close() {
        TestCluster.await(vertx.close());
    }
}
