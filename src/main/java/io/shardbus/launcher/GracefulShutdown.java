package io.shardbus.launcher;

import io.shardbus.ClusterSharding;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.options.GracefulShutdownOptions;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.VertxInternal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Graceful shutdown of a process with one Vertx that serves HTTP: one call at the start of {@code main}, and one for
 * each server. On SIGTERM or SIGINT, also before the node is ready, the node becomes not ready, waits for its load
 * balancers, moves its shards to other nodes while it still serves, lets requests under way end, closes its ports, and
 * closes the Vertx. Then the process ends with 0, with 1 if the deadline passed or a step failed. Another signal, a
 * second or more after the first, ends it at once, with 128 and the number of the signal.
 *
 * <pre>{@code
 * Future<Vertx> vertx = Vertx.builder().withClusterManager(...).buildClustered();
 * GracefulShutdown shutdown = GracefulShutdown.onSignal(vertx, new GracefulShutdownOptions());
 * ...
 * shutdown.serves(server, router).listen(8080);
 * }</pre>
 *
 * One per process. May be used from any thread.
 */
public final class GracefulShutdown {
    private static final List<String> SIGNALS = List.of("TERM", "INT");
    private static final long QUIET_POLLS = 10;
    private static final long NOT_TOLD = Long.MIN_VALUE;
    /**
     * A terminal signals the whole group of processes, and a parent among them may pass it on: that is one order, not
     * two.
     */
    private static final long SAME_ORDER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The one that is armed for signals; the last, should there be several. */
    private static final AtomicReference<@Nullable GracefulShutdown> ARMED = new AtomicReference<>();

    private final GracefulShutdownOptions options;
    private final Future<Vertx> vertx;
    private final Queue<HttpPort> ports = new ConcurrentLinkedQueue<>();
    private final AtomicLong told = new AtomicLong(NOT_TOLD);
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();
    private volatile boolean leaving;
    private volatile int statusOnExit;
    private volatile long lastRequest = System.nanoTime();

    private GracefulShutdown(Future<Vertx> vertx, GracefulShutdownOptions options) {
        this.vertx = vertx;
        this.options = new GracefulShutdownOptions(options);
    }

    /** One that begins with {@link #run} only; for tests. */
    static GracefulShutdown of(Future<Vertx> vertx, GracefulShutdownOptions options) {
        return new GracefulShutdown(vertx, options);
    }

    /** Installs the graceful shutdown for signals. */
    public static GracefulShutdown onSignal(Future<Vertx> vertx, GracefulShutdownOptions options) {
        return onSignal(vertx, options, () -> {});
    }

    /** @param heard called for each signal first */
    static GracefulShutdown onSignal(Future<Vertx> vertx, GracefulShutdownOptions options, Runnable heard) {
        var shutdown = new GracefulShutdown(vertx, options);
        Signals.handle(SIGNALS, number -> {
            heard.run();
            shutdown.signalled(number);
        });
        // where another part of the process calls System.exit
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> halt(shutdown.run(shutdown.statusOnExit)), "graceful-shutdown"));
        ARMED.set(shutdown);
        return shutdown;
    }

    /** The shutdown that {@link #onSignal} has installed for this Vertx, for verticles that serve HTTP. */
    public static Optional<GracefulShutdown> find(Vertx vertx) {
        return Optional.ofNullable(ARMED.get())
                .filter(armed -> armed.vertx.succeeded() && armed.vertx.result().equals(vertx));
    }

    /** For a process whose nodes are all in it: the process ends at once. */
    static GracefulShutdown atOnce() {
        return onSignal(Future.failedFuture("no node to empty"), new GracefulShutdownOptions());
    }

    /**
     * Sets the server's request handler and its connection handler: while the node leaves, the shutdown counts requests
     * under way, and tells clients by {@code Connection: close} to connect elsewhere. To be called before the server
     * listens.
     *
     * @return the server
     */
    public HttpServer serves(HttpServer server, Handler<HttpServerRequest> handler) {
        ports.add(HttpPort.of(vertx, server));
        return server.requestHandler(request -> {
            lastRequest = System.nanoTime();
            if (leaving) {
                request.response().putHeader(HttpHeaders.CONNECTION, "close");
            }
            handler.handle(request);
        });
    }

    /** The status that the process ends with where another part of it calls System.exit; 0 unless said otherwise. */
    void endOnExit(int status) {
        statusOnExit = status;
    }

    /**
     * Shuts down in the same way without a signal, as for a node that could not start; the process ends with this
     * status.
     */
    public void exit(int status) {
        new Thread(() -> halt(run(status)), "graceful-shutdown").start();
    }

    private void signalled(int number) {
        long now = System.nanoTime();
        if (told.compareAndSet(NOT_TOLD, now)) {
            exit(0);
        } else if (now - told.get() > SAME_ORDER_NANOS) {
            halt(128 + number);
        }
    }

    private static void halt(int status) {
        System.out.flush();
        System.err.flush();
        // Not exit: the JVM may be shutting down already, and would report the signal instead of this status.
        Runtime.getRuntime().halt(status);
    }

    /** Takes the steps once, and waits for them; the status to end with. */
    int run(int status) {
        if (begun.compareAndSet(false, true)) {
            boolean good = takeSteps();
            ended.complete(good ? status : Math.max(1, status));
        }
        return ended.join();
    }

    private boolean takeSteps() {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.getDeadlineMs());
        leaving = true;
        // A node that is about to join cannot leave yet. Each step begins when the one before has ended, well or
        // not.
        boolean good = take(vertx::otherwiseEmpty, end);
        if (vertx.succeeded()) {
            var node = vertx.result();
            good &= take(() -> retreat(node), end);
            good &= take(() -> stopServing(node), end);
            good &= take(() -> close(node), end);
        }
        return good;
    }

    /** Where another part of the process has begun to close the Vertx, a further close completes at once. */
    private static Future<?> close(Vertx node) {
        var manager = ((VertxInternal) node).clusterManager();
        return manager instanceof ShardbusClusterManager member
                ? node.close().compose(closed -> member.left())
                : node.close();
    }

    private Future<?> retreat(Vertx node) {
        var delay = Duration.ofMillis(options.getLoadBalancerDelayMs());
        return ClusterSharding.find(node)
                .map(sharding -> sharding.prepareToLeave(delay))
                .orElseGet(Future::succeededFuture);
    }

    /** Where another part of the process closes the Vertx meanwhile, this ends with the servers. */
    private Future<?> stopServing(Vertx node) {
        if (ports.isEmpty()) {
            return Future.succeededFuture();
        }
        Promise<Void> stopped = Promise.promise();
        Closeable closed = done -> {
            stopped.tryComplete();
            done.succeed();
        };
        var closing = ((VertxInternal) node).closeFuture();
        if (!closing.add(closed)) {
            // its close, which has begun, ends the servers, and timers of a closed Vertx do not fire
            return Future.succeededFuture();
        }
        var longest = Duration.ofMillis(options.getLongestRequestMs());
        quiet(node)
                .compose(done -> Future.join(
                        ports.stream().map(port -> port.close(longest)).toList()))
                .<Void>mapEmpty()
                .onComplete(stopped::tryComplete, stopped::tryFail);
        return stopped.future().onComplete(done -> closing.remove(closed));
    }

    private Future<Void> quiet(Vertx node) {
        Promise<Void> quiet = Promise.promise();
        long wanted = TimeUnit.MILLISECONDS.toNanos(options.getQuietMs());
        long patience = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.getLongestQuietWaitMs());
        node.setPeriodic(Math.max(1, options.getQuietMs() / QUIET_POLLS), timer -> {
            long now = System.nanoTime();
            if (now - lastRequest >= wanted || now >= patience) {
                node.cancelTimer(timer);
                quiet.complete();
            }
        });
        return quiet.future();
    }

    private boolean take(Supplier<Future<?>> step, long end) {
        try {
            begin(step).get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException e) {
            System.err.println("did not stop in good order: " + e.getCause());
        } catch (TimeoutException e) {
            System.err.println("did not stop within " + options.getDeadlineMs() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static CompletableFuture<?> begin(Supplier<Future<?>> step) {
        try {
            return step.get().toCompletionStage().toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
