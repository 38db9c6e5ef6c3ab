package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Message;
import io.shardbus.persistence.spi.LogOpening;
import io.shardbus.persistence.spi.OpenedLog;
import io.shardbus.persistence.spi.StoredType;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A cluster whose clock was set back over a full stop")
@Tag("slow")
class EarlierClockIT {
    private static final long AN_HOUR = 3_600_000;

    private final MemoryStore store = MemoryStore.create();
    private final EntityDefinition<Message> definition = Account.type().on(store);

    private EntityRef<Message> account(ClusterTestKit cluster) {
        return cluster.node(0).sharding().entityRef(Account.TYPE, "a");
    }

    @Test
    @DisplayName("takes terms above those of its store, and goes on with what is stored")
    void goesOn() {
        try (var before = ClusterTestKit.start(1).startType(definition)) {
            assertEquals(5, ClusterTestKit.await(account(before).ask(new Deposit(5))));
        }
        // as a cluster leaves it whose clock is an hour ahead
        var later = new FencingToken(System.currentTimeMillis() + AN_HOUR, 1, 1);
        List<LogOpening> all = IntStream.range(0, ShardingOptions.DEFAULT_NUMBER_OF_SHARDS)
                .mapToObj(shard -> new LogOpening(new StoredType(1, 1), shard, later))
                .toList();
        ClusterTestKit.await(store.connect(null).open(all)).forEach(log -> assertTrue(log instanceof OpenedLog.Open));
        try (var cluster = ClusterTestKit.start(2)) {
            List<Future<ShardRegion<Message>>> starts = IntStream.range(0, 2)
                    .mapToObj(node -> cluster.node(node).sharding().start(definition))
                    .toList();
            ClusterTestKit.await(Future.all(starts));
            assertEquals(5, ClusterTestKit.await(account(cluster).ask(new Balance())));
            assertEquals(12, ClusterTestKit.await(account(cluster).ask(new Deposit(7))));
            assertTrue(
                    ClusterTestKit.await(store.start()).highestTerm() > later.term(), "the token is of a higher term");
        }
    }
}
