package io.shardbus.membership;

import io.shardbus.core.control.Seats;
import io.shardbus.model.LossReason;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The membership of a cluster on Infinispan. */
public final class InfinispanMembership implements Membership {
    private final ShardbusClusterManager manager;
    private final NodeId self;
    private final NodeAttributes own;
    private final OwnThread thread = new OwnThread("shardbus-membership");
    private volatile @Nullable MembershipWatch watch;
    private final AtomicReference<@Nullable Future<Void>> stopped = new AtomicReference<>();

    /** @param manager the cluster manager of a Vert.x that has joined */
    public InfinispanMembership(ShardbusClusterManager manager, NodeAttributes own) {
        this.manager = manager;
        this.self = manager.nodeId();
        var info = manager.getNodeInfo();
        this.own = info == null ? own : own.at(info.host(), info.port());
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public Map<NodeId, NodeAttributes> attributes() {
        var started = watch;
        return started == null ? Map.of() : started.attributes();
    }

    @Override
    public Future<Void> start(Listener listener) {
        return manager.showOwnSeat()
                .compose(shown -> onThread(() -> {
                    if (watch != null) {
                        throw new IllegalStateException("the membership was started already");
                    }
                    var started = new MembershipWatch(manager.container(), thread, self, listener);
                    watch = started;
                    started.start(own);
                    return CompletableFuture.completedFuture(null);
                }));
    }

    @Override
    public void saidGoodbye(NodeId member) {
        var started = watch;
        if (started != null) {
            thread.run(() -> started.saidGoodbye(member));
        }
    }

    @Override
    public void goOnWithout(Set<NodeId> lost) {
        var started = watch;
        if (started != null) {
            thread.run(() -> started.goOnWithout(lost));
        }
    }

    @Override
    public void yieldTo(Set<NodeId> lost) {
        var started = watch;
        if (started != null) {
            thread.run(() -> started.yieldTo(lost));
        }
    }

    @Override
    public void giveUpCaches(Set<NodeId> lost) {
        var started = watch;
        if (started != null) {
            thread.run(() -> started.giveUpCaches(lost));
        }
    }

    @Override
    public void rejoined() {
        var started = watch;
        if (started != null) {
            thread.run(started::rejoined);
        }
    }

    @Override
    public void revive() {
        var started = watch;
        if (started != null) {
            thread.run(started::revive);
        }
    }

    @Override
    public Map<String, Long> unheard() {
        return manager.unheard();
    }

    @Override
    public LossReason lossReason(NodeId lost) {
        return manager.lossReason(lost);
    }

    @Override
    public Seats seats() {
        return manager.seats();
    }

    @Override
    public Future<Set<String>> occupiedSeats() {
        return manager.occupiedSeats();
    }

    @Override
    public boolean seesEveryProcess() {
        return manager.seesEveryProcess();
    }

    @Override
    public @Nullable String end() {
        var started = watch;
        if (thread.isClosed() || started == null) {
            return null;
        }
        if (started.end() != null) {
            return started.end();
        }
        if (!manager.container().getStatus().allowInvocations()) {
            return "the caches of the cluster have ended in this process: "
                    + manager.container().getStatus();
        }
        return thread.end() != null ? thread.end() : manager.end();
    }

    @Override
    public boolean isReachable() {
        return manager.isPublished();
    }

    @Override
    public void occupyUntil(Future<?> ended) {
        manager.occupyUntil(ended);
    }

    @Override
    public Future<Void> stop() {
        var mine = Promise.<Void>promise();
        if (stopped.compareAndSet(null, mine.future())) {
            onThread(() -> {
                        var started = watch;
                        return started == null ? CompletableFuture.completedFuture(null) : started.stop();
                    })
                    .onComplete(done -> thread.close())
                    .onComplete(mine);
        }
        return Objects.requireNonNull(stopped.get(), "set once");
    }

    private Future<Void> onThread(Supplier<CompletionStage<?>> step) {
        var done = Promise.<Void>promise();
        return thread.run(() -> begin(step, done))
                ? done.future()
                : Future.failedFuture(new IllegalStateException("the membership is stopped"));
    }

    private static void begin(Supplier<CompletionStage<?>> step, Promise<Void> done) {
        try {
            step.get().whenComplete((result, failure) -> {
                if (failure == null) {
                    done.complete();
                } else {
                    done.fail(failure);
                }
            });
        } catch (RuntimeException e) {
            done.fail(e);
        }
    }
}
