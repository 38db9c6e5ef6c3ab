package io.shardbus.store.infinispan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.model.FencingToken;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ManyRememberedShardsTest {
    private static final int SHARDS = 1_000;
    private static final int BUCKETS = 16;
    private static final int DEEPEST = 200;

    @Test
    @DisplayName(
            "a type is removed in turns that are not nested, or tens of thousands of shards would overflow the stack")
    void removesATypeOfManyShards() throws IOException {
        try (var container = SavedFiles.localContainer()) {
            container.start();
            var store = InfinispanRememberedEntities.replicated(container, Duration.ofSeconds(30));
            Await.result(store.start());
            var cache = RememberedCache.obtain(container, null);
            var bytes = IdBucketCodec.encode(new IdBucket(FencingToken.NONE, Map.of(), StoredIds.of(Set.of("x"))));
            for (int shard = 0; shard < SHARDS; shard++) {
                for (int bucket = 0; bucket < BUCKETS; bucket++) {
                    cache.put(IdBucketCodec.key("many", shard, bucket), bytes);
                }
            }
            var removed = store.removeType("many");
            int depth = Await.result(removed.map(done -> Thread.currentThread().getStackTrace().length));
            assertTrue(depth < DEEPEST, "frames: " + depth);
            assertEquals((long) SHARDS * BUCKETS, removed.result());
            assertEquals(Set.of(), Await.result(store.shards("many")));
            Await.result(store.close());
        }
    }
}
