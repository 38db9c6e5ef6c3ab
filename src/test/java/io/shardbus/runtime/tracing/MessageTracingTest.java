package io.shardbus.runtime.tracing;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.tracing.opentelemetry.OpenTelemetryOptions;
import io.vertx.tracing.opentelemetry.OpenTelemetryTracingFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MessageTracingTest {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final Vertx vertx = Vertx.builder()
            .with(new VertxOptions().setTracingOptions(new OpenTelemetryOptions()))
            .withTracer(new OpenTelemetryTracingFactory(OpenTelemetrySdk.builder()
                    .setTracerProvider(SdkTracerProvider.builder()
                            .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                            .build())
                    .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                            W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
                    .build()))
            .build();

    @AfterEach
    void close() {
        await(vertx.close());
    }

    /** Sets a timer on "timer", and answers "ring" of it. */
    private static final class Clock implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            if (message.equals("timer")) {
                context.setTimer(Duration.ofMillis(1), "ring");
            }
            return Future.succeededFuture(message);
        }
    }

    private EntityRef<String> clock(ShardingOptions options) {
        EntityDefinition<String> definition = LoneNode.texts(id -> new Clock());
        return await(ClusterSharding.create(vertx, options).start(definition)).entityRef("one");
    }

    @Test
    @DisplayName("without a tracer, and where the options ignore it, there is nothing that traces")
    void isAbsent() {
        NodeId node = new NodeId("a");
        Vertx plain = Vertx.vertx();
        assertNull(MessageTracing.of(plain, new ShardingOptions().setTracingPolicy("always"), "t", node));
        assertNull(MessageTracing.of(vertx, new ShardingOptions().setTracingPolicy("ignore"), "t", node));
        assertNotNull(MessageTracing.of(vertx, new ShardingOptions(), "t", node));
        await(plain.close());
    }

    @Test
    @DisplayName("a message that is sent in no trace has no span, unless all have one")
    void propagatesOnly() {
        assertEquals("hello", await(LoneNode.ask(clock(new ShardingOptions()), "hello")));
        assertEquals(List.of(), exporter.getFinishedSpanItems());
    }

    @Test
    @DisplayName("with the policy always a tell, its handling and the timers of its entity have spans, without the id")
    void tracesAll() {
        clock(new ShardingOptions().setTracingPolicy("always")).tell("timer");
        until("3 spans", () -> exporter.getFinishedSpanItems().size() >= 3);
        List<SpanData> spans = exporter.getFinishedSpanItems();
        SpanData told = one(spans, span -> span.getKind() == SpanKind.PRODUCER);
        SpanData handled = one(spans, span -> span.getParentSpanId().equals(told.getSpanId()));
        SpanData rung = one(
                spans,
                span -> span.getKind() == SpanKind.CONSUMER
                        && span.getParentSpanId().equals(SpanId.getInvalid()));
        assertEquals(3, spans.size());
        assertEquals(SpanKind.CONSUMER, handled.getKind());
        assertEquals("String", rung.getAttributes().get(AttributeKey.stringKey("shardbus.message")));
        assertNull(handled.getAttributes().get(AttributeKey.stringKey("shardbus.entity.id")));
    }

    private static SpanData one(List<SpanData> spans, Predicate<SpanData> which) {
        List<SpanData> found = spans.stream().filter(which).toList();
        assertEquals(1, found.size(), spans::toString);
        return found.get(0);
    }
}
