package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.shardbus.persistence.Account.Balance;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.persistence.Account.Message;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Persistent entities of three nodes")
@Tag("slow")
class PersistentEntitiesIT {
    private static final int ACCOUNTS = 20;
    private static final int SHARDS = 12;

    private final UnsteadyStore store = new UnsteadyStore();
    private final EntityDefinition<Message> definition = Account.type().on(store);

    @Test
    @DisplayName("have all that was answered, through a crash, a move and a store that is cut off")
    void moves() {
        try (var cluster = ClusterTestKit.start(3)) {
            store.cut(true);
            var refusal = assertThrows(
                    ShardingException.class,
                    () -> ClusterTestKit.await(cluster.node(0).sharding().start(definition)));
            assertEquals(FailureCode.STORE_UNAVAILABLE, refusal.code(), refusal.getMessage());
            store.cut(false);
            cluster.until("the start that failed is over", () -> starts(cluster.node(0)));
            cluster.startType(definition);
            var answered = new AtomicLongArray(ACCOUNTS);
            var sent = new AtomicLongArray(ACCOUNTS);
            deposit(cluster.node(0), answered, sent);
            cluster.kill(cluster.node(1));
            cluster.untilMembers(2, cluster.node(0));
            store.lose(UnsteadyStore.Loss.ANSWER);
            cluster.until("the account answers again", () -> deposit(cluster.node(0), answered, sent));
            Future<Void> left = cluster.leaving(cluster.node(1));
            while (!left.isComplete()) {
                deposit(cluster.node(0), answered, sent);
            }
            for (int i = 0; i < ACCOUNTS; i++) {
                long balance = ClusterTestKit.await(cluster.node(0)
                        .sharding()
                        .entityRef(Account.TYPE, "a" + i)
                        .ask(new Balance()));
                assertTrue(balance >= answered.get(i), "an answered deposit is missing in account " + i);
                assertTrue(balance <= sent.get(i), "a deposit is doubled in account " + i);
            }
        }
    }

    @Test
    @DisplayName("REM-22 REM-23 that are remembered live elsewhere without a message after a crash and after a leave,"
            + " with what they had stored")
    void comeBackWithWhatTheyStored() {
        try (var cluster = ClusterTestKit.start(3)) {
            cluster.startType(definition.withRememberEntities(true).withNumberOfShards(SHARDS));
            var ids = new TreeSet<String>();
            for (int i = 0; i < ACCOUNTS; i++) {
                ids.add("a" + i);
                ClusterTestKit.await(account(cluster.node(0), i).ask(new Deposit(i + 1)));
            }
            assertEquals(ids, live(cluster.node(0)));
            var crashed = cluster.node(1);
            cluster.until("the node that crashes has shards", () -> shardsAt(cluster.node(0), crashed) > 0);
            cluster.kill(crashed);
            cluster.untilMembers(2, cluster.node(0));
            cluster.until(
                    "all live after the crash", () -> live(cluster.node(0)).equals(ids));
            ClusterTestKit.await(cluster.leaving(cluster.node(1)));
            cluster.until(
                    "all live after the leave", () -> live(cluster.node(0)).equals(ids));
            for (int i = 0; i < ACCOUNTS; i++) {
                assertEquals(
                        i + 1, ClusterTestKit.await(account(cluster.node(0), i).ask(new Balance())));
            }
        }
    }

    @Test
    @DisplayName("are erased through any node, wherever their homes are")
    void erased() {
        try (var cluster = ClusterTestKit.start(3)) {
            cluster.startType(definition.withNumberOfShards(SHARDS));
            for (int i = 0; i < ACCOUNTS; i++) {
                ClusterTestKit.await(account(cluster.node(0), i).ask(new Deposit(i + 1)));
            }
            cluster.nodes()
                    .forEach(node -> cluster.until("each node is a home", () -> shardsAt(cluster.node(0), node) > 0));
            for (int i = 0; i < ACCOUNTS; i++) {
                var operations = cluster.node(i % 3).sharding().operations();
                ClusterTestKit.await(operations.erase(Account.TYPE.name(), "a" + i));
            }
            for (int i = 0; i < ACCOUNTS; i++) {
                assertEquals(0, ClusterTestKit.await(account(cluster.node(1), i).ask(new Balance())));
                assertEquals(7, ClusterTestKit.await(account(cluster.node(2), i).ask(new Deposit(7))));
            }
        }
    }

    private static EntityRef<Message> account(ClusterTestKit.Node through, int number) {
        return through.sharding().entityRef(Account.TYPE, "a" + number);
    }

    private static long shardsAt(ClusterTestKit.Node asked, ClusterTestKit.Node home) {
        return ClusterTestKit.await(asked.sharding().typeState(Account.TYPE.name())).shards().stream()
                .filter(shard -> shard.home().equals(home.id()))
                .count();
    }

    private static Set<String> live(ClusterTestKit.Node asked) {
        var ids = new TreeSet<String>();
        for (int shard = 0; shard < SHARDS; shard++) {
            // a home that has just gone answers nothing
            ids.addAll(ClusterTestKit.await(
                    asked.sharding().entityIds(Account.TYPE.name(), shard).otherwise(Set.of())));
        }
        return ids;
    }

    private boolean starts(ClusterTestKit.Node node) {
        try {
            ClusterTestKit.await(node.sharding().start(definition));
            return true;
        } catch (ShardingException e) {
            return false;
        }
    }

    /** One deposit into each account; whether all were answered. */
    private static boolean deposit(ClusterTestKit.Node through, AtomicLongArray answered, AtomicLongArray sent) {
        boolean all = true;
        for (int i = 0; i < ACCOUNTS; i++) {
            sent.incrementAndGet(i);
            try {
                ClusterTestKit.await(
                        through.sharding().entityRef(Account.TYPE, "a" + i).ask(new Deposit(1)));
                answered.incrementAndGet(i);
            } catch (ShardingException e) {
                all = false;
            }
        }
        return all;
    }
}
