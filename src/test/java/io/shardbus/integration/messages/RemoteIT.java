package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityFailure;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.Fragile;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.start.BadInputTest;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an asker on another node sees: every message goes from a node that hosts nothing to the one that hosts all. */
class RemoteIT {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int MOST_BYTES = 100_000;
    private static TestCluster cluster;
    private static TestCluster.Node host;
    private static TestCluster.Node client;

    @BeforeAll
    static void open() {
        cluster = new TestCluster();
        host = cluster.startNode(TestCluster.options().addRole("host").setMaxPayloadBytes(MOST_BYTES));
        client = cluster.startNode(TestCluster.options().setMaxPayloadBytes(MOST_BYTES));
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    private static <M> EntityRef<M> remote(EntityDefinition<M> definition) {
        cluster.startType(definition.withRole("host"));
        return client.sharding().entityRef(definition.type(), "one");
    }

    private static long counted(String type, String counter) {
        return await(host.sharding().region(type).orElseThrow().state())
                .counters()
                .getOrDefault(counter, 0L);
    }

    @Test
    void theEntitysOwnCodeReachesTheAsker() {
        EntityRef<String> entity = remote(texts(id -> (message, context) -> switch (message) {
            case "throw" -> throw new IllegalStateException("thrown on request");
            case "refuse" -> throw new EntityFailure("E-42", "refused on request");
            case "fail" -> Future.failedFuture(new EntityFailure("E-43", "failed on request"));
            default -> Future.succeededFuture(message);
        }));
        ShardingException refused = failure(ask(entity, "refuse"));
        assertEquals(FailureCode.ENTITY_FAILED, refused.code());
        assertEquals("E-42", refused.entityCode());
        assertEquals("refused on request", refused.getMessage());
        assertEquals("E-43", failure(ask(entity, "fail")).entityCode());
        ShardingException thrown = failure(ask(entity, "throw"));
        assertEquals(FailureCode.ENTITY_FAILED, thrown.code());
        assertTrue(thrown.getMessage().contains("thrown on request"), thrown.getMessage());
        assertEquals("fine", await(ask(entity, "fine")));
    }

    @Test
    void theMailboxLimitReachesTheAsker() {
        Promise<Object> gate = Promise.promise();
        EntityRef<String> entity = remote(texts(id ->
                        (message, context) -> message.equals("wait") ? gate.future() : Future.succeededFuture(message))
                .withMailboxSize(2));
        assertEquals("0", await(ask(entity, "0")));
        List<Future<String>> answers = new ArrayList<>();
        for (String message : List.of("wait", "1", "2", "3")) {
            answers.add(ask(entity, message));
        }
        assertEquals(FailureCode.MAILBOX_FULL, failureCode(answers.get(3)));
        gate.complete("done");
        assertEquals("2", await(answers.get(2)));
    }

    @Test
    void aPayloadThatCannotBeWrittenOrReadFailsAloneAmongItsNeighbours() {
        EntityDefinition<Fragile> definition = EntityDefinition.of(
                        Fragile.TYPE, id -> (message, context) -> Future.succeededFuture(answer(message)))
                .withCodec(new Fragile.Codec());
        EntityRef<Fragile> entity = remote(definition);
        List<String> texts = List.of(
                "a",
                "unwritable",
                "b",
                "half written",
                "c",
                "endless",
                "unreadable",
                "d",
                "assertion",
                "x".repeat(200_000),
                "answer:unwritable",
                "answer:unreadable",
                "answer:half written",
                "answer:" + "x".repeat(99_000),
                "e");
        List<Future<Fragile>> answers = new ArrayList<>();
        for (String text : texts) {
            answers.add(entity.request(new Fragile(text), Fragile.class, SOON));
        }
        List<String> expected = List.of(
                "a",
                "PAYLOAD_NOT_ENCODABLE",
                "b",
                "PAYLOAD_NOT_ENCODABLE",
                "c",
                "PAYLOAD_NOT_ENCODABLE",
                "PAYLOAD_NOT_DECODABLE",
                "d",
                "PAYLOAD_NOT_DECODABLE",
                "PAYLOAD_TOO_LARGE",
                "PAYLOAD_NOT_ENCODABLE",
                "PAYLOAD_NOT_DECODABLE",
                "PAYLOAD_NOT_ENCODABLE",
                "PAYLOAD_TOO_LARGE",
                "e");
        assertEquals(expected, answers.stream().map(RemoteIT::outcome).toList());
        assertEquals(2, counted("fragile", "payload_not_decodable"));
    }

    private static Fragile answer(Fragile message) {
        String text = message.text();
        if (text.startsWith("answer:x")) {
            return new Fragile(text + text);
        }
        return text.startsWith("answer:") ? new Fragile(text.substring(7)) : message;
    }

    private static String outcome(Future<Fragile> answer) {
        try {
            return await(answer).text();
        } catch (ShardingException e) {
            return e.code().name();
        }
    }

    @Test
    void everyIdUpToTheLimitIsTheSameThere() {
        EntityDefinition<String> definition = texts(id -> (message, context) -> Future.succeededFuture(context.id()));
        remote(definition);
        for (String id : BadInputTest.longestIds()) {
            assertEquals(id, await(ask(client.sharding().entityRef(definition.type(), id), "x")));
        }
    }

    @Test
    void manyLargePayloadsGoThrough() {
        EntityRef<String> entity = remote(texts(id -> (message, context) -> Future.succeededFuture(message)));
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(ask(entity, i + "x".repeat(MOST_BYTES - 1000)));
        }
        for (int i = 0; i < 100; i++) {
            assertTrue(await(answers.get(i)).startsWith(i + "x"));
        }
    }

    @Test
    void asksEndAtTheirDeadline() {
        EntityDefinition<String> definition = texts(id ->
                (message, context) -> message.equals("hang") ? Promise.promise().future() : Future.succeededFuture());
        EntityRef<String> remote = remote(definition
                .withAskTimeout(Duration.ofMillis(400))
                .withHandoffTimeout(Duration.ofMillis(200))
                .withStopTimeout(Duration.ofMillis(200)));
        EntityRef<String> local = host.sharding().entityRef(definition.type(), "two");
        for (EntityRef<String> entity : List.of(remote, local)) {
            // how long a first message may take is not what is measured here
            await(ask(entity, "begin"));
            assertEnds(200, () -> entity.request("hang", String.class, Duration.ofMillis(200)));
            assertEnds(400, entity::start);
        }
    }

    private static void assertEnds(long deadline, Supplier<Future<?>> ask) {
        long begun = System.nanoTime();
        assertEquals(FailureCode.TIMED_OUT, failureCode(ask.get()));
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
        assertTrue(took >= deadline - 10 && took < deadline + 1000, "deadline " + deadline + ", took " + took);
    }

    @Test
    void aNodeWithAnotherNumberOfShardsIsRefusedAndOthersAreUnaffected() {
        EntityDefinition<String> definition = texts(id -> (message, context) -> Future.succeededFuture(message))
                .withNumberOfShards(10);
        await(host.sharding().start(definition));
        ShardingException refusal = failure(client.sharding().start(definition.withNumberOfShards(12)));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("numberOfShards is 12 here and 10 in the cluster: set it to 10"), text);
        assertEquals("x", await(ask(host.sharding().entityRef(definition.type(), "a"), "x")));
        TestCluster.until(
                "the refused region has left nothing behind",
                () -> !client.sharding()
                        .startedTypes()
                        .contains(definition.type().name()));
        await(client.sharding().start(definition));
        assertEquals("x", await(ask(client.sharding().entityRef(definition.type(), "a"), "x")));
    }

    /** An extractor of a version. */
    private record Versioned(String version) implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }
    }

    @Test
    void aNodeWithAnotherExtractorIsRefused() {
        EntityDefinition<String> definition = texts(id -> (message, context) -> Future.succeededFuture(message));
        ShardRegion<String> region = await(host.sharding().start(definition.withMessageExtractor(new Versioned("v1"))));
        ShardingException refusal =
                failure(client.sharding().start(definition.withMessageExtractor(new Versioned("v2"))));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        String text = String.valueOf(refusal.getMessage());
        assertTrue(text.contains("'v2' here and 'v1' in the cluster: use the same extractor"), text);
        assertEquals("a", await(region.ask("a", String.class, SOON)));
    }

    @Test
    void aSecondStartThatDiffersIsAnErrorAndChangesNothing() {
        EntityDefinition<String> definition = texts(id -> (message, context) -> Future.succeededFuture(message));
        EntityRef<String> entity = remote(definition);
        assertThrows(
                IllegalStateException.class,
                () -> await(client.sharding().start(definition.withRole("host").withMailboxSize(5))));
        assertEquals("x", await(ask(entity, "x")));
    }
}
