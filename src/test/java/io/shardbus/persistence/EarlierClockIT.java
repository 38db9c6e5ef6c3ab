package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.SharedStore;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.StoreIdentity;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A cluster whose clock was set back over a full stop")
@Tag("slow")
class EarlierClockIT {
    private static final long AN_HOUR = 3_600_000;
    private static final int NODES = 2;

    private final MemoryStore store = MemoryStore.create();
    private final EntityDefinition<Message> definition = Account.type().on(store);
    private final FencingToken later = new FencingToken(System.currentTimeMillis() + AN_HOUR, 1, 1);

    private EntityRef<Message> account(ClusterTestKit cluster) {
        return cluster.node(0).sharding().entityRef(Account.TYPE, "a");
    }

    @Test
    @DisplayName("takes terms above those of its store, and goes on with what is stored")
    void goesOn() {
        try (var before = ClusterTestKit.start(1).startType(definition)) {
            assertEquals(5, ClusterTestKit.await(account(before).ask(new Deposit(5))));
        }
        raise();
        goesOnAbove(definition);
    }

    @Test
    @DisplayName("takes terms above those of its store, though its nodes asked it before another cluster raised them")
    void goesOnThoughTheStoreWasRaisedMeanwhile() {
        try (var before = ClusterTestKit.start(1).startType(definition)) {
            assertEquals(5, ClusterTestKit.await(account(before).ask(new Deposit(5))));
        }
        SharedStore early = shared(ClusterTestKit.await(store.start()));
        raise();
        var calls = new AtomicInteger();
        goesOnAbove(definition.withSharedStore(() -> calls.incrementAndGet() <= NODES
                ? Future.succeededFuture(early)
                : store.start().map(EarlierClockIT::shared)));
    }

    private static SharedStore shared(StoreIdentity identity) {
        return new SharedStore(identity.id(), "a store", identity.highestTerm());
    }

    /** As a cluster leaves the store whose clock is an hour ahead. */
    private void raise() {
        List<LogOpening> all = IntStream.range(0, ShardingOptions.DEFAULT_NUMBER_OF_SHARDS)
                .mapToObj(shard -> new LogOpening(new StoredType(1, 1), shard, later))
                .toList();
        ClusterTestKit.await(store.connect(null).open(all)).forEach(log -> assertTrue(log instanceof OpenedLog.Open));
    }

    private void goesOnAbove(EntityDefinition<Message> hosted) {
        try (var cluster = ClusterTestKit.start(NODES)) {
            List<Future<ShardRegion<Message>>> starts = IntStream.range(0, NODES)
                    .mapToObj(node -> cluster.node(node).sharding().start(hosted))
                    .toList();
            ClusterTestKit.await(Future.all(starts));
            assertEquals(5, ClusterTestKit.await(account(cluster).ask(new Balance())));
            assertEquals(12, ClusterTestKit.await(account(cluster).ask(new Deposit(7))));
            assertTrue(
                    ClusterTestKit.await(store.start()).highestTerm() > later.term(), "the token is of a higher term");
        }
    }
}
