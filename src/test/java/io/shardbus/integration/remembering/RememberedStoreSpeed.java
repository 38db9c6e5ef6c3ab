package io.shardbus.integration.remembering;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.Await;
import io.shardbus.integration.BareCluster;
import io.shardbus.model.FencingToken;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.store.infinispan.InfinispanRememberedEntities;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The figures of docs/measurements/entities.md; runs only when named: mvn -Dquick test
 * -Dtest=RememberedStoreSpeed. Two nodes in one JVM.
 */
class RememberedStoreSpeed {
    private static final String TYPE = "counter";
    private static final int SHARDS = Integer.getInteger("speed.shards", 100);
    private static final int IDS = Integer.getInteger("speed.ids", 10_000);
    private static final int BATCH = 1_000;
    private static final int SINGLE = 2_000;

    @TempDir
    private Path parent;

    @Test
    void replicated() {
        try (var cluster = new BareCluster(2)) {
            var timeout = InfinispanRememberedEntities.DEFAULT_OPERATION_TIMEOUT.multipliedBy(6);
            var first = InfinispanRememberedEntities.replicated(cluster.startContainer(), timeout);
            var second = InfinispanRememberedEntities.replicated(cluster.startContainer(), timeout);
            Await.result(first.start());
            Await.result(second.start());
            measure("replicated", first, second);
        }
    }

    @Test
    void durable() {
        try (var nodes = new DurableNodes(parent, 2)) {
            nodes.start(0, 1);
            measure("durable", nodes.stores().get(0), nodes.stores().get(1));
            nodes.stop();
            long begin = System.nanoTime();
            nodes.start(0, 1);
            say("durable", "both nodes started again", begin, 0);
            open("durable, after a full restart", nodes.stores().get(1), 5);
        }
    }

    private static void measure(String mode, RememberedEntitiesStore first, RememberedEntitiesStore second) {
        open(mode + ", empty", first, 1);
        long begin = System.nanoTime();
        all(shard -> write(first, shard, 0));
        say(mode, "ids written, 1,000 in a batch, all shards at once", begin, (long) SHARDS * IDS);
        begin = System.nanoTime();
        Future<Void> singles = Future.succeededFuture();
        for (int i = 0; i < SINGLE; i++) {
            var id = Set.of("single-" + i);
            singles = singles.compose(done -> first.update(TYPE, 1, token(1), id, Set.of()));
        }
        Await.result(singles);
        say(mode, "ids written, one after the other", begin, SINGLE);
        open(mode + ", on the other node", second, 2);
    }

    private static Future<Void> write(RememberedEntitiesStore store, int shard, int from) {
        if (from >= IDS) {
            return Future.succeededFuture();
        }
        var batch = new HashSet<String>();
        for (int i = from; i < from + BATCH; i++) {
            batch.add("entity-" + shard + "-" + i);
        }
        return store.update(TYPE, shard, token(1), batch, Set.of()).compose(done -> write(store, shard, from + BATCH));
    }

    private static void open(String mode, RememberedEntitiesStore store, long sequence) {
        long begin = System.nanoTime();
        var ids = new AtomicLong();
        all(shard -> store.open(TYPE, shard, token(sequence)).map(found -> ids.addAndGet(found.size())));
        say(mode, "ids listed by opening " + SHARDS + " shards at once", begin, ids.get());
    }

    private static void all(IntFunction<Future<?>> operation) {
        var done = Future.join(IntStream.range(0, SHARDS).mapToObj(operation).toList());
        try {
            done.toCompletionStage().toCompletableFuture().get(5, TimeUnit.MINUTES);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        assertEquals(true, done.succeeded());
    }

    private static void say(String mode, String what, long begin, long count) {
        long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
        System.out.println(
                "SPEED " + mode + ": " + count + " " + what + " in " + millis + " ms, " + count * 1000 / millis + "/s");
    }

    private static FencingToken token(long sequence) {
        return new FencingToken(1, 1, sequence);
    }
}
