package io.shardbus.integration.leases;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.ShardRegion;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.spi.LeaseProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A provider of outside leases that does not answer, for one of two shards. */
class LateLeaseTest {
    private static final List<String> IDS =
            IntStream.range(0, 10).mapToObj(i -> "e" + i).toList();

    private final LoneNode node = new LoneNode(TestCluster.options()
            .setNumberOfShards(2)
            .setLanes(1)
            .setLeaseDurationMs(2_000)
            .setLeaseRetryIntervalMs(50));
    private final Promise<Boolean> acquired = Promise.promise();
    private final Promise<Void> released = Promise.promise();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile boolean answersAcquire = true;
    private volatile boolean answersRelease = true;
    private volatile @Nullable String slow;

    @AfterEach
    void close() {
        acquired.tryComplete(false);
        released.tryComplete();
        node.close();
    }

    private EntityDefinition<String> leased() {
        LeaseProvider provider = (name, owner) -> new LeaseProvider.ShardLease() {
            @Override
            public Future<Boolean> acquire(Consumer<Throwable> lost) {
                slow = slow == null ? name : slow;
                if (!name.equals(slow)) {
                    return Future.succeededFuture(true);
                }
                requests.add("acquire");
                return answersAcquire ? Future.succeededFuture(true) : acquired.future();
            }

            @Override
            public Future<Void> release() {
                if (!name.equals(slow)) {
                    return Future.succeededFuture();
                }
                requests.add("release");
                return answersRelease ? Future.succeededFuture() : released.future();
            }
        };
        return LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message))
                .withShardLeases(provider);
    }

    private static List<Future<String>> askAll(ShardRegion<String> region) {
        return IDS.stream().map(id -> ask(region.entityRef(id), id)).toList();
    }

    private static void awaitSome(List<Future<String>> answers) {
        until("the other shard answers", () -> answers.stream().anyMatch(Future::succeeded));
        assertTrue(answers.stream().anyMatch(answer -> !answer.isComplete()));
    }

    @Test
    void aRequestWithoutAnswerHoldsNoRegionAndWhatItObtainsLateIsGivenBack() {
        answersAcquire = false;
        EntityDefinition<String> definition = leased();
        ShardRegion<String> first = node.start(definition);
        awaitSome(askAll(first));
        until("it has failed", () -> await(first.state()).counters().getOrDefault("shard_lease_failures", 0L) > 1);
        await(first.leave());
        ShardRegion<String> second = node.start(definition);
        List<Future<String>> answers = askAll(second);
        awaitSome(answers);
        until("it has failed again", () -> await(second.state()).counters().containsKey("shard_lease_failures"));
        assertEquals(List.of("acquire"), requests, "one request at a time");
        answersAcquire = true;
        acquired.complete(true);
        answers.forEach(TestCluster::await);
        assertEquals(List.of("acquire", "release", "acquire"), requests);
    }

    @Test
    void aLeaseThatIsNotGivenBackHoldsNoRegion() {
        answersRelease = false;
        EntityDefinition<String> definition = leased();
        ShardRegion<String> first = node.start(definition);
        askAll(first).forEach(TestCluster::await);
        await(first.leave());
        ShardRegion<String> second = node.start(definition);
        List<Future<String>> answers = askAll(second);
        awaitSome(answers);
        until("it has failed", () -> await(second.state()).counters().containsKey("shard_lease_failures"));
        assertEquals(List.of("acquire", "release"), requests);
        released.complete();
        answers.forEach(TestCluster::await);
        assertEquals(List.of("acquire", "release", "acquire"), requests);
    }
}
