package io.shardbus.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.NodeId;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.integration.Await;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTransportTest {
    private static final PeerLane LANE = new PeerLane(new NodeId("node"), 0);

    private final Vertx vertx = Vertx.vertx();
    private final BusTransport transport = new BusTransport(vertx, "test.", null, () -> 0);
    private final List<String> received = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    @Test
    void aGreetingIsNoFrameAndGarbageIsCounted() {
        var registration = transport.receiveFrames("cart", LANE, frame -> received.add(frame.toString()));
        Await.result(registration.ready());
        transport.greet("cart", LANE);
        vertx.eventBus().send("__test.lane.cart.node.0", "no buffer");
        transport.sendFrame("cart", LANE, Buffer.buffer("a frame"));
        Await.until(() -> received, () -> !received.isEmpty());
        assertEquals(List.of("a frame"), received);
        assertEquals(1, transport.refused(), "the text alone");
    }
}
