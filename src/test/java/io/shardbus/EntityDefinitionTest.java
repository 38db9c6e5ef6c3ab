package io.shardbus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.codec.PayloadCodecs;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.spi.AllocationStrategy;
import io.shardbus.spi.KafkaMessageExtractor;
import io.shardbus.spi.MessageExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntityDefinitionTest {
    private static final EntityType<String> TYPE = EntityType.of("echo", String.class);
    private static final EntityDefinition<String> PLAIN = plain();

    /** The definition with one part changed, each part once. */
    static List<EntityDefinition<String>> variants() {
        return List.of(
                EntityDefinition.of(EntityType.of("other", String.class), id -> echo()),
                PLAIN.withRole("backend"),
                PLAIN.withNumberOfShards(100),
                PLAIN.withMessageExtractor(message -> message),
                PLAIN.withMessageExtractor(KafkaMessageExtractor.by(message -> message)),
                PLAIN.withCodec(PayloadCodecs.forType(TYPE)),
                PLAIN.withStopMessage("stop"),
                PLAIN.withRestartPolicy(RestartPolicy.stop()),
                PLAIN.withRestartPolicy(RestartPolicy.restart().withLimit(3, Duration.ofSeconds(1))),
                PLAIN.withExecution(ExecutionModel.WORKER),
                PLAIN.withAllocationStrategy(new Nowhere()),
                PLAIN.withAskTimeout(Duration.ofMillis(1)),
                PLAIN.withStopTimeout(Duration.ofMillis(1)),
                PLAIN.withHandoffTimeout(Duration.ofMillis(10)),
                PLAIN.withRetryInterval(Duration.ofMillis(10)),
                PLAIN.withRebalanceInterval(Duration.ZERO),
                PLAIN.withMailboxSize(1),
                PLAIN.withBufferSize(1));
    }

    static Stream<Executable> outOfRange() {
        return Stream.of(
                () -> PLAIN.withRole(""),
                () -> PLAIN.withRole("a b"),
                () -> PLAIN.withNumberOfShards(0),
                () -> PLAIN.withNumberOfShards(65_537),
                () -> PLAIN.withAskTimeout(Duration.ZERO),
                () -> PLAIN.withAskTimeout(Duration.ofNanos(999_999)),
                () -> PLAIN.withAskTimeout(Duration.ofDays(1).plusMillis(1)),
                () -> PLAIN.withAskTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
                () -> PLAIN.withAskTimeout(Duration.ofSeconds(-5)),
                () -> PLAIN.withAskTimeout(Duration.ofSeconds(Long.MIN_VALUE)),
                () -> PLAIN.withStopTimeout(Duration.ofMinutes(11)),
                () -> PLAIN.withHandoffTimeout(Duration.ofMillis(9)),
                () -> PLAIN.withHandoffTimeout(Duration.ofHours(2)),
                () -> PLAIN.withRetryInterval(Duration.ofMillis(9)),
                () -> PLAIN.withRetryInterval(Duration.ofMinutes(1).plusMillis(1)),
                () -> PLAIN.withRebalanceInterval(Duration.ofMillis(-1)),
                () -> PLAIN.withRebalanceInterval(Duration.ofHours(1).plusMillis(1)),
                () -> PLAIN.withMailboxSize(0),
                () -> PLAIN.withMailboxSize(1_000_001),
                () -> PLAIN.withBufferSize(0),
                () -> PLAIN.withBufferSize(10_000_001));
    }

    @Test
    @DisplayName("START-09 the same definition again is equal with any factory")
    void equalWithoutTheFactory() {
        assertEquals(PLAIN, plain());
        assertEquals(PLAIN.hashCode(), plain().hashCode());
        var lambda = EntityDefinition.<String>of(TYPE, id -> (message, context) -> Future.succeededFuture());
        assertEquals(PLAIN, lambda);
    }

    @Test
    void equalWithoutTheFailureHandler() {
        var heard = PLAIN.withFailureHandler(report -> {});
        assertTrue(heard.withMailboxSize(5).failureHandler().isPresent());
        assertTrue(PLAIN.failureHandler().isEmpty());
        assertEquals(PLAIN, heard);
    }

    @Test
    void everyOtherPartMakesItUnequal() {
        var all = new HashSet<>(variants());
        all.add(PLAIN);
        assertEquals(variants().size() + 1, all.size());
        for (int i = 0; i < variants().size(); i++) {
            assertEquals(variants().get(i), variants().get(i));
            assertNotEquals(PLAIN, variants().get(i));
        }
    }

    @Test
    void extractorsDifferByClassAndVersion() {
        assertEquals(PLAIN.withMessageExtractor(new Versioned("1")), PLAIN.withMessageExtractor(new Versioned("1")));
        assertNotEquals(PLAIN.withMessageExtractor(new Versioned("1")), PLAIN.withMessageExtractor(new Versioned("2")));
    }

    @Test
    void isImmutable() {
        var before = PLAIN.toString();
        var changed = PLAIN.withRole("backend").withNumberOfShards(7);
        assertEquals(before, PLAIN.toString());
        assertEquals(Optional.of("backend"), changed.role());
        assertEquals(7, changed.numberOfShards().orElseThrow());
        assertEquals(Optional.of("backend"), changed.withMailboxSize(3).role());
    }

    @Test
    void tellsWhatIsNotSet() {
        assertEquals(Optional.empty(), PLAIN.role());
        assertTrue(PLAIN.numberOfShards().isEmpty());
        assertEquals(Optional.empty(), PLAIN.messageExtractor());
        assertEquals(Optional.empty(), PLAIN.codec());
        assertEquals(Optional.empty(), PLAIN.stopMessage());
        assertEquals(Optional.empty(), PLAIN.allocationStrategy());
        assertEquals(Optional.empty(), PLAIN.askTimeout());
        assertEquals(Optional.empty(), PLAIN.stopTimeout());
        assertEquals(Optional.empty(), PLAIN.handoffTimeout());
        assertEquals(Optional.empty(), PLAIN.retryInterval());
        assertEquals(Optional.empty(), PLAIN.rebalanceInterval());
        assertTrue(PLAIN.mailboxSize().isEmpty());
        assertTrue(PLAIN.bufferSize().isEmpty());
        assertEquals(RestartPolicy.restart(), PLAIN.restartPolicy());
        assertEquals(ExecutionModel.EVENT_LOOP, PLAIN.execution());
    }

    @Test
    void tellsWhatIsSet() {
        var extractor = new Versioned("1");
        var codec = PayloadCodecs.forType(TYPE);
        var strategy = new Nowhere();
        var timeout = Duration.ofMinutes(1);
        var full = PLAIN.withMessageExtractor(extractor)
                .withCodec(codec)
                .withStopMessage("stop")
                .withRestartPolicy(RestartPolicy.resume())
                .withExecution(ExecutionModel.VIRTUAL_THREAD)
                .withAllocationStrategy(strategy)
                .withAskTimeout(timeout)
                .withStopTimeout(timeout)
                .withHandoffTimeout(timeout)
                .withRetryInterval(timeout)
                .withRebalanceInterval(timeout)
                .withMailboxSize(5)
                .withBufferSize(6);
        assertEquals(Optional.of(extractor), full.messageExtractor());
        assertEquals(Optional.of(codec), full.codec());
        assertEquals(Optional.of("stop"), full.stopMessage());
        assertEquals(RestartPolicy.resume(), full.restartPolicy());
        assertEquals(ExecutionModel.VIRTUAL_THREAD, full.execution());
        assertEquals(Optional.of(strategy), full.allocationStrategy());
        assertEquals(Optional.of(timeout), full.askTimeout());
        assertEquals(Optional.of(timeout), full.stopTimeout());
        assertEquals(Optional.of(timeout), full.handoffTimeout());
        assertEquals(Optional.of(timeout), full.retryInterval());
        assertEquals(Optional.of(timeout), full.rebalanceInterval());
        assertEquals(5, full.mailboxSize().orElseThrow());
        assertEquals(6, full.bufferSize().orElseThrow());
        assertEquals(TYPE, full.type());
        assertFalse(full.factory().apply("1") == full.factory().apply("1"));
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void refusesAtOnceWhatIsOutOfRange(Executable call) {
        var message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.startsWith("entity type 'echo': option '"), message);
    }

    @Test
    void refusesNull() {
        assertThrows(NullPointerException.class, () -> EntityDefinition.of(TYPE, null));
        assertThrows(NullPointerException.class, () -> PLAIN.withStopMessage(null));
        assertThrows(NullPointerException.class, () -> PLAIN.withRole(null));
        assertThrows(NullPointerException.class, () -> PLAIN.withCodec(null));
    }

    private static EntityDefinition<String> plain() {
        return EntityDefinition.of(TYPE, id -> echo());
    }

    private static Entity<String> echo() {
        return new Entity<>() {
            @Override
            public Future<?> receive(String message, EntityContext<String> context) {
                return reply(message);
            }
        };
    }

    private record Versioned(String version) implements MessageExtractor<String> {
        @Override
        public String entityId(String message) {
            return message;
        }
    }

    private static final class Nowhere implements AllocationStrategy {
        @Override
        public Future<NodeId> allocateShard(int shard, NodeId requester, AllocationSnapshot snapshot) {
            return Future.failedFuture("nowhere");
        }

        @Override
        public Future<Set<Integer>> rebalance(AllocationSnapshot snapshot) {
            return Future.succeededFuture(Set.of());
        }
    }
}
