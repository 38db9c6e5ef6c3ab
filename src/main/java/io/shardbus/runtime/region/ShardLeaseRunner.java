package io.shardbus.runtime.region;

import io.shardbus.core.region.ExternalLeases;
import io.shardbus.core.region.LeaseCommand;
import io.shardbus.runtime.entity.UserCode;
import io.shardbus.spi.LeaseProvider.ShardLease;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what {@link ExternalLeases} decides, with a user's provider. On the control context. */
public final class ShardLeaseRunner {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLeaseRunner.class);

    /** Listener of a lease: it is held from now on, or it is lost. */
    interface Listener {
        void changed(int shard, boolean held);
    }

    /**
     * Source of leases.
     *
     * @param leases the lease of a shard
     * @param retryInterval the pause after a lease was not obtained, in milliseconds
     */
    public record Source(IntFunction<ShardLease> leases, long retryInterval) {}

    private final String type;
    private final @Nullable Source source;
    private final Supplier<Context> context;
    private final Listener listener;
    private final Runnable failed;
    private final ExternalLeases machine;
    private final Runner runner = new Runner();
    private final Map<Integer, ShardLease> leases = new HashMap<>();
    private final Map<Integer, Promise<Void>> ends = new HashMap<>();
    private final Promise<Void> closed = Promise.promise();

    /** @param failed hears of each request that failed */
    ShardLeaseRunner(
            String type, @Nullable Source source, Supplier<Context> context, Listener listener, Runnable failed) {
        this.type = type;
        this.source = source;
        this.context = context;
        this.listener = listener;
        this.failed = failed;
        this.machine = new ExternalLeases(source == null ? 1 : source.retryInterval());
    }

    boolean isRequired() {
        return source != null;
    }

    /** Tries until the lease is held or not wanted any more. */
    void want(int shard) {
        if (source != null) {
            run(machine.want(shard));
        }
    }

    /** The shard does not start after all. */
    void cancel(int shard) {
        run(machine.cancel(shard));
    }

    /** The shard has stopped; completes when the lease is given back, or could not be. */
    Future<Void> ended(int shard) {
        Future<Void> end =
                ends.computeIfAbsent(shard, number -> Promise.promise()).future();
        run(machine.ended(shard));
        return end;
    }

    /** The reason why the lease of a shard was lost last. */
    String loss(int shard) {
        return machine.loss(shard);
    }

    /** All shards have stopped for good; completes when every lease is given back, or could not be. */
    Future<Void> close() {
        run(machine.close());
        return closed.future();
    }

    private void run(List<LeaseCommand> commands) {
        commands.forEach(command -> command.accept(runner));
    }

    private void back(Supplier<List<LeaseCommand>> event) {
        context.get().runOnContext(ignored -> run(event.get()));
    }

    private ShardLease lease(int shard) {
        return leases.computeIfAbsent(
                shard,
                number -> Objects.requireNonNull(source, "leases are required")
                        .leases()
                        .apply(shard));
    }

    private List<LeaseCommand> acquired(int shard, AsyncResult<Boolean> answer) {
        return answer.succeeded()
                ? machine.acquired(shard, Boolean.TRUE.equals(answer.result()))
                : machine.acquireFailed(shard, "" + answer.cause());
    }

    private List<LeaseCommand> released(int shard, AsyncResult<Void> answer) {
        if (answer.failed()) {
            LOG.warn("type={} shard={}: the external lease was not released: {}", type, shard, "" + answer.cause());
        }
        return machine.released(shard, answer.succeeded());
    }

    private final class Runner implements LeaseCommand.Visitor {
        @Override
        public void acquire(LeaseCommand.Acquire command) {
            int shard = command.shard();
            UserCode.call(() -> lease(shard).acquire(reason -> back(() -> machine.lost(shard, "" + reason))))
                    .onFailure(failure -> failed.run())
                    .onComplete(answer -> back(() -> acquired(shard, answer)));
        }

        @Override
        public void release(LeaseCommand.Release command) {
            int shard = command.shard();
            UserCode.call(() -> lease(shard).release())
                    .onFailure(failure -> failed.run())
                    .onComplete(answer -> back(() -> released(shard, answer)));
        }

        @Override
        public void retryLater(LeaseCommand.RetryLater command) {
            int shard = command.shard();
            LOG.error(
                    "type={} shard={}: the external lease was not obtained, retrying: {}",
                    type,
                    shard,
                    command.reason());
            context.get().owner().setTimer(command.pause(), ignored -> back(() -> machine.retryDue(shard)));
        }

        @Override
        public void held(LeaseCommand.Held command) {
            listener.changed(command.shard(), true);
            run(machine.heldTold(command.shard()));
        }

        @Override
        public void lost(LeaseCommand.Lost command) {
            listener.changed(command.shard(), false);
        }

        @Override
        public void ended(LeaseCommand.Ended command) {
            Promise<Void> end = ends.remove(command.shard());
            if (end != null) {
                end.complete();
            }
        }

        @Override
        public void closed() {
            closed.complete();
        }
    }
}
