package io.shardbus.transport.seal;

import io.shardbus.model.NodeId;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Seals this node's messages to others, and opens theirs. A sealed message is one byte, {@value #MARK}, then numbered
 * fields: 1 the sender, 2 its life (eight bytes), 3 how many it has sealed for the address, 4 the message, 15 the
 * signature of all before it for the address. So a message counts for the receiver, the purpose and the moment for
 * which it was sent, once. Any thread.
 */
public final class Seals {
    /** The option that names the secret; in every refusal that is about it. */
    public static final String OPTION = "clusterSecretFile";

    /** Fingerprint of a node without a secret. */
    public static final String NONE = "none";

    /** Error text of a node without a secret about a sealed message. */
    public static final String NO_SECRET = "it is sealed with a cluster secret and this node has none: set " + OPTION
            + ", with the same bytes on all nodes";

    /** Error text of a node with a secret about a message that is not sealed. */
    public static final String NOT_SEALED =
            "it is not sealed with the cluster's secret: its sender has no " + OPTION + ", or is none of the cluster";

    private static final String OTHER_SECRET =
            "it is sealed with another secret, or was changed: " + OPTION + " must hold the same bytes on all nodes";

    /** No message that is not sealed begins with it. */
    private static final int MARK = 0xa7;

    private static final int SENDER = 1;
    private static final int LIFE = 2;
    private static final int NUMBER = 3;
    private static final int MESSAGE = 4;
    private static final int SIGNATURE = 15;
    /** More than the members, and the nodes that have left and whose messages still count. */
    private static final int MOST_SENDERS = 4_096;

    private final ClusterSecret secret;
    private final NodeId self;
    private final long life;
    /** By receiver, then by address. */
    private final Map<NodeId, Map<String, AtomicLong>> numbers = new ConcurrentHashMap<>();
    /** Above all numbers of receivers that were forgotten: one that is back refuses what it may have seen. */
    private final AtomicLong forgotten = new AtomicLong();
    /** The numbers of messages whose addresses are used once. */
    private final AtomicLong once = new AtomicLong();

    private final Map<String, Windows> windows = new ConcurrentHashMap<>();
    /** Those of questions, which any node may ask: they are kept when their senders are forgotten. */
    private final Map<String, Windows> lasting = new ConcurrentHashMap<>();

    /** A sender in one of its lives. */
    private record Sender(NodeId node, long life) {}

    /** Replay windows of an address, by sender; those that have been silent for longest are forgotten first. */
    private static final class Windows {
        private final Map<Sender, ReplayWindow> bySender = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Sender, ReplayWindow> eldest) {
                return size() > MOST_SENDERS;
            }
        };

        synchronized boolean isFirst(Sender sender, long number) {
            return bySender.computeIfAbsent(sender, first -> new ReplayWindow()).takes(number);
        }

        synchronized void forget(NodeId node) {
            bySender.keySet().removeIf(sender -> sender.node().equals(node));
        }

        synchronized int size() {
            return bySender.size();
        }
    }

    /** @param life another one for each time that the node's sharding is created */
    public Seals(ClusterSecret secret, NodeId self, long life) {
        this.secret = secret;
        this.self = self;
        this.life = life;
    }

    /**
     * A message that was sealed.
     *
     * @param name of this message: no other has it
     */
    public record Sealed(Buffer bytes, String name) {}

    /** Content of a sealed message, and the message's name. */
    public record Opened(NodeId from, String name, Buffer message) {}

    /** Whether it is sealed, rightly or not. */
    public static boolean isSealed(Buffer message) {
        return message.length() > 0 && message.getUnsignedByte(0) == MARK;
    }

    /** By which other nodes find out whether they have the same secret. */
    public String fingerprint() {
        return secret.fingerprint();
    }

    /** One end of the stream of frames with this unique name. */
    public StreamSeal stream(String name) {
        return new StreamSeal(secret, "stream " + name);
    }

    /** Seals a message for one of a node's addresses that have many. */
    public Sealed seal(NodeId to, String address, Buffer message) {
        return seal(
                address,
                message,
                numbers.computeIfAbsent(to, node -> new ConcurrentHashMap<>())
                        .computeIfAbsent(address, first -> new AtomicLong(forgotten.get()))
                        .incrementAndGet());
    }

    /** A node left long ago: its messages do not count any more, and nothing is sent to it. */
    public void forget(NodeId node) {
        Map<String, AtomicLong> of = numbers.remove(node);
        if (of != null) {
            long highest = of.values().stream().mapToLong(AtomicLong::get).max().orElse(0);
            // some may be taken at this moment
            forgotten.accumulateAndGet(highest + ReplayWindow.SIZE, Math::max);
        }
        windows.values().forEach(known -> known.forget(node));
    }

    /** Seals a message whose address is used once: nothing is remembered of it. */
    public Sealed sealOnce(String address, Buffer message) {
        return seal(address, message, once.incrementAndGet());
    }

    /** Number of addresses that have a number of their own. */
    int numbered() {
        return numbers.values().stream().mapToInt(Map::size).sum();
    }

    /** Number of senders that are known at the addresses of this node, without those of questions. */
    int senders() {
        return windows.values().stream().mapToInt(Windows::size).sum();
    }

    private Sealed seal(String address, Buffer message, long number) {
        FieldWriter fields = new FieldWriter(message.length() + 128)
                .node(SENDER, self)
                .fixed(LIFE, life)
                .number(NUMBER, number)
                .bytes(MESSAGE, message.getBytes());
        byte[] signed = Arrays.copyOf(fields.array(), fields.length());
        fields.bytes(SIGNATURE, secret.sign(address, signed, signed.length));
        Buffer sealed = Buffer.buffer(1 + fields.length()).appendByte((byte) MARK);
        return new Sealed(sealed.appendBytes(fields.array(), 0, fields.length()), name(self, life, number));
    }

    private static String name(NodeId sender, long life, long number) {
        return sender + " " + life + " " + number;
    }

    /**
     * Opens a message that came to an address for the first time.
     *
     * @throws WireFormatException for one that is not sealed, or with another secret, or for something else, or has
     *     come before
     */
    public Opened open(String address, Buffer sealed) {
        return open(address, sealed, windows.computeIfAbsent(address, to -> new Windows()));
    }

    /** The same for a question: it may ask for something to be done, so that it counts once though its sender left. */
    public Opened openQuestion(String address, Buffer sealed) {
        return open(address, sealed, lasting.computeIfAbsent(address, to -> new Windows()));
    }

    /** Opens a message whose address is used once. */
    public Opened openOnce(String address, Buffer sealed) {
        return open(address, sealed, null);
    }

    private Opened open(String address, Buffer sealed, @Nullable Windows known) {
        if (!isSealed(sealed)) {
            throw new WireFormatException(NOT_SEALED);
        }
        byte[] bytes = sealed.getBytes(1, sealed.length());
        int end = bytes.length - signatureBytes();
        byte[] expected = secret.sign(address, bytes, Math.max(0, end));
        FieldWriter tail = new FieldWriter(signatureBytes()).bytes(SIGNATURE, expected);
        byte[] right = Arrays.copyOf(tail.array(), tail.length());
        boolean signed = end > 0 && MessageDigest.isEqual(right, Arrays.copyOfRange(bytes, end, bytes.length));
        if (!signed) {
            throw new WireFormatException(OTHER_SECRET);
        }
        return read(bytes, end, known);
    }

    private static int signatureBytes() {
        return 2 + ClusterSecret.SIGNATURE;
    }

    private static Opened read(byte[] bytes, int end, @Nullable Windows known) {
        FieldReader in = new FieldReader(bytes, 0, end);
        NodeId sender = null;
        long life = 0;
        long number = 0;
        byte[] message = {};
        while (in.next()) {
            switch (in.field()) {
                case SENDER -> sender = in.node();
                case LIFE -> life = in.fixed();
                case NUMBER -> number = in.number();
                case MESSAGE -> message = in.bytes();
                default -> {}
            }
        }
        if (sender == null) {
            throw new WireFormatException("it is not sealed");
        }
        if (known != null && !known.isFirst(new Sender(sender, life), number)) {
            throw new WireFormatException(
                    "message " + number + " of " + sender + " has come before, or is far too late");
        }
        return new Opened(sender, name(sender, life, number), Buffer.buffer(message));
    }
}
