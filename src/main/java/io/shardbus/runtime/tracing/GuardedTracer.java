package io.shardbus.runtime.tracing;

import io.shardbus.logging.LogPace;
import io.shardbus.runtime.clock.Nanos;
import io.vertx.core.Context;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The application's tracer. What it throws is counted and logged at a pace: the message is then in no trace, or its
 * span does not end, and nothing else changes. Any thread.
 */
final class GuardedTracer implements VertxTracer<Object, Object> {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedTracer.class);

    private final VertxTracer<Object, Object> tracer;
    private final String type;
    private final LogPace pace = new LogPace(() -> TimeUnit.NANOSECONDS.toMillis(Nanos.now()));
    private volatile Runnable failed = () -> {};

    /** @param type for the log */
    GuardedTracer(VertxTracer<Object, Object> tracer, String type) {
        this.tracer = tracer;
        this.type = type;
    }

    /** @param counter called for each exception of the tracer */
    void countFailures(Runnable counter) {
        failed = counter;
    }

    private @Nullable Object call(Supplier<@Nullable Object> call) {
        try {
            return call.get();
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            failed.run();
            if (pace.admits()) {
                LOG.warn("type={}: the tracer failed; counted as metrics_failures{}", type, pace.note(), e);
            }
            return null;
        }
    }

    @Override
    public <R> @Nullable Object receiveRequest(
            Context context,
            SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            Iterable<Map.Entry<String, String>> headers,
            TagExtractor<R> tags) {
        return call(() -> tracer.receiveRequest(context, kind, policy, request, operation, headers, tags));
    }

    @Override
    public <R> void sendResponse(
            Context context, @Nullable R response, Object span, @Nullable Throwable failure, TagExtractor<R> tags) {
        call(() -> {
            tracer.sendResponse(context, response, span, failure, tags);
            return null;
        });
    }

    @Override
    public <R> @Nullable Object sendRequest(
            Context context,
            SpanKind kind,
            TracingPolicy policy,
            R request,
            String operation,
            BiConsumer<String, String> headers,
            TagExtractor<R> tags) {
        return call(() -> tracer.sendRequest(context, kind, policy, request, operation, headers, tags));
    }

    @Override
    public <R> void receiveResponse(
            Context context, @Nullable R response, Object span, @Nullable Throwable failure, TagExtractor<R> tags) {
        call(() -> {
            tracer.receiveResponse(context, response, span, failure, tags);
            return null;
        });
    }
}
