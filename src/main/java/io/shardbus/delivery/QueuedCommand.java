package io.shardbus.delivery;

import io.shardbus.persistence.EventCodec;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A command of a delivery queue; the event of its partition.
 *
 * @param session of the sending node to this partition
 * @param number of the batch in its session, from 1; the same for all commands of a batch
 * @param type of the target
 * @param id of the target
 * @param payload as the codec of the target's type wrote it
 */
record QueuedCommand(long session, long number, String type, String id, Buffer payload) {
    /** Bytes of a command in a batch, beside those of {@link #type}, {@link #id} and {@link #payload}. */
    static final int OVERHEAD = 2 * Long.BYTES + 2 * Short.BYTES + Integer.BYTES;

    /** As stored, in version 1. */
    static final EventCodec<QueuedCommand> CODEC = new EventCodec<>() {
        private static final String NAME = "queued";

        @Override
        public int format() {
            return 1;
        }

        @Override
        public Encoded encode(QueuedCommand command) {
            return new Encoded(NAME, 1, command.bytes());
        }

        @Override
        public List<QueuedCommand> decode(String name, int version, Buffer payload) {
            if (!name.equals(NAME) || version != 1) {
                throw new IllegalArgumentException("the queue holds '" + name + "' in version " + version
                        + ", which this build cannot read: start the later build that wrote it");
            }
            return List.of(of(payload));
        }
    };

    private Buffer bytes() {
        Buffer bytes = Buffer.buffer(OVERHEAD + type.length() + id.length() + payload.length());
        bytes.appendLong(session).appendLong(number);
        append(bytes, type);
        append(bytes, id);
        return bytes.appendBuffer(payload);
    }

    private static void append(Buffer to, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        to.appendUnsignedShort(bytes.length).appendBytes(bytes);
    }

    private static QueuedCommand of(Buffer bytes) {
        int typeAt = 2 * Long.BYTES;
        int idAt = typeAt + Short.BYTES + bytes.getUnsignedShort(typeAt);
        int payloadAt = idAt + Short.BYTES + bytes.getUnsignedShort(idAt);
        return new QueuedCommand(
                bytes.getLong(0),
                bytes.getLong(Long.BYTES),
                text(bytes, typeAt + Short.BYTES, idAt),
                text(bytes, idAt + Short.BYTES, payloadAt),
                bytes.getBuffer(payloadAt, bytes.length()));
    }

    private static String text(Buffer bytes, int from, int to) {
        return new String(bytes.getBytes(from, to), StandardCharsets.UTF_8);
    }

    /** A message for a partition; without commands it asks how many are not confirmed. */
    static Buffer message(List<QueuedCommand> batch) {
        Buffer message = Buffer.buffer();
        for (QueuedCommand command : batch) {
            Buffer bytes = command.bytes();
            message.appendInt(bytes.length()).appendBuffer(bytes);
        }
        return message;
    }

    /** The reverse of {@link #message}. */
    static List<QueuedCommand> batch(Buffer message) {
        List<QueuedCommand> batch = new ArrayList<>();
        int at = 0;
        while (at < message.length()) {
            int from = at + Integer.BYTES;
            at = from + message.getInt(at);
            batch.add(of(message.getBuffer(from, at)));
        }
        return batch;
    }
}
