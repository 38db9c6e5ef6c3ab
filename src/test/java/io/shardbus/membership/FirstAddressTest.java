package io.shardbus.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirstAddressTest {
    private final Queue<Future<Void>> outcomes = new ArrayDeque<>();

    private Future<Void> published() {
        return FirstAddress.publish(outcomes::remove);
    }

    private static Future<Void> late() {
        return Future.failedFuture(new CompletionException(new TimeoutException("no answer of n2")));
    }

    @Test
    @DisplayName("a publication that times out is tried again")
    void isTriedAgain() {
        outcomes.addAll(List.of(late(), late(), Future.succeededFuture()));
        assertTrue(published().succeeded());
        assertEquals(0, outcomes.size());
    }

    @Test
    @DisplayName("the last of four tries decides")
    void endsWithTheLastTry() {
        var last = new TimeoutException("no answer of n3");
        outcomes.addAll(List.of(late(), late(), late(), Future.failedFuture(last), Future.succeededFuture()));
        assertSame(last, published().cause());
        assertEquals(1, outcomes.size());
    }

    @Test
    @DisplayName("another failure is not tried again")
    void anotherFailureCountsAtOnce() {
        var failure = new IllegalStateException("the container has ended");
        outcomes.addAll(List.of(Future.failedFuture(failure), Future.succeededFuture()));
        assertSame(failure, published().cause());
        assertEquals(1, outcomes.size());
    }
}
