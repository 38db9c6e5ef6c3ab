package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Sends control messages: those of one turn to one node in one frame, those to the own node without the bus. */
final class ControlLink {
    private final NodeId self;
    private final Context context;
    private final BusTransport transport;
    private final Consumer<ControlMessage> local;
    private final Map<NodeId, Buffer> frames = new LinkedHashMap<>();

    ControlLink(NodeId self, Context context, BusTransport transport, Consumer<ControlMessage> local) {
        this.self = self;
        this.context = context;
        this.transport = transport;
        this.local = local;
    }

    void send(NodeId to, ControlMessage message) {
        if (to.equals(self)) {
            context.runOnContext(ignored -> local.accept(message));
            return;
        }
        if (frames.isEmpty()) {
            context.runOnContext(ignored -> flush());
        }
        ControlCodec.append(frames.computeIfAbsent(to, node -> ControlCodec.begin(self)), message);
    }

    /** Tells all other nodes of these. */
    void broadcast(Collection<NodeId> nodes, NodeMessage message) {
        for (NodeId node : nodes) {
            if (!node.equals(self)) {
                send(node, new ControlMessage.ForNode(self, message));
            }
        }
    }

    void flush() {
        Map<NodeId, Buffer> ready = new LinkedHashMap<>(frames);
        frames.clear();
        ready.forEach(transport::sendControl);
    }
}
