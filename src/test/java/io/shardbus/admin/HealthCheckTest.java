package io.shardbus.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HealthCheckTest {
    private static final Duration LIMIT = Duration.ofMillis(100);
    private static final List<String> HEALTHY = List.of();
    private static final List<String> UNHEALTHY = List.of("counter");

    private final List<String> asked = new ArrayList<>();
    private Function<String, Future<Boolean>> region = type -> Future.succeededFuture(false);
    private boolean member = true;
    private long millis;

    @Test
    @DisplayName("QUERY-01 no type names: healthy, nothing is asked")
    void isHealthyWithoutTypes() {
        assertEquals(HEALTHY, result(check(Set.of())));
        assertEquals(List.of(), asked);
    }

    @Test
    @DisplayName("QUERY-02 the region says registered: healthy; not registered: not healthy")
    void followsTheRegion() {
        assertEquals(UNHEALTHY, result(check(Set.of("counter"))));
        region = type -> Future.succeededFuture(true);
        assertEquals(HEALTHY, result(check(Set.of("counter"))));
    }

    @Test
    @DisplayName("QUERY-03 no answer within the limit, or a failed one: not healthy, no exception")
    void isUnhealthyWithoutAnAnswer() {
        region = type -> Promise.<Boolean>promise().future();
        assertEquals(UNHEALTHY, result(check(Set.of("counter"))));
        region = type -> Future.failedFuture("gone");
        assertEquals(UNHEALTHY, result(check(Set.of("counter"))));
    }

    @Test
    @DisplayName("QUERY-04 after one healthy result the next check is healthy without asking")
    void staysHealthyWithoutAsking() {
        var check = check(Set.of("counter"));
        region = type -> Future.succeededFuture(true);
        assertEquals(HEALTHY, result(check));
        region = type -> Future.succeededFuture(false);
        asked.clear();
        assertEquals(HEALTHY, result(check));
        assertEquals(List.of(), asked);
    }

    @Test
    @DisplayName("QUERY-05 before membership, checks ask and fail however long")
    void gracesOnlyMembers() {
        var check = check(Set.of("counter"));
        member = false;
        for (millis = 0; millis <= 10_000; millis += 1000) {
            asked.clear();
            assertEquals(UNHEALTHY, result(check));
            assertEquals(List.of("counter"), asked);
        }
    }

    @Test
    @DisplayName("QUERY-05 the first check as a member starts the clock, asks and fails; after the grace"
            + " time: healthy without asking")
    void isHealthyAfterTheGraceTime() {
        var check = check(Set.of("counter"));
        millis = 5000;
        assertEquals(UNHEALTHY, result(check));
        millis = 5099;
        assertEquals(UNHEALTHY, result(check));
        assertEquals(List.of("counter", "counter"), asked);
        millis = 5100;
        assertEquals(HEALTHY, result(check));
        assertEquals(List.of("counter", "counter"), asked);
    }

    @Test
    void namesTheTypesThatAreNotRegistered() {
        region = type -> Future.succeededFuture(type.equals("b"));
        assertEquals(List.of("a", "c"), result(check(Set.of("c", "a", "b"))));
    }

    private HealthCheck check(Set<String> types) {
        return HealthCheck.of(new Node(), () -> TimeUnit.MILLISECONDS.toNanos(millis))
                .types(types)
                .timeout(LIMIT)
                .grace(LIMIT)
                .build();
    }

    private static List<String> result(HealthCheck check) {
        return check.check().toCompletionStage().toCompletableFuture().join();
    }

    private final class Node implements HealthCheck.Node {
        @Override
        public boolean isMember() {
            return member;
        }

        @Override
        public Future<Boolean> isRegistered(String type) {
            asked.add(type);
            return region.apply(type);
        }
    }
}
