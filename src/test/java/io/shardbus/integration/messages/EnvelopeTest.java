package io.shardbus.integration.messages;

import static io.shardbus.integration.LoneNode.failure;
import static io.shardbus.integration.LoneNode.texts;
import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.FailureCode;
import io.shardbus.spi.EnvelopeExtractor;
import io.shardbus.spi.HashCodeMessageExtractor;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages in envelopes of the program's own, and the shards that hash codes give. */
class EnvelopeTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static LoneNode node;

    /** An envelope of the program. */
    private record Letter(@Nullable String to, String text) {}

    @BeforeAll
    static void open() {
        node = new LoneNode(TestCluster.options().setSerializeLocal(true));
    }

    @AfterAll
    static void close() {
        node.close();
    }

    private static EntityDefinition<String> letters() {
        return texts(id -> (message, context) -> Future.succeededFuture(id + " got " + message))
                .withMessageExtractor(EnvelopeExtractor.of(Letter.class, Letter::to, Letter::text));
    }

    @Test
    @DisplayName("START-13 TYPED-01 an envelope of the user's own says the id, and the entity gets what is inside;"
            + " the standard envelope and start requests do as before")
    void opensEnvelopes() {
        ShardRegion<String> region = node.start(letters());
        assertEquals("a got hello", await(region.ask(new Letter("a", "hello"), String.class, LONG)));
        assertEquals("b got you", await(region.ask(new ShardingEnvelope<>("b", "you"), String.class, LONG)));
        region.tell(new StartEntity("c"));
        region.tell(new Letter("a", "told"));
        TestCluster.until(
                "all three live",
                () -> await(region.entityIds()).values().stream()
                        .flatMap(Set::stream)
                        .collect(Collectors.toSet())
                        .equals(Set.of("a", "b", "c")));
    }

    @Test
    void saysWhichClassHasNoIdOrNoEnvelope() {
        ShardRegion<String> region = node.start(letters());
        ShardingException noId = failure(region.ask(new Letter(null, "lost"), String.class, LONG));
        assertEquals(FailureCode.INVALID_ID, noId.code());
        assertTrue(noId.getMessage().contains(Letter.class.getName()), noId.getMessage());
        ShardingException bare = assertThrows(ShardingException.class, () -> region.tell("bare"));
        assertEquals(FailureCode.INVALID_MESSAGE, bare.code());
        assertTrue(bare.getMessage().contains("java.lang.String"), bare.getMessage());
        assertTrue(bare.getMessage().contains(Letter.class.getName()), bare.getMessage());
        ShardRegion<String> plain = node.start(texts(id -> (message, context) -> Future.succeededFuture(message)));
        ShardingException noExtractor = assertThrows(ShardingException.class, () -> plain.tell("bare"));
        assertTrue(noExtractor.getMessage().startsWith("java.lang.String"), noExtractor.getMessage());
        ShardingException other = assertThrows(ShardingException.class, () -> plain.tell(new Letter("a", "b")));
        assertTrue(other.getMessage().contains(Letter.class.getName()), other.getMessage());
    }

    @Test
    @DisplayName("The shards of a region and the ids in them come in one answer")
    void tellsShardsAndIdsTogether() {
        ShardRegion<String> region = node.start(texts(id -> (message, context) -> Future.succeededFuture(message))
                .withNumberOfShards(7)
                .withMessageExtractor(HashCodeMessageExtractor.by(text -> text)));
        assertEquals(Map.of(), await(region.entityIds()));
        for (String id : List.of("0", "1", "7")) {
            await(region.ask(id, String.class, LONG));
        }
        assertEquals(Map.of(48 % 7, Set.of("0", "7"), 49 % 7, Set.of("1")), await(region.entityIds()));
    }

    @ParameterizedTest
    @CsvSource({"a, 97", "entity-1, 793", "polygenelubricants, 648", "Müller, 916"})
    @DisplayName("The shard by hash code is that of the hash's amount, also where this has no positive number")
    void shardsByHashCode(String id, int shardOfThousand) {
        assertEquals(shardOfThousand, HashCodeMessageExtractor.shardOf(id, 1000));
    }
}
