package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.EraseEntity;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.clock.ElapsedClock;
import io.shardbus.runtime.entity.LaneTask;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.runtime.tracing.MessageTracing;
import io.shardbus.runtime.tracing.SentSpan;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The way of users' messages to the lanes of a region: each goes to the lane of its shard, waits where the lanes do not
 * exist yet, or fails with a code. Any thread.
 */
final class RegionSender {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final LaneQueue[] CLOSED = {};
    private static final Failure LANE_FULL =
            Failure.of(FailureCode.REGION_BUFFER_FULL, "too many messages wait for their lane of the region");

    /** The text of an ask that timed out. */
    interface Lateness {
        String text(FutureAsk.Question asked, int millis);
    }

    private final String type;
    private final RegionSettings settings;
    private final TypedPayloads payloads;
    private final ElapsedClock clock;
    private final RegionCounters counters;
    private final @Nullable MessageTracing tracing;
    private final RegionLatency latency;
    private final Lateness lateness;
    private final WriteQueues queues;
    /** For each lane. */
    private final List<EarlyMessages> early;

    private volatile LaneQueue[] lanes = CLOSED;

    RegionSender(
            String type,
            RegionSettings settings,
            TypedPayloads payloads,
            ElapsedClock clock,
            RegionCounters counters,
            @Nullable MessageTracing tracing,
            RegionLatency latency,
            Lateness lateness) {
        this.type = type;
        this.settings = settings;
        this.payloads = payloads;
        this.clock = clock;
        this.counters = counters;
        this.tracing = tracing;
        this.latency = latency;
        this.lateness = lateness;
        this.queues = new WriteQueues(settings.numberOfShards());
        this.early = IntStream.range(0, settings.lanes())
                .mapToObj(lane ->
                        new EarlyMessages(type, lane, settings.lane(lane).bufferSize()))
                .toList();
    }

    /** Gives the region its lanes, and the lanes the messages that were sent before. */
    void open(LaneQueue[] opened) {
        LaneQueue[] all = opened.clone();
        early.forEach(messages -> messages.open(all));
        lanes = all;
        early.forEach(EarlyMessages::published);
    }

    /** The region does not start: what waits for its lanes is refused. */
    void neverOpens() {
        Failure reason = Failure.of(FailureCode.SHUTTING_DOWN, notOpen());
        early.forEach(messages -> messages.close(reason));
    }

    /** Fails asks that wait for the lanes and are late; called now and then until the region has started. */
    void expireEarly() {
        long now = clock.now();
        early.forEach(messages -> messages.expire(now));
    }

    /** The lanes are gone: messages are refused, and drain handlers are called. */
    void close() {
        lanes = CLOSED;
        neverOpens();
        queues.close();
    }

    /** The region's lanes; none before they are deployed and after they have ended. */
    LaneQueue[] lanes() {
        return lanes;
    }

    RegionCounters counters() {
        return counters;
    }

    String lateness(FutureAsk.Question asked, int millis) {
        return lateness.text(asked, millis);
    }

    private Object prepare(Object message) {
        boolean isRequest = message == Envelope.START || message == EraseEntity.REQUEST;
        if (!settings.serializeLocal() || isRequest) {
            return message;
        }
        return payloads.copyMessage(message, settings.maxPayloadBytes());
    }

    void tell(int shard, String entityId, Object message) {
        tell(shard, entityId, message, Origin.OUTSIDE);
    }

    void tell(int shard, String entityId, Object message, Origin origin) {
        Object payload = prepare(message);
        SentSpan span = tracing == null ? null : tracing.tell(shard, entityId, message);
        LaneQueue[] present = lanes;
        if (present.length == 0) {
            present = early(shard).offer(earlyTell(shard, entityId, payload, span, origin));
        }
        if (present != null) {
            tell(present.length == 0 ? lanes : present, shard, entityId, payload, span, origin);
        }
    }

    private EarlyMessages early(int shard) {
        return early.get(shard % early.size());
    }

    private EarlyMessages.Message earlyTell(
            int shard, String entityId, Object payload, @Nullable SentSpan span, Origin origin) {
        return new EarlyMessages.Message() {
            @Override
            public void pass(LaneQueue[] opened) {
                tell(opened, shard, entityId, payload, span, origin);
            }

            @Override
            public void refuse(Failure reason) {
                RegionSender.this.refuse(shard, entityId, payload, span, reason);
            }
        };
    }

    private void tell(
            LaneQueue[] present, int shard, String entityId, Object payload, @Nullable SentSpan span, Origin origin) {
        ItemHeaders headers = span == null ? ItemHeaders.NONE : span.headers();
        LaneTask task = (lane, now) -> lane.sendFrom(origin.shard(shard), shard, entityId, payload, null, headers, now);
        if (present.length == 0) {
            refuse(shard, entityId, payload, span, Failure.of(FailureCode.SHUTTING_DOWN, notOpen()));
        } else if (!present[shard % present.length].send(task)) {
            refuse(shard, entityId, payload, span, LANE_FULL);
        } else if (span != null) {
            span.succeeded();
        }
    }

    private void refuse(int shard, String entityId, Object payload, @Nullable SentSpan span, Failure reason) {
        refuse(shard, entityId, payload, reason);
        if (span != null) {
            span.failed(new ShardingException(reason.code(), reason.message()));
        }
    }

    private void refuse(int shard, String entityId, Object payload, Failure reason) {
        counters.failed(reason.code());
        counters.deadLetter(type, new Envelope(shard, entityId, payload, 0, null), reason);
    }

    private String notOpen() {
        return "the region of '" + type + "' is not open";
    }

    /** Set by the lane of the shard. */
    void writeQueueFull(int shard, boolean full) {
        queues.full(shard, full);
        if (!full) {
            drained(shard);
        }
    }

    void laneDrained(int lane) {
        for (int shard : queues.awaited()) {
            if (shard % Math.max(1, lanes.length) == lane) {
                drained(shard);
            }
        }
    }

    private void drained(int shard) {
        if (!writeQueueFull(shard)) {
            queues.drained(shard);
        }
    }

    boolean writeQueueFull(int shard) {
        LaneQueue[] present = lanes;
        return queues.isFull(shard) || (present.length > 0 && present[shard % present.length].isFull());
    }

    void drainHandler(int shard, Handler<Void> handler) {
        LaneQueue[] present = lanes;
        OutsideCallers outside = present.length == 0 ? null : present[shard % present.length].outside();
        queues.await(shard, CallerContext.handOver(handler, outside));
        drained(shard);
    }

    <R> Future<R> ask(int shard, String entityId, Object message, ItemHeaders headers, long timeoutMillis) {
        return ask(shard, entityId, message, headers, timeoutMillis, Origin.OUTSIDE);
    }

    <R> Future<R> ask(
            int shard, String entityId, Object message, ItemHeaders headers, long timeoutMillis, Origin origin) {
        boolean ofHandler = OutsideCallers.areCalling();
        Promise<Object> promise = ofHandler ? Promise.promise() : CallerContext.promise();
        SentSpan span = tracing == null ? null : tracing.ask(shard, entityId, message);
        if (span != null) {
            promise.future().onComplete(answer -> span.succeeded(), span::failed);
        }
        try {
            ItemHeaders sent =
                    span == null ? headers : headers.withTrace(span.headers().trace());
            FutureAsk.Question question = new FutureAsk.Question(
                    shard, entityId, prepare(message), sent, latency.begins(clock), ofHandler, origin);
            long now = clock.now();
            LaneQueue[] present = lanes;
            if (present.length == 0) {
                present = early(shard).offer(new EarlyMessages.Ask(question, promise, now, timeoutMillis, this));
            }
            if (present != null) {
                ask(present.length == 0 ? lanes : present, question, promise, now, timeoutMillis);
            }
        } catch (ShardingException e) {
            promise.fail(e);
        }
        @SuppressWarnings("unchecked")
        Future<R> answer = (Future<R>) promise.future();
        return settings.serializeLocal() ? answer.map(this::copyAnswer) : answer;
    }

    void ask(LaneQueue[] present, FutureAsk.Question question, Promise<Object> promise, long now, long timeout) {
        if (present.length == 0) {
            promise.fail(new ShardingException(FailureCode.SHUTTING_DOWN, notOpen()));
            return;
        }
        LaneQueue lane = present[question.shard() % present.length];
        if (!lane.send(new FutureAsk(question, promise, now, timeout, lane))) {
            promise.fail(new ShardingException(LANE_FULL.code(), LANE_FULL.message()));
            counters.failed(LANE_FULL.code());
        }
    }

    @SuppressWarnings("unchecked")
    private <R> @Nullable R copyAnswer(@Nullable R answer) {
        return (R) payloads.copyAnswer(answer, settings.maxPayloadBytes());
    }

    static long millis(Duration timeout) {
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("ask timeout of " + timeout + ": use 1 ms to 1 day");
        }
        return timeout.toMillis();
    }

    static <R> Future<R> cast(Future<Object> answer, Class<R> wanted) {
        return answer.map(value -> {
            if (value != null && !wanted.isInstance(value)) {
                throw new ShardingException(
                        FailureCode.PAYLOAD_NOT_DECODABLE,
                        "the answer is a " + value.getClass().getName() + ", not a " + wanted.getName());
            }
            return wanted.cast(value);
        });
    }
}
