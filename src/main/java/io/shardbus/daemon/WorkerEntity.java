package io.shardbus.daemon;

import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityFailure;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.spi.Discardable;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The entity behind a worker. It deploys the verticle with a keep-alive and after a move of its shard, and undeploys it
 * when the entity stops. Before each deployment it reads from the agreed state whether the worker is to run, so a node
 * that does not know of a rescaling yet starts no worker of an earlier revision.
 */
final class WorkerEntity implements Entity<WorkerCommand>, HandsOver, Discardable {
    /** Longest time for which messages wait for the start of the worker: a hanging start must not block a rescaling. */
    static final long LONGEST_START_MS = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(WorkerEntity.class);
    private static final int FORMAT = 1;

    private final WorkerId id;
    private final Function<WorkerId, Future<Optional<Wanted>>> wanted;
    private final Function<WorkerContext, ? extends Deployable> workers;
    private final String set;
    private final long stopTimeoutMs;
    private final Deployed<Deployable> worker;

    /**
     * A worker that is to run.
     *
     * @param floor the lowest token that it may have
     */
    record Wanted(WorkerId id, FencingToken floor) {
        FencingToken token(FencingToken ofShard) {
            return floor.isNewerThan(ofShard) ? floor : ofShard;
        }
    }

    /**
     * @param wanted reads the worker from the agreed state; empty if that state does not want it to run. May complete
     *     on any thread
     */
    WorkerEntity(
            String set,
            long stopTimeoutMs,
            WorkerId id,
            Vertx vertx,
            Function<WorkerId, Future<Optional<Wanted>>> wanted,
            Function<WorkerContext, ? extends Deployable> workers) {
        this.set = set;
        this.stopTimeoutMs = stopTimeoutMs;
        this.id = id;
        this.wanted = wanted;
        this.workers = workers;
        this.worker = new Deployed<>(vertx);
    }

    @Override
    public Future<?> started(EntityContext<WorkerCommand> context) {
        if (context.startReason() != StartReason.MOVED) {
            return done();
        }
        return run(context)
                .recover(failure -> worker.isStarting() ? Future.succeededFuture() : Future.failedFuture(failure));
    }

    @Override
    public Future<?> receive(WorkerCommand message, EntityContext<WorkerCommand> context) {
        return switch (message) {
            case RUN -> run(context);
            case STOP -> {
                context.stop();
                yield stopInTime();
            }
        };
    }

    /** True when the worker has stopped, or when its stop timed out: a hanging worker must not block the others. */
    private Future<Boolean> stopInTime() {
        return worker.end()
                .map(true)
                .timeout(stopTimeoutMs, TimeUnit.MILLISECONDS)
                .recover(failure -> {
                    LOG.warn(
                            "daemon={}: worker {} did not stop in {} ms and is no longer waited for: it may run on"
                                    + " beside its successor",
                            set,
                            id.text(),
                            stopTimeoutMs,
                            failure);
                    return Future.succeededFuture(true);
                });
    }

    /**
     * Deploys the worker; false if the agreed state does not want it to run. Fails if the start has not ended after
     * {@value #LONGEST_START_MS} ms; the start itself continues.
     */
    private Future<Boolean> run(EntityContext<WorkerCommand> context) {
        if (worker.isRunning()) {
            return Future.succeededFuture(true);
        }
        if (worker.isStarting()) {
            return stillStarting();
        }
        return CallerContext.complete(wanted.apply(id)).compose(agreed -> {
            if (agreed.isEmpty()) {
                context.stop();
                return Future.succeededFuture(false);
            }
            Wanted next = agreed.get();
            var told = new WorkerContext(set, next.id(), context.node(), next.token(context.token()));
            return worker.run(() -> workers.apply(told))
                    .map(true)
                    .timeout(LONGEST_START_MS, TimeUnit.MILLISECONDS)
                    .recover(failure -> worker.isStarting() ? stillStarting() : Future.failedFuture(failure));
        });
    }

    private Future<Boolean> stillStarting() {
        return Future.failedFuture(new EntityFailure(
                "starting", "the start of worker " + id.text() + " takes longer than " + LONGEST_START_MS + " ms"));
    }

    @Override
    public Future<?> stopping(StopReason reason) {
        return worker.end();
    }

    /** Called at every end of the instance: its verticle ends with it, also after a forced stop. */
    @Override
    public void discarded() {
        worker.end();
    }

    /** An empty state: it only makes the next home start the worker at once. */
    @Override
    public Future<State> handOver() {
        return Future.succeededFuture(worker.isRunning() ? new State(FORMAT, Buffer.buffer()) : null);
    }

    @Override
    public Future<?> takeOver(State state) {
        return done();
    }
}
