package bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/** The two messages of the workload, with a hand-written serializer so that Pekko runs at its best. */
public final class Wire extends SerializerWithStringManifest {
    /** The padding makes a message as large as the run wants it. */
    public record Add(long amount, ActorRef<Total> replyTo, byte[] padding) {
        static final byte[] NONE = {};

        Add(long amount, ActorRef<Total> replyTo) {
            this(amount, replyTo, NONE);
        }
    }

    public record Total(long value) {}

    private final ActorRefResolver refs;

    public Wire(ExtendedActorSystem system) {
        refs = ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public int identifier() {
        return 77001;
    }

    @Override
    public String manifest(Object o) {
        return o instanceof Add ? "a" : "t";
    }

    @Override
    public byte[] toBinary(Object o) {
        if (o instanceof Total t)
            return ByteBuffer.allocate(8).putLong(t.value()).array();
        Add a = (Add) o;
        byte[] ref = a.replyTo() == null
                ? Add.NONE
                : refs.toSerializationFormat(a.replyTo()).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(10 + ref.length + a.padding().length)
                .putLong(a.amount())
                .putShort((short) ref.length)
                .put(ref)
                .put(a.padding())
                .array();
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) {
        ByteBuffer b = ByteBuffer.wrap(bytes);
        long v = b.getLong();
        if (manifest.equals("t")) return new Total(v);
        int ref = b.getShort();
        byte[] padding = b.remaining() == ref ? Add.NONE : Arrays.copyOfRange(bytes, 10 + ref, bytes.length);
        return new Add(
                v, ref == 0 ? null : refs.resolveActorRef(new String(bytes, 10, ref, StandardCharsets.UTF_8)), padding);
    }
}
