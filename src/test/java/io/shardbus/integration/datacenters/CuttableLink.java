package io.shardbus.integration.datacenters;

import static io.shardbus.testkit.ClusterTestKit.await;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;

/**
 * A way to a node of another data center that can be cut as a network is: connections stay open, and nothing passes any
 * more, in either direction. After the cut those connections are gone and new ones pass.
 */
final class CuttableLink {
    private final NetServer server;
    private final NetClient client;
    private volatile int target;
    private volatile boolean cut;

    private CuttableLink(Vertx vertx) {
        server = vertx.createNetServer().connectHandler(this::open);
        client = vertx.createNetClient();
    }

    static CuttableLink start(Vertx vertx) {
        var link = new CuttableLink(vertx);
        await(link.server.listen(0, "127.0.0.1"));
        return link;
    }

    String address() {
        return "127.0.0.1:" + server.actualPort();
    }

    void to(int port) {
        target = port;
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
    }

    private void open(NetSocket near) {
        near.pause();
        if (cut) {
            return;
        }
        client.connect(target, "127.0.0.1").onFailure(failure -> near.close()).onSuccess(far -> {
            pass(near, far);
            pass(far, near);
            near.resume();
        });
    }

    private void pass(NetSocket from, NetSocket to) {
        from.handler(bytes -> pass(bytes, from, to));
        from.closeHandler(closed -> {
            if (!cut) {
                to.close();
            }
        });
    }

    /** Bytes that a cut has swallowed are missing: the connection is of no use after it. */
    private void pass(Buffer bytes, NetSocket from, NetSocket to) {
        if (cut) {
            from.pause();
        } else {
            to.write(bytes);
        }
    }
}
