package io.shardbus.store.infinispan;

import io.shardbus.fuzz.Mutants;
import io.shardbus.model.FencingToken;
import io.shardbus.store.UnreadableRecordException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HostileBucketTest {
    private static final Set<Class<?>> REFUSALS = Set.of(UnreadableRecordException.class);

    @Test
    void bucketsWithMistakesAreReadOrRefused() {
        IdBucket bucket = new IdBucket(
                new FencingToken(7, 8, 9), Map.of("life", 3L, "other", 1L), StoredIds.of(Set.of("a", "b", "entity-3")));
        new Mutants(List.of(IdBucketCodec.encode(IdBucket.EMPTY), IdBucketCodec.encode(bucket)))
                .decode(IdBucketCodec::decode, REFUSALS, read -> read.ids().toSet());
    }

    @Test
    void keysWithMistakesAreReadOrRefused() {
        List<byte[]> real = List.of(IdBucketCodec.key("cart", 3, 5), IdBucketCodec.key("a-type-of-entities", 299, 0));
        new Mutants(real).decode(IdBucketCodec::key, REFUSALS, read -> {});
    }
}
