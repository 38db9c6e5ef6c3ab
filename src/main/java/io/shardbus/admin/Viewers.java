package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open streams of one kind, which are served together once a second, and at once where one of them is behind;
 * nothing runs while there is none. They end when the node begins to leave, so that its HTTP server can.
 *
 * @param <V> what is known of one viewer
 */
final class Viewers<V extends Viewers.Viewer> {
    private static final Logger LOG = LoggerFactory.getLogger(Viewers.class);
    static final int MOST = 100;
    private static final long PERIOD_MS = 1_000;
    private static final long NO_TIMER = -1;

    /** One open stream. */
    interface Viewer {
        EventStreamResponse stream();

        /** Whether there is more for it already: it is served again once it has read what it was sent. */
        default boolean isBehind() {
            return false;
        }
    }

    private final Vertx vertx;
    private final ClusterSharding sharding;
    private final Supplier<Future<?>> serve;
    private final Set<V> viewers = ConcurrentHashMap.newKeySet();
    /** Guards that the timer runs while there are viewers: requests come on several event loops. */
    private final Object lock = new Object();

    private long timer = NO_TIMER;
    private final AtomicBoolean busy = new AtomicBoolean();

    /** @param serve sends all viewers their news; the next time comes after its future has completed */
    Viewers(Vertx vertx, ClusterSharding sharding, Supplier<Future<?>> serve) {
        this.vertx = vertx;
        this.sharding = sharding;
        this.serve = serve;
    }

    /** Adds a viewer, and serves all at once; not one that has gone while it waited for its permission. */
    void add(RoutingContext request, Function<EventStreamResponse, V> view) {
        if (viewers.size() >= MOST) {
            throw new RefusedRequest(HttpFailure.unavailable("this node serves " + MOST + " streams already"));
        }
        if (sharding.isLeaving()) {
            throw new RefusedRequest(HttpFailure.unavailable("this node is leaving"));
        }
        var stream = new EventStreamResponse(request);
        if (stream.isOver()) {
            return;
        }
        V viewer = view.apply(stream);
        request.response().closeHandler(closed -> remove(viewer));
        request.response().endHandler(ended -> remove(viewer));
        stream.begin();
        synchronized (lock) {
            viewers.add(viewer);
            if (timer == NO_TIMER) {
                timer = vertx.setPeriodic(PERIOD_MS, fired -> tick());
            }
        }
        tick();
    }

    private void remove(V viewer) {
        viewer.stream().free();
        synchronized (lock) {
            viewers.remove(viewer);
            if (viewers.isEmpty() && timer != NO_TIMER) {
                vertx.cancelTimer(timer);
                timer = NO_TIMER;
            }
        }
    }

    Set<V> all() {
        return viewers;
    }

    private void tick() {
        // a viewer that disconnected while it was added was not reported to its handlers
        for (V viewer : viewers) {
            if (viewer.stream().isOver()) {
                remove(viewer);
            }
        }
        if (sharding.isLeaving()) {
            viewers.forEach(viewer -> viewer.stream().end());
        } else if (!viewers.isEmpty() && busy.compareAndSet(false, true)) {
            Future<?> served;
            try {
                served = serve.get();
            } catch (RuntimeException e) {
                served = Future.failedFuture(e);
            }
            served.onComplete(done -> {
                busy.set(false);
                if (done.failed()) {
                    LOG.warn("serving the viewers of the admin resources failed", done.cause());
                }
                viewers.stream()
                        .filter(Viewer::isBehind)
                        .forEach(viewer -> viewer.stream().whenReady(this::tick));
            });
        }
    }
}
