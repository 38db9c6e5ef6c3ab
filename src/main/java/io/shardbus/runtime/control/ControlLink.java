package io.shardbus.runtime.control;

import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends control messages: those of one turn to one node in one frame, those to the own node without the bus. Homes of
 * shards that follow each other become one message, as a coordinator sends them one by one, to every region.
 */
final class ControlLink {
    /** A frame that has so many bytes takes no further message: each alone is far smaller than what is read. */
    private static final int FULL = BusTransport.MOST_CONTROL_BYTES / 16;

    private final NodeId self;
    private final Context context;
    private final BusTransport transport;
    private final Consumer<ControlMessage> local;
    private final Map<NodeId, Outbox> outboxes = new LinkedHashMap<>();

    /** Messages to one node in this turn. */
    private static final class Outbox {
        private final ArrayDeque<ControlMessage> messages = new ArrayDeque<>();
        /** The homes in the last message, while more may be put to them. */
        private @Nullable List<ShardHome> homes;

        void add(ControlMessage message) {
            if (!(message instanceof ControlMessage.ForRegion next
                    && next.body() instanceof ToRegion.ShardHomes shown)) {
                homes = null;
                messages.add(message);
            } else if (homes != null && isOfTheSame(messages.peekLast(), next)) {
                homes.addAll(shown.homes());
            } else {
                homes = new ArrayList<>(shown.homes());
                messages.add(new ControlMessage.ForRegion(
                        next.from(), next.term(), next.type(), new ToRegion.ShardHomes(homes)));
            }
        }

        private static boolean isOfTheSame(@Nullable ControlMessage last, ControlMessage.ForRegion next) {
            return last instanceof ControlMessage.ForRegion present
                    && present.type().equals(next.type())
                    && present.term().equals(next.term());
        }

        boolean isEmpty() {
            return messages.isEmpty();
        }

        ControlMessage remove() {
            return messages.remove();
        }

        /** Sends all in their order, in frames that a receiver reads. */
        void sendFrom(NodeId self, Consumer<Buffer> sender) {
            Buffer frame = ControlCodec.begin(self);
            int empty = frame.length();
            for (ControlMessage message : messages) {
                ControlCodec.append(frame, message);
                if (frame.length() >= FULL) {
                    sender.accept(frame);
                    frame = ControlCodec.begin(self);
                }
            }
            if (frame.length() > empty) {
                sender.accept(frame);
            }
        }
    }

    ControlLink(NodeId self, Context context, BusTransport transport, Consumer<ControlMessage> local) {
        this.self = self;
        this.context = context;
        this.transport = transport;
        this.local = local;
    }

    void send(NodeId to, ControlMessage message) {
        if (outboxes.isEmpty()) {
            context.runOnContext(ignored -> {
                Outbox own = outboxes.remove(self);
                flush();
                take(own);
            });
        }
        outboxes.computeIfAbsent(to, node -> new Outbox()).add(message);
    }

    /** Delivers this node's messages to itself; one message that fails does not keep the others. */
    private void take(@Nullable Outbox own) {
        if (own == null || own.isEmpty()) {
            return;
        }
        try {
            while (!own.isEmpty()) {
                local.accept(own.remove());
            }
        } finally {
            if (!own.isEmpty()) {
                context.runOnContext(ignored -> take(own));
            }
        }
    }

    /** Tells all other nodes of these. */
    void broadcast(Collection<NodeId> nodes, NodeMessage message) {
        for (NodeId node : nodes) {
            if (!node.equals(self)) {
                send(node, new ControlMessage.ForNode(self, message));
            }
        }
    }

    /** Sends what is for others at once. */
    void flush() {
        Outbox own = outboxes.remove(self);
        Map<NodeId, Outbox> ready = new LinkedHashMap<>(outboxes);
        outboxes.clear();
        if (own != null) {
            outboxes.put(self, own);
        }
        ready.forEach((to, outbox) -> outbox.sendFrom(self, frame -> transport.sendControl(to, frame)));
    }

    /** Whether all its nodes are of this process, and known to no operator. */
    boolean isWithin() {
        return transport.isWithin();
    }
}
