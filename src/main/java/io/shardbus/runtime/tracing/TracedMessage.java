package io.shardbus.runtime.tracing;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.NodeId;
import io.vertx.core.spi.tracing.TagExtractor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tags of a span about its message.
 *
 * @param entityId null where spans must not name entities
 */
record TracedMessage(
        String type, int shard, NodeId node, @Nullable String entityId, String message) {
    static final TagExtractor<TracedMessage> TAGS = new Tags();

    static String name(Object payload) {
        return payload == Envelope.START ? "start" : payload.getClass().getSimpleName();
    }

    String operation() {
        return type + " " + message;
    }

    private static final class Tags implements TagExtractor<TracedMessage> {
        private static final List<String> NAMES =
                List.of("shardbus.type", "shardbus.shard", "shardbus.node", "shardbus.message", "shardbus.entity.id");

        @Override
        public int len(TracedMessage message) {
            return message.entityId == null ? NAMES.size() - 1 : NAMES.size();
        }

        @Override
        public String name(TracedMessage message, int index) {
            return NAMES.get(index);
        }

        @Override
        public String value(TracedMessage message, int index) {
            return switch (index) {
                case 0 -> message.type;
                case 1 -> Integer.toString(message.shard);
                case 2 -> message.node.value();
                case 3 -> message.message;
                default -> String.valueOf(message.entityId);
            };
        }
    }
}
