package io.shardbus.runtime.entity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnTimersTest {
    private final List<String> fired = new ArrayList<>();

    /** As where the thread that sets a timer is not scheduled before another one has fired it. */
    @SuppressWarnings("unchecked")
    private static Vertx thatFiresAtOnce() {
        return (Vertx) Proxy.newProxyInstance(
                Vertx.class.getClassLoader(), new Class<?>[] {Vertx.class}, (vertx, method, arguments) -> {
                    if (!method.getName().equals("setTimer")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    ((Handler<Long>) arguments[1]).handle(7L);
                    return 7L;
                });
    }

    @Test
    void aTimerThatFiresBeforeItsNumberIsKnownIsNotKept() {
        OwnTimers<String> timers = new OwnTimers<>(thatFiresAtOnce(), (by, message) -> {
            fired.add(message.message());
            assertTrue(message.takeUp());
        });
        assertEquals(7L, timers.set(Duration.ofMillis(1), "tick", false, true));
        assertEquals(List.of("tick"), fired);
        assertEquals(0, timers.count());
        assertFalse(timers.keepAlive());
        assertFalse(timers.cancel(7));
    }

    @Test
    void aTimerWhoseMessageIsLostIsOver() {
        OwnTimers<String> timers = new OwnTimers<>(thatFiresAtOnce(), (by, message) -> OwnMessage.lost(message));
        timers.set(Duration.ofMillis(1), "tick", false, true);
        assertEquals(0, timers.count());
        assertFalse(timers.keepAlive());
    }
}
