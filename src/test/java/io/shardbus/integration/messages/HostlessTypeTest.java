package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingException;
import io.shardbus.integration.LogLines;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A type that this node only reaches, and that no node hosts. */
class HostlessTypeTest {
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
        return texts(id -> (message, context) -> message.equals("x")
                ? Future.succeededFuture(message)
                : context.vertx().timer(200).map(message));
    }

    private static ShardingException late(EntityRef<String> entity, String message, Duration timeout) {
        ShardingException late = failure(entity.request(message, String.class, timeout));
        assertEquals(FailureCode.TIMED_OUT, late.code());
        return late;
    }

    @Test
    void theOperatorAndTheAskerHearOfIt() {
        EntityDefinition<String> definition = echo().withRole("backend");
        String name = definition.type().name();
        String unhosted = "no node hosts '" + name + "' (role backend)";
        try (LogLines log = new LogLines("io.shardbus.runtime.node.HostSearch")) {
            EntityRef<String> entity = node.startOne(definition);
            assertEquals(
                    name + "/one has not answered in 4000 ms, asked String: " + unhosted,
                    late(entity, "x", Duration.ofSeconds(4)).getMessage());
            late(entity, "x", Duration.ofMillis(1500));
            assertEquals(List.of("WARN type=" + name + ": " + unhosted + ": messages stay buffered"), log.with(name));
        }
    }

    @Test
    void nothingIsSaidOnceSomebodyHostsIt() {
        EntityDefinition<String> definition = echo();
        try (LogLines log = new LogLines("io.shardbus.runtime.node.HostSearch")) {
            ShardRegion<String> proxy = await(node.sharding().startProxy(definition));
            Future<String> asked = proxy.entityRef("a").request("x", String.class, Duration.ofSeconds(20));
            TestCluster.until(
                    "the warning", () -> !log.with(definition.type().name()).isEmpty());
            await(node.sharding().start(definition));
            assertEquals("x", await(asked));
            String late =
                    late(proxy.entityRef("a"), "slow", Duration.ofMillis(50)).getMessage();
            assertTrue(late.endsWith(" ms, asked String"), late);
        }
    }
}
