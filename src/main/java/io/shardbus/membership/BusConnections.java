package io.shardbus.membership;

import io.vertx.core.Context;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Event loop of the event bus's connections. The bus asks for a peer's address when it connects to it, and the
 * connection stays on the event loop on which it hears the address. On a lane's, entity code that blocks would keep
 * leases and control messages of the whole node from that peer.
 */
final class BusConnections {
    private static final long LATEST_MS = 100;

    private final ContextInternal own;
    private final long latestMs;

    BusConnections(VertxInternal vertx) {
        this(vertx, LATEST_MS);
    }

    /** @param latestMs longest wait for the end of the task that asked, in ms: its code may block the thread */
    BusConnections(VertxInternal vertx, long latestMs) {
        this.own = vertx.createEventLoopContext();
        this.latestMs = latestMs;
    }

    /**
     * Gives an answer on this event loop, once. The bus says what is to be done with the address only when its call has
     * returned, and with an answer that came before, it connects on the event loop of the caller. So the answer comes
     * after the task that asked.
     *
     * @param caller the context that asked; null for a thread without one
     */
    void answer(@Nullable Context caller, Runnable answer) {
        if (caller == null) {
            own.runOnContext(go -> answer.run());
            return;
        }
        var isGiven = new AtomicBoolean();
        Handler<Void> once = go -> {
            if (isGiven.compareAndSet(false, true)) {
                answer.run();
            }
        };
        caller.runOnContext(ended -> own.runOnContext(once));
        own.runOnContext(go -> own.setTimer(latestMs, late -> once.handle(null)));
    }
}
