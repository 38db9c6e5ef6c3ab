package benchmark;

import io.shardbus.spi.PayloadCodec;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** The messages by hand, a kind and eight bytes before the padding, since the peer's are written by hand too. */
final class CounterCodec implements PayloadCodec<CounterMessage> {
    private static final int HEAD = 1 + Long.BYTES;

    @Override
    public String name() {
        return "counter";
    }

    @Override
    public boolean accepts(@Nullable Object message) {
        return message instanceof CounterMessage;
    }

    @Override
    public void encode(@Nullable Object value, Buffer out) {
        if (!(value instanceof CounterMessage message)) {
            throw new IllegalArgumentException("not a counter message: " + value);
        }
        out.appendByte((byte) (message instanceof CounterMessage.AddAndGet ? 1 : 0))
                .appendLong(message.amount());
        if (message.padding().length() > 0) {
            out.appendBuffer(message.padding());
        }
    }

    @Override
    public CounterMessage decode(Buffer in, int start, int end) {
        if (end - start < HEAD) {
            throw new IllegalArgumentException("a counter message of " + (end - start) + " bytes");
        }
        long amount = in.getLong(start + 1);
        var padding = end - start == HEAD ? Payload.NONE : in.getBuffer(start + HEAD, end);
        return in.getByte(start) == 1
                ? new CounterMessage.AddAndGet(amount, padding)
                : new CounterMessage.Add(amount, padding);
    }
}
