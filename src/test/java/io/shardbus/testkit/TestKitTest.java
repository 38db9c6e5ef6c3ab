package io.shardbus.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.ClusterSharding;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.ShardRegion;
import io.shardbus.ShardingEnvelope;
import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.delivery.Delivery;
import io.shardbus.model.CommandId;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TestKitTest {
    private static final Duration SOON = Duration.ofSeconds(1);

    sealed interface Account {}

    record Deposit(long amount) implements Account {}

    record Balance() implements Account, Ask<Long> {}

    private static final EntityType<Account> ACCOUNT = EntityType.of("account", Account.class);

    /** Code under test: knows nothing of tests. */
    private record Teller(ClusterSharding sharding) {
        Future<Long> deposit(String account, long amount) {
            EntityRef<Account> entity = sharding.entityRef(ACCOUNT, account);
            entity.tell(new Deposit(amount));
            return entity.ask(new Balance());
        }
    }

    @Test
    @DisplayName("TYPED-04 a tell through a test reference reaches the test, an ask is answered by the test")
    void leadsToTheTest() {
        TestEntityRef<Account> reference =
                TestEntityRef.of(ACCOUNT, "a").answering(message -> Future.succeededFuture(42L));
        reference.tell(new Deposit(1));
        assertEquals(42L, reference.ask(new Balance()).result());
        assertEquals(42L, reference.request(new Balance(), Long.class, SOON).result());
        assertEquals(List.of(new Deposit(1), new Balance(), new Balance()), reference.received());
        assertEquals("a", reference.start().result().id());
    }

    @Test
    void refusesIdsThatNoEntityCanHave() {
        for (String id : List.of("", "x".repeat(1025), "a\0b", "\ud800")) {
            ShardingException refusal = assertThrows(
                    ShardingException.class, () -> TestSharding.create().entityRef(ACCOUNT, id));
            assertEquals(FailureCode.INVALID_ID, refusal.code());
        }
    }

    @Test
    void asksWithoutAnAnswerFail() {
        TestEntityRef<Account> reference = TestEntityRef.of(ACCOUNT, "a");
        ShardingException failure = assertThrows(
                ShardingException.class,
                () -> reference.ask(new Balance(), SOON).await());
        assertEquals(FailureCode.TIMED_OUT, failure.code());
    }

    @Test
    @DisplayName("TYPED-05 code under test gets the test's reference from a stubbed sharding in place of a real one")
    void replacesTheSharding() {
        TestEntityRef<Account> account =
                TestEntityRef.of(ACCOUNT, "a").answering(message -> Future.succeededFuture(7L));
        TestSharding sharding = TestSharding.create().with(account);
        assertEquals(7L, new Teller(sharding).deposit("a", 5).result());
        assertEquals(List.of(new Deposit(5), new Balance()), account.received());
        assertTrue(new Teller(sharding).deposit("b", 5).failed());
        assertEquals(2, sharding.entityRef(ACCOUNT, "b").received().size());
        assertSame(account, sharding.entityRef(ACCOUNT, "a"));
    }

    @Test
    void answersCommandsWithIdsAndDeliveries() {
        TestEntityRef<Account> account =
                TestEntityRef.of(ACCOUNT, "a").answering(message -> Future.succeededFuture(7L));
        Vertx vertx = Vertx.vertx();
        try {
            Delivery delivery = Delivery.create(vertx, TestSharding.create().with(account));
            CommandId id = new CommandId("k", 1);
            assertEquals(7L, ClusterTestKit.await(delivery.ref(ACCOUNT, "a").ask(new Balance(), id, SOON)));
            assertEquals(
                    7L, ClusterTestKit.await(delivery.ref(ACCOUNT, "a").request(new Balance(), Long.class, id, SOON)));
            ClusterTestKit.await(delivery.producer("p").deliver(1, account, new Deposit(5), Future::failedFuture));
            assertEquals(List.of(new Balance(), new Balance(), new Deposit(5)), account.received());
        } finally {
            ClusterTestKit.await(vertx.close());
        }
    }

    @Test
    void regionsLeadToTheTestToo() {
        TestSharding sharding = TestSharding.create();
        ShardRegion<Account> region = sharding.start(EntityDefinition.of(ACCOUNT, id -> {
                    throw new AssertionError("no entity is made");
                }))
                .result();
        assertEquals(Set.of("account"), sharding.startedTypes());
        assertTrue(region.ready().succeeded());
        region.tell(new ShardingEnvelope<>("x", new Deposit(3)));
        assertEquals(List.of(new Deposit(3)), sharding.entityRef(ACCOUNT, "x").received());
        EntityLocation started =
                region.ask(new StartEntity("x"), EntityLocation.class, SOON).result();
        assertEquals(started, sharding.locate("account", "x").result().orElseThrow());
        region.leave();
        assertEquals(Set.of(), sharding.startedTypes());
    }
}
