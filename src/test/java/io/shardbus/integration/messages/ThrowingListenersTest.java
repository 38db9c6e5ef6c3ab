package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.entity.StoreCall;
import io.shardbus.runtime.region.RegionCounters;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.spi.tracing.SpanKind;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import io.vertx.core.tracing.TracingOptions;
import io.vertx.core.tracing.TracingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Meters and tracers that throw where a lane, its store or the control plane calls them. */
@DisplayName("Where a listener of the application throws")
class ThrowingListenersTest {
    private static final int SHARDS = 10;

    private final List<String> heard = new CopyOnWriteArrayList<>();

    private final class Listed implements Entity<String> {
        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            heard.add(message);
            return Future.succeededFuture(message);
        }
    }

    private EntityDefinition<String> definition() {
        return LoneNode.texts(id -> new Listed()).withNumberOfShards(SHARDS);
    }

    private static long failures(ShardRegion<String> region) {
        return await(region.state()).counters().getOrDefault("metrics_failures", 0L);
    }

    /** Meters of a registry that take nothing. */
    private static final class FullMeters implements RegionCounters.SilenceListener, RegionCounters.DurationListener {
        @Override
        public void wasSilent(long millis, boolean moving) {
            throw new IllegalStateException("the registry is full");
        }

        @Override
        public void storeAnswered(StoreCall call, boolean succeeded, long nanos) {
            throw new IllegalStateException("the registry is full");
        }

        @Override
        public void homeNamed(long millis) {
            throw new IllegalStateException("the registry is full");
        }
    }

    @Test
    @DisplayName("messages to shards without a home are handled, and each exception is counted")
    void metersThatThrow() {
        try (LoneNode node = new LoneNode(new ShardingOptions().setLanes(1))) {
            ShardRegion<String> region = node.start(definition());
            FullMeters meters = new FullMeters();
            RegionCounters counters = ((RegionHandle<String>) region).counters();
            counters.listen((RegionCounters.SilenceListener) meters);
            counters.listen((RegionCounters.DurationListener) meters);
            AtomicInteger silences = new AtomicInteger();
            counters.listen((millis, moving) -> silences.incrementAndGet());
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 5 * SHARDS; i++) {
                answers.add(ask(region.entityRef("e" + i), "m" + i));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertEquals("m" + i, await(answers.get(i)));
            }
            until("all shards' waits are told to the next listener", () -> silences.get() == SHARDS);
            until("they are counted", () -> failures(region) >= 2 * SHARDS);
        }
    }

    /** A tracer that throws at each call, or at the ends of spans only. */
    private record Broken(boolean atEnds) implements VertxTracer<Object, Object> {
        private Object begun() {
            if (!atEnds) {
                throw new IllegalStateException("no exporter");
            }
            return "span";
        }

        @Override
        public <R> Object receiveRequest(
                Context context,
                SpanKind kind,
                TracingPolicy policy,
                R request,
                String operation,
                Iterable<Map.Entry<String, String>> headers,
                TagExtractor<R> tags) {
            return begun();
        }

        @Override
        public <R> Object sendRequest(
                Context context,
                SpanKind kind,
                TracingPolicy policy,
                R request,
                String operation,
                BiConsumer<String, String> headers,
                TagExtractor<R> tags) {
            return begun();
        }

        @Override
        public <R> void sendResponse(
                Context context, R response, Object span, Throwable failure, TagExtractor<R> tags) {
            throw new IllegalStateException("no exporter");
        }

        @Override
        public <R> void receiveResponse(
                Context context, R response, Object span, Throwable failure, TagExtractor<R> tags) {
            throw new IllegalStateException("no exporter");
        }
    }

    private void traced(boolean atEnds) {
        Vertx vertx = Vertx.builder()
                .with(new VertxOptions().setTracingOptions(new TracingOptions()))
                .withTracer(options -> new Broken(atEnds))
                .build();
        try {
            ShardingOptions options = new ShardingOptions().setTracingPolicy("always");
            ShardRegion<String> region =
                    await(ClusterSharding.create(vertx, options).start(definition()));
            EntityRef<String> entity = region.entityRef("one");
            entity.tell("told");
            assertEquals("asked", await(ask(entity, "asked")));
            assertEquals(List.of("told", "asked"), heard);
            assertTrue(failures(region) > 0);
        } finally {
            await(vertx.close());
        }
    }

    @Test
    @DisplayName("messages whose spans cannot begin are handled")
    void aTracerThatBeginsNothing() {
        traced(false);
    }

    @Test
    @DisplayName("messages whose spans cannot end are answered, and not taken for failed")
    void aTracerThatEndsNothing() {
        traced(true);
    }
}
