package io.shardbus.runtime.tracing;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The spans of one type on this node. Any thread, unless a method says otherwise. */
public final class MessageTracing {
    private final GuardedTracer tracer;
    private final TracingPolicy policy;
    private final boolean namesEntities;
    private final VertxInternal vertx;
    private final String type;
    private final NodeId node;

    private MessageTracing(VertxInternal vertx, ShardingOptions options, String type, NodeId node) {
        this.tracer = new GuardedTracer(tracer(vertx), type);
        this.policy = policy(options);
        this.namesEntities = options.isTraceEntityIds();
        this.vertx = vertx;
        this.type = type;
        this.node = node;
    }

    /** Null where the Vertx has no tracer, and where the options say that it is not to be used. */
    public static @Nullable MessageTracing of(Vertx vertx, ShardingOptions options, String type, NodeId node) {
        boolean traces = vertx instanceof VertxInternal known
                && known.tracer() != null
                && policy(options) != TracingPolicy.IGNORE;
        return traces ? new MessageTracing((VertxInternal) vertx, options, type, node) : null;
    }

    @SuppressWarnings("unchecked")
    private static VertxTracer<Object, Object> tracer(VertxInternal vertx) {
        return (VertxTracer<Object, Object>) vertx.tracer();
    }

    /** @param counter called for each exception of the application's tracer; any thread */
    public void countFailures(Runnable counter) {
        tracer.countFailures(counter);
    }

    private static TracingPolicy policy(ShardingOptions options) {
        return TracingPolicy.valueOf(options.getTracingPolicy().toUpperCase(Locale.ROOT));
    }

    /** Begins the span of a tell; null where the sender is in no trace. */
    public @Nullable SentSpan tell(int shard, String entityId, Object payload) {
        return send(SpanKind.MESSAGING, shard, entityId, payload);
    }

    /** Begins the span of an ask; null where the sender is in no trace. */
    public @Nullable SentSpan ask(int shard, String entityId, Object payload) {
        return send(SpanKind.RPC, shard, entityId, payload);
    }

    private @Nullable SentSpan send(SpanKind kind, int shard, String entityId, Object payload) {
        Context context = Vertx.currentContext();
        if (context == null && policy != TracingPolicy.ALWAYS) {
            return null;
        }
        Context sender = context == null ? vertx.contextBuilder().build() : context;
        TracedMessage message = message(shard, entityId, payload);
        TraceHeaders headers = new TraceHeaders();
        Object span = tracer.sendRequest(
                sender, kind, policy, message, message.operation(), headers::put, TracedMessage.TAGS);
        return span == null ? null : new SentSpan(tracer, sender, span, headers.headers());
    }

    /** Entries of a trace, as many as may travel beside a message. */
    private static final class TraceHeaders {
        private final Map<String, String> entries = new HashMap<>();
        private int letters;

        void put(String key, String value) {
            int more = key.length() + value.length();
            if (entries.size() < ItemHeaders.MOST_TRACE_ENTRIES && letters + more <= ItemHeaders.LONGEST_TRACE) {
                entries.put(key, value);
                letters += more;
            }
        }

        ItemHeaders headers() {
            return new ItemHeaders(entries, ItemHeaders.NO_DEADLINE, "");
        }
    }

    private TracedMessage message(int shard, String entityId, Object payload) {
        return new TracedMessage(type, shard, node, namesEntities ? entityId : null, TracedMessage.name(payload));
    }

    /**
     * Begins the span of an entity that handles a message, in a context of its own beside its lane's, so that the span
     * meets no other entity of the lane. Null where the message is in no trace. On the lane.
     *
     * @param message what the entity is given, which a timer wraps in its envelope
     */
    public @Nullable TracedTurn handle(Context lane, Envelope envelope, Object message) {
        Map<String, String> trace = envelope.headers().trace();
        if (trace.isEmpty() && policy != TracingPolicy.ALWAYS) {
            return null;
        }
        TracedMessage traced = message(envelope.shard(), envelope.entityId(), message);
        ContextInternal turn = ((ContextInternal) lane).duplicate();
        SpanKind kind = envelope.ask() == 0 ? SpanKind.MESSAGING : SpanKind.RPC;
        Object span = tracer.receiveRequest(
                turn, kind, policy, traced, traced.operation(), trace.entrySet(), TracedMessage.TAGS);
        return span == null ? null : new TracedTurn(tracer, turn, span);
    }

    /**
     * Runs what belongs to no message, on the lane: an entity that begins or ends because of another one's message is
     * not in that one's trace.
     */
    public static void outside(Context lane, Runnable code) {
        ContextInternal context = (ContextInternal) lane;
        ContextInternal before = context.beginDispatch();
        try {
            code.run();
        } finally {
            context.endDispatch(before);
        }
    }
}
