package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.LoneNode.failureCode;
import static io.shardbus.integration.LoneNode.newType;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Load on new and running entities of one node. The factor N is 1. */
class BufferTest {
    private static LoneNode node;

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options());
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static EntityDefinition<String> echo() {
        return texts(id -> (message, context) -> {
            if (message.equals("stop")) {
                context.passivate();
            }
            return Future.succeededFuture(message);
        });
    }

    private static void allAnswered(ShardRegion<String> region, int entities, int messages, String last) {
        List<Future<String>> answers = new ArrayList<>();
        List<String> sent = new ArrayList<>();
        for (int m = 0; m < messages; m++) {
            for (int e = 0; e < entities; e++) {
                String message = last != null && m == messages - 1 ? last : "m" + m;
                answers.add(ask(region.entityRef("e" + e), message));
                sent.add(message);
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            assertEquals(sent.get(i), await(answers.get(i)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("BUF-03 200 new entities, one message each: all answered")
    void oneMessageToEachNewEntity(boolean remembered) {
        allAnswered(node.start(echo().withRememberEntities(remembered)), 200, 1, null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("BUF-04 160 new entities, five messages each: all answered")
    void fiveMessagesToEachNewEntity(boolean remembered) {
        allAnswered(node.start(echo().withRememberEntities(remembered)), 160, 5, null);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("BUF-05 the same with a stop request at the end: all answered, then only the first entity is left")
    void fiveMessagesAndAStop(boolean remembered) {
        ShardRegion<String> region = node.start(echo().withRememberEntities(remembered));
        await(region.entityRef("the one that stays").start());
        allAnswered(region, 160, 6, "stop");
        TestCluster.until("one entity", () -> await(region.state()).entities() == 1);
        TestCluster.until("its id", () -> await(region.state()).remembered() == (remembered ? 1 : 0));
    }

    @Test
    @DisplayName("BUF-06 1,600 messages to ten running entities: all answered")
    void manyMessagesToRunningEntities() {
        ShardRegion<String> region = node.start(echo());
        allAnswered(region, 10, 1, null);
        allAnswered(region, 10, 160, null);
    }

    @RepeatedTest(20)
    void aFullRegionBufferRefusesAndKeepsWhatItHas() {
        AtomicInteger taken = new AtomicInteger();
        CompletableFuture<Void> allSent = new CompletableFuture<>();
        EntityType<String> type = newType();
        ShardingOptions options = TestCluster.options().setLanes(1).setMinimumMembers(1);
        try (LoneNode small = new LoneNode(options)) {
            ShardRegion<String> region = small.start(EntityDefinition.of(type, id -> (message, context) -> {
                        taken.incrementAndGet();
                        allSent.join();
                        return Future.succeededFuture(message);
                    })
                    .withBufferSize(10));
            List<Future<String>> answers = new ArrayList<>();
            EntityRef<String> entity = region.entityRef("a");
            for (int i = 0; i < 500; i++) {
                answers.add(ask(entity, "m" + i));
            }
            allSent.complete(null);
            int refused = 0;
            for (Future<String> answer : answers) {
                try {
                    await(answer);
                } catch (ShardingException e) {
                    assertEquals(FailureCode.REGION_BUFFER_FULL, e.code());
                    refused++;
                }
            }
            assertEquals(500, taken.get() + refused);
            assertEquals((long) refused, await(region.state()).counters().getOrDefault("region_buffer_full", 0L));
            assertEquals("later", await(ask(entity, "later")));
            assertTrue(taken.get() >= 10, () -> "taken " + taken.get());
            assertTrue(refused > 0, "the lane takes one message while 500 are sent: the buffer has room for ten");
            assertEquals(FailureCode.INVALID_ID, failureCode(region.ask("x", String.class, Duration.ofSeconds(1))));
        }
    }
}
