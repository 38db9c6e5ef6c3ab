package io.shardbus.runtime.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final AtomicBoolean available = new AtomicBoolean(true);
    private final Readiness readiness = new Readiness("carts", available::get);

    @Test
    void comesWithTheLastThatIsMissing() {
        Future<Void> early = readiness.ready();
        readiness.registered(true);
        assertFalse(early.isComplete());
        readiness.opened();
        assertTrue(early.succeeded());
        assertTrue(readiness.ready().succeeded());
    }

    @Test
    void comesAgainAfterTheLeaseWasLost() {
        readiness.opened();
        readiness.registered(true);
        readiness.registered(false);
        Future<Void> later = readiness.ready();
        assertFalse(later.isComplete());
        readiness.registered(true);
        assertTrue(later.succeeded());
    }

    @Test
    void waitsForTheSideThatMayAct() {
        available.set(false);
        readiness.opened();
        readiness.registered(true);
        Future<Void> waiting = readiness.ready();
        assertFalse(waiting.isComplete());
        available.set(true);
        readiness.registered(true);
        assertTrue(waiting.succeeded());
    }

    @Test
    void failsWithTheRegionsEnd() {
        Future<Void> waiting = readiness.ready();
        readiness.leaving();
        readiness.opened();
        readiness.registered(true);
        assertEquals(FailureCode.SHUTTING_DOWN, code(waiting));
        assertEquals(FailureCode.SHUTTING_DOWN, code(readiness.ready()));
    }

    @Test
    void aWaitingCallerThatThrowsConcernsNoOther() {
        readiness.ready().onComplete(done -> {
            throw new IllegalStateException("a caller's own");
        });
        Future<Void> other = readiness.ready();
        readiness.opened();
        readiness.registered(true);
        assertTrue(other.succeeded());
    }

    @Test
    void aWaitingCallerThatThrowsDoesNotKeepTheRegionFromLeaving() {
        readiness.ready().onComplete(done -> {
            throw new IllegalStateException("a caller's own");
        });
        Future<Void> other = readiness.ready();
        readiness.leaving();
        assertEquals(FailureCode.SHUTTING_DOWN, code(other));
    }

    private static FailureCode code(Future<?> failed) {
        return ((ShardingException) failed.cause()).code();
    }
}
