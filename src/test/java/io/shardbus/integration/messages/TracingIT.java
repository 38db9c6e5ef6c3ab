package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ExecutionModel;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.TestCluster.Node;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.tracing.TracingPolicy;
import io.vertx.tracing.opentelemetry.OpenTelemetryOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A request that passes through entities of several nodes is one trace of the tracer that their Vertx has. */
class TracingIT {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final EntityType<String> RELAY = EntityType.of("relay", String.class);
    private static final EntityType<String> WORKER = EntityType.of("worker", String.class);
    private static final InMemorySpanExporter SPANS = InMemorySpanExporter.create();

    private static TestCluster cluster;
    private static HttpServer server;
    private static volatile Promise<String> began;
    private static volatile Promise<String> held;

    /** The shard is the number in the id, behind a letter. */
    private static final class ShardInId implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            throw new IllegalArgumentException("messages have references");
        }

        @Override
        public int shard(String entityId, int numberOfShards) {
            return Integer.parseInt(entityId.substring(1)) % numberOfShards;
        }

        @Override
        public String version() {
            return "shard-in-id";
        }
    }

    @BeforeAll
    static void start() {
        GlobalOpenTelemetry.resetForTest();
        GlobalOpenTelemetry.set(OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(SPANS))
                        .build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build());
        cluster = new TestCluster();
        for (int i = 0; i < 2; i++) {
            Node node = cluster.startNode(options(), TestCluster.freePort(), traced());
            await(node.sharding().start(definition(RELAY, node)));
            await(node.sharding().start(definition(WORKER, node).withExecution(ExecutionModel.WORKER)));
        }
        place(Map.of(1, 1, 2, 0, 3, 1, 4, 0, 6, 0));
        Node entry = cluster.node(0);
        server = await(entry.vertx()
                .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setTracingPolicy(TracingPolicy.ALWAYS))
                .requestHandler(request -> answer(entry, request.path())
                        .onComplete(answer -> request.response()
                                .end(answer.succeeded() ? answer.result() : "failed: " + answer.cause())))
                .listen(0));
    }

    private static ShardingOptions options() {
        return TestCluster.options()
                .setLanes(1)
                .setNumberOfShards(8)
                .setAllocationStrategy("external")
                .setTraceEntityIds(true)
                .setRebalanceIntervalMs(TimeUnit.HOURS.toMillis(1));
    }

    private static VertxOptions traced() {
        return new VertxOptions().setTracingOptions(new OpenTelemetryOptions());
    }

    private static EntityDefinition<String> definition(EntityType<String> type, Node node) {
        return EntityDefinition.of(type, id -> new Relay(type, node)).withMessageExtractor(new ShardInId());
    }

    /** Asks on along a path, "e2/e4", and answers with what comes back; e6 asks e3 when it starts. */
    private record Relay(EntityType<String> type, Node node) implements Entity<String> {
        @Override
        public Future<?> started(EntityContext<String> context) {
            return context.id().equals("e6") ? ask(node, type, "e3") : Future.succeededFuture();
        }

        @Override
        public Future<?> receive(String message, EntityContext<String> context) {
            return switch (message) {
                case "hold" -> {
                    began.complete();
                    yield held.future();
                }
                case "refuse" -> Future.failedFuture(new EntityFailure("no-more", "the relay refuses"));
                case "" -> Future.succeededFuture("end at " + context.id());
                default -> ask(node, type, message);
            };
        }
    }

    /** Asks the first entity of a path to ask the next. */
    private static Future<String> ask(Node node, EntityType<String> type, String path) {
        String[] steps = path.split("/", 2);
        return reference(node, type, steps[0]).request(steps.length > 1 ? steps[1] : "", String.class, LONG);
    }

    private static EntityRef<String> reference(Node node, EntityType<String> type, String id) {
        return node.sharding().entityRef(type, id);
    }

    private static Future<String> answer(Node node, String path) {
        if (path.equals("/state")) {
            return node.sharding().typeState(RELAY.name()).map(state -> "has " + state.type());
        }
        String[] parts = path.substring(1).split("/", 2);
        return ask(node, parts[0].equals("worker") ? WORKER : RELAY, parts[1]);
    }

    private static void place(Map<Integer, Integer> homes) {
        for (EntityType<String> type : List.of(RELAY, WORKER)) {
            await(cluster.node(0)
                    .sharding()
                    .externalAllocation(type.name())
                    .setHomes(homes.entrySet().stream()
                            .collect(Collectors.toMap(
                                    Map.Entry::getKey,
                                    home -> cluster.node(home.getValue()).id()))));
        }
    }

    @AfterAll
    static void close() {
        try {
            await(server.close());
            cluster.close();
        } finally {
            GlobalOpenTelemetry.resetForTest();
        }
    }

    @BeforeEach
    void forget() {
        SPANS.reset();
    }

    private static String get(String path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + server.actualPort() + "/" + path))
                    .timeout(LONG)
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The spans that ended, as a chain from the first to the last; fails if they are no chain. */
    private static List<SpanData> chain(int count) {
        until(count + " spans", () -> SPANS.getFinishedSpanItems().size() >= count);
        List<SpanData> spans = SPANS.getFinishedSpanItems();
        List<SpanData> chain = new ArrayList<>();
        String parent = SpanId.getInvalid();
        for (int i = 0; i < count; i++) {
            String of = parent;
            List<SpanData> children = spans.stream()
                    .filter(span -> span.getParentSpanId().equals(of))
                    .toList();
            assertEquals(1, children.size(), () -> summary(spans));
            chain.add(children.get(0));
            parent = children.get(0).getSpanId();
        }
        assertEquals(count, spans.size(), () -> summary(spans));
        assertEquals(1, spans.stream().map(SpanData::getTraceId).distinct().count(), () -> summary(spans));
        return chain;
    }

    private static String summary(List<SpanData> spans) {
        return spans.stream()
                .map(span -> span.getKind() + " " + span.getName() + " " + span.getSpanId() + " of "
                        + span.getParentSpanId() + " in " + span.getTraceId())
                .collect(Collectors.joining("; "));
    }

    private static List<String> tags(List<SpanData> spans, String tag) {
        return spans.stream()
                .map(span -> String.valueOf(span.getAttributes().get(AttributeKey.stringKey(tag))))
                .toList();
    }

    private static List<SpanKind> asks(int count) {
        return Stream.concat(
                        Stream.of(SpanKind.SERVER),
                        Stream.generate(() -> Stream.of(SpanKind.CLIENT, SpanKind.SERVER))
                                .limit(count)
                                .flatMap(pair -> pair))
                .toList();
    }

    @Test
    @DisplayName("a request, an ask and the entity's ask to another node are a trace, each span the child of the last")
    void followsAsks() {
        assertEquals("end at e2", get("relay/e1/e2"));
        List<SpanData> spans = chain(5);
        String here = cluster.node(0).id().value();
        String there = cluster.node(1).id().value();
        assertEquals(asks(2), spans.stream().map(SpanData::getKind).toList());
        assertEquals(List.of("null", here, there, there, here), tags(spans, "shardbus.node"));
        assertEquals(List.of("null", "e1", "e1", "e2", "e2"), tags(spans, "shardbus.entity.id"));
        assertEquals(List.of("null", "1", "1", "2", "2"), tags(spans, "shardbus.shard"));
        assertEquals("relay String", spans.get(1).getName());
    }

    @Test
    @DisplayName("entities on worker threads are in the trace of their message, and so are their asks")
    void followsWorkers() {
        assertEquals("end at e2", get("worker/e1/e2"));
        assertEquals(asks(2), chain(5).stream().map(SpanData::getKind).toList());
    }

    @Test
    @DisplayName("an ask that waits for the move of its shard ends in the same trace at the new home")
    void followsMoves() {
        hold();
        Future<String> blocked = ask(cluster.node(0), RELAY, "e4/hold");
        await(began.future());
        place(Map.of(4, 1));
        until(
                "the shard is leaving",
                () -> state().shards().stream()
                        .anyMatch(shard -> shard.shard() == 4 && shard.status() == TypeState.ShardStatus.HANDOFF));
        CompletableFuture<String> request = CompletableFuture.supplyAsync(() -> get("relay/e1/e4"));
        until("its message waits", () -> state().regions().stream().anyMatch(region -> region.buffered() > 0));
        held.complete("done");
        await(blocked);
        assertEquals("end at e4", request.join());
        List<SpanData> spans = chain(5);
        assertEquals(cluster.node(1).id().value(), tags(spans, "shardbus.node").get(4));
        place(Map.of(4, 0));
    }

    @Test
    @DisplayName("while an entity handles a message of a trace, others of its lane are in none")
    void leaksNothing() {
        hold();
        CompletableFuture<String> request = CompletableFuture.supplyAsync(() -> get("relay/e1/e2/hold"));
        await(began.future());
        assertEquals("end at e3", await(ask(cluster.node(0), RELAY, "e4/e3")));
        assertEquals("end at e4", await(ask(cluster.node(0), RELAY, "e3/e4")));
        assertEquals(List.of(), SPANS.getFinishedSpanItems());
        held.complete("done");
        assertEquals("done", request.join());
        chain(5);
        SPANS.reset();
        assertEquals("end at e2", await(ask(cluster.node(0), RELAY, "e1/e2")));
        assertEquals(List.of(), SPANS.getFinishedSpanItems());
    }

    @Test
    @DisplayName("an entity that a message of a trace makes start does so in no trace")
    void startsOutside() {
        assertEquals("end at e6", get("relay/e2/e6"));
        assertEquals(List.of("null", "e2", "e2", "e6", "e6"), tags(chain(5), "shardbus.entity.id"));
    }

    private static void hold() {
        began = Promise.promise();
        held = Promise.promise();
    }

    private static TypeState state() {
        return await(cluster.node(0).sharding().typeState(RELAY.name()));
    }

    @Test
    @DisplayName("a refusal is in the spans of the ask and of the entity, with its code")
    void saysCodes() {
        assertTrue(get("relay/e1/refuse").startsWith("failed"));
        List<SpanData> spans = chain(3);
        assertEquals(List.of("null", "ENTITY_FAILED", "ENTITY_FAILED"), tags(spans, "shardbus.code"));
        assertEquals("exception", spans.get(2).getEvents().get(0).getName());
    }

    @Test
    @DisplayName("what nodes say to each other is in no trace, also where a request asks for the state of a type")
    void hidesOwnTraffic() {
        assertEquals("has relay", get("state"));
        chain(1);
    }
}
