package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.shardbus.ClusterSharding;
import io.shardbus.ShardingException;
import io.shardbus.delivery.Delivery;
import io.shardbus.integration.Await;
import io.shardbus.metrics.ShardbusMetrics;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.Account.Deposit;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of persistent entities follow")
class StoreMetersTest {
    private final Vertx vertx = Vertx.vertx();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final UnsteadyStore store = new UnsteadyStore();
    private ClusterSharding sharding;

    @BeforeEach
    void start() {
        store.patience(300);
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        ShardbusMetrics.bind(sharding, registry, Duration.ofMillis(20));
        Await.result(sharding.start(Account.type().on(store)));
        Await.until(
                () -> "no meters of the type",
                () -> registry.find("shardbus.reminders.due").gauge() != null);
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private Future<Long> deposit(String id) {
        return sharding.entityRef(Account.TYPE, id).ask(new Deposit(1));
    }

    private long calls(String operation, String outcome) {
        return registry.get("shardbus.store.duration")
                .tags("type", "account", "operation", operation, "outcome", outcome)
                .timer()
                .count();
    }

    private double gauge(String name) {
        return registry.get("shardbus." + name).gauge().value();
    }

    @Test
    @DisplayName("calls of the store, and the lanes that it does not answer")
    void calls() {
        assertEquals(0, calls("append", "ok"));
        Await.result(deposit("a"));
        Await.result(deposit("a"));
        assertTrue(calls("open", "ok") >= 1 && calls("load", "ok") >= 1, registry::getMetersAsString);
        assertEquals(2, calls("append", "ok"));
        assertEquals(0, calls("append", "failed"));
        store.cut(true);
        assertThrows(ShardingException.class, () -> ClusterTestKit.await(deposit("a")));
        Await.until(() -> "lanes " + gauge("store.troubled.lanes"), () -> gauge("store.troubled.lanes") == 1);
        assertTrue(calls("append", "failed") >= 1, registry::getMetersAsString);
        var failures =
                registry.get("shardbus.store.failures").tag("type", "account").functionCounter();
        assertTrue(failures.count() >= 1, () -> "" + failures.count());
        store.cut(false);
        Await.until(() -> "lanes " + gauge("store.troubled.lanes"), () -> gauge("store.troubled.lanes") == 0);
    }

    @Test
    @DisplayName("events that a projection has not handled, as long as its worker runs")
    void lag() {
        var isHeld = new AtomicBoolean(true);
        Projection<Account.Event> projection = Projection.of(
                        "held",
                        Account.type(),
                        ProjectionHandler.<Account.Event>each(event ->
                                isHeld.get() ? Future.failedFuture("the test holds it") : Future.succeededFuture()))
                .withPollInterval(10);
        var workers = Await.result(Projections.create(vertx, sharding, store).start(projection));
        Await.result(deposit("a"));
        Await.result(deposit("b"));
        Await.until(
                registry::getMetersAsString,
                () -> registry.find("shardbus.projection.lag")
                                        .tag("projection", "held")
                                        .gauge()
                                != null
                        && gauge("projection.lag") == 2);
        isHeld.set(false);
        Await.until(() -> "lag " + gauge("projection.lag"), () -> gauge("projection.lag") == 0);
        assertEquals(0, gauge("projection.paused"));
        Await.result(Projections.create(vertx, sharding, store).pause(projection));
        Await.until(() -> "paused " + gauge("projection.paused"), () -> gauge("projection.paused") == 1);
        Await.result(workers.stop());
        Await.until(
                () -> "the meter stays",
                () -> registry.find("shardbus.projection.lag").gauge() == null);
    }

    @Test
    @DisplayName("deliveries that are not settled")
    void deliveries() {
        Await.result(deposit("a"));
        store.cut(true);
        try (var producer = Delivery.create(vertx, sharding).producer("p")) {
            var delivered = producer.deliver(
                    1, sharding.entityRef(Account.TYPE, "a"), new Deposit(1), refusal -> Future.failedFuture(refusal));
            Await.until(() -> "" + gauge("deliveries.unsettled"), () -> gauge("deliveries.unsettled") == 1);
            store.cut(false);
            Await.result(delivered);
            Await.until(() -> "" + gauge("deliveries.unsettled"), () -> gauge("deliveries.unsettled") == 0);
        }
    }
}
