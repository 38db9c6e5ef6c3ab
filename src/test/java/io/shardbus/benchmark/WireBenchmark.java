package io.shardbus.benchmark;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.FrameHead;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.transport.FrameDecoder;
import io.shardbus.transport.FrameEncoder;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a message costs on the wire: frames of 500 messages, and the payload's codec alone. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class WireBenchmark {
    private static final int MESSAGES = 500;
    private static final int SHARDS = 100;
    private static final int LARGE = 1 << 20;
    private static final PeerLane PEER = new PeerLane(new NodeId("peer"), 0);
    private static final FrameHead HEAD = new FrameHead(1, 1, 0, FrameHead.Answer.NOTHING);

    /** A message of a kind that the built-in codec writes as JSON. */
    public sealed interface Message {
        /** Adds to a named place. */
        record Add(String place, long amount) implements Message, Ask<Long> {}
    }

    private final PayloadCodec<Long> numbers = PayloadCodecs.forType(EntityType.of("numbers", Long.class));
    private final PayloadCodec<Message> records = PayloadCodecs.forType(EntityType.of("records", Message.class));
    private final TypedPayloads payloads = new TypedPayloads(numbers);
    private final FrameEncoder encoder =
            new FrameEncoder(PEER, LARGE, LARGE, payloads, (to, frame, answerOnly) -> {}, () -> 0);
    private final FrameDecoder decoder = new FrameDecoder(payloads, SHARDS, () -> 0, skipped -> {});
    private final List<Envelope> messages = IntStream.range(0, MESSAGES)
            .mapToObj(i -> {
                var envelope = new Envelope(i % SHARDS, "counter-" + i, 1L, 0, null);
                envelope.token(new FencingToken(1, 1, i % SHARDS + 1));
                return envelope;
            })
            .toList();
    private final Message message = new Message.Add("Zürich", 42);
    private Buffer frame = Buffer.buffer();
    private Buffer json = Buffer.buffer();

    @Setup
    public void prepare() {
        frame = (Buffer) encodeAMessage();
        json = jsonEncode();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public Object encodeAMessage() {
        encoder.begin(PEER, HEAD);
        messages.forEach(encoder::append);
        return encoder.send();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public Object decodeAMessage() {
        return decoder.decode(frame);
    }

    @Benchmark
    public Buffer jsonEncode() {
        var out = Buffer.buffer();
        records.encode(message, out);
        return out;
    }

    @Benchmark
    public Object jsonDecode() {
        return records.decode(json, 0, json.length());
    }
}
