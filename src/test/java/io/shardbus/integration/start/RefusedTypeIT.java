package io.shardbus.integration.start;

import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.AddAndGet;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.MessageExtractor;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A node whose only type the cluster does not take. */
class RefusedTypeIT {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    @DisplayName("It serves nothing, so it is not ready and says why, until the type is started as the cluster has it")
    void isNotReady() {
        EntityDefinition<CounterMessage> definition =
                EntityDefinition.of(CounterMessage.COUNTER, id -> new Counter()).withNumberOfShards(10);
        TestCluster.Node first = cluster.startNode(TestCluster.options());
        await(first.sharding().start(definition));
        TestCluster.Node second = cluster.startNode(TestCluster.options());
        var refusal = failure(second.sharding().start(definition.withNumberOfShards(12)));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        TestCluster.until(
                "it says so",
                () -> second.sharding().notReadyReasons().toString().contains("numberOfShards is 12 here and 10"));
        assertFalse(second.sharding().isReady());
        await(second.sharding().start(definition));
        assertEquals(List.of(), second.sharding().notReadyReasons());
        TestCluster.until("ready", () -> second.sharding().isReady());
        assertTrue(first.sharding().isReady());
    }

    /** The same shards, by another version of the rule. */
    private static final class OtherVersion implements MessageExtractor<CounterMessage> {
        @Override
        public String entityId(CounterMessage message) {
            throw new IllegalArgumentException("messages come in envelopes");
        }

        @Override
        public String version() {
            return "other-2";
        }
    }

    static Stream<Arguments> differences() {
        return Stream.of(
                Arguments.of(
                        Counter.definition().withRole("a").withMessageExtractor(new OtherVersion()),
                        "extractor's version is 'other-2' here and 'default-1' in the cluster"),
                Arguments.of(Counter.definition().withRole("b"), "the role is 'b' here and 'a' in the cluster"),
                Arguments.of(Counter.definition(), "the role is none here and 'a' in the cluster"));
    }

    @ParameterizedTest
    @MethodSource("differences")
    @DisplayName("CONF-01 a node whose extractor or role is another is refused before it hosts anything")
    void hostsNothing(EntityDefinition<CounterMessage> other, String difference) {
        var options = TestCluster.options().setRoles(List.of("a", "b")).setRebalanceIntervalMs(100);
        TestCluster.Node first = cluster.startNode(options);
        await(first.sharding().start(Counter.definition().withRole("a")));
        for (String id : Traffic.hundred("e")) {
            await(first.counter(id).ask(new AddAndGet(1)));
        }
        TestCluster.Node second = cluster.startNode(options);
        var refusal = failure(second.sharding().start(other));
        assertEquals(FailureCode.INCOMPATIBLE, refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).contains(difference), refusal::getMessage);
        assertEquals(Set.of(first.id()), await(first.sharding().regions(CounterMessage.COUNTER.name())));
        for (String id : Traffic.hundred("e")) {
            assertEquals(2, await(first.counter(id).ask(new AddAndGet(1))), "it has not moved");
        }
        await(second.sharding().start(Counter.definition().withRole("a")));
        assertEquals(Set.of(first.id(), second.id()), await(first.sharding().regions(CounterMessage.COUNTER.name())));
    }
}
