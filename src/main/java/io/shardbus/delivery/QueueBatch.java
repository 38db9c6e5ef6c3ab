package io.shardbus.delivery;

import io.shardbus.InternalMessage;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Request of a node to a partition of a delivery queue: commands to store. An empty batch asks how many commands are
 * not confirmed. An {@link InternalMessage}, as a queue also delivers messages that event-bus clients must not send.
 */
record QueueBatch(List<QueuedCommand> commands) implements InternalMessage {
    static final PayloadCodec<QueueBatch> CODEC = new PayloadCodec<>() {
        @Override
        public String name() {
            return "queue-batch";
        }

        @Override
        public boolean accepts(@Nullable Object message) {
            return message instanceof QueueBatch;
        }

        @Override
        public void encode(@Nullable Object value, Buffer out) {
            if (!(value instanceof QueueBatch batch)) {
                throw new IllegalArgumentException("a delivery queue has no message of this class: " + value);
            }
            out.appendBuffer(QueuedCommand.message(batch.commands));
        }

        @Override
        public Object decode(Buffer in, int start, int end) {
            try {
                return new QueueBatch(QueuedCommand.batch(in.getBuffer(start, end)));
            } catch (IndexOutOfBoundsException e) {
                throw new IllegalArgumentException("malformed batch of a delivery queue: " + e.getMessage(), e);
            }
        }
    };

    QueueBatch {
        commands = List.copyOf(commands);
    }
}
