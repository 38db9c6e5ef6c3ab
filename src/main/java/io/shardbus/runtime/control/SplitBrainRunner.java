package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out this node's decisions about splits: it adapts the caches, asks the arbiter and tells operators. On the
 * control context.
 */
final class SplitBrainRunner implements SplitCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(SplitBrainRunner.class);

    private final SplitBrainSetup setup;
    private final NodeControl control;
    private final NodeParts parts;
    private final Context context;
    private final ControlLoop loop;

    SplitBrainRunner(SplitBrainSetup setup, NodeControl control, NodeParts parts, Context context, ControlLoop loop) {
        this.setup = setup;
        this.control = control;
        this.parts = parts;
        this.context = context;
        this.loop = loop;
        setup.strategy().caution().ifPresent(text -> LOG.warn("split brain, {}: {}", setup.name(), text));
    }

    /** When this node leaves alone, gives back the arbiter's leases that no other node can use. */
    Future<Void> close() {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter == null) {
            return Future.succeededFuture();
        }
        List<Future<?>> released = control.ownArbiterLeases().stream()
                .<Future<?>>map(held -> release(arbiter, held))
                .toList();
        return Future.join(released).<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<@Nullable String> release(SplitBrainArbiter arbiter, SplitCommand.ReleaseArbiter held) {
        return call(() -> arbiter.release(setup.lease(), held.owner(), held.stamp()));
    }

    /** The arbiter may be the user's: all that it throws is a failure. */
    private static <T extends @Nullable Object> Future<T> call(Supplier<Future<T>> request) {
        try {
            return request.get().timeout(SplitBrainArbiter.TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            return Future.failedFuture(e);
        }
    }

    @Override
    public void hold(SplitCommand.Hold command) {
        LOG.info(
                "{} lost without goodbye: crashed, frozen or cut off; {} decides whether {} go on",
                command.lost(),
                setup.name(),
                control.members());
    }

    @Override
    public void goOn(SplitCommand.GoOn command) {
        LOG.info("going on without {} by {}: {}", command.lost(), setup.name(), command.reason());
        if (command.override()) {
            parts.membership().goOnWithout(command.lost());
        }
    }

    @Override
    public void stop(SplitCommand.Stop command) {
        LOG.warn("{}", control.refusal());
        if (command.yield()) {
            parts.membership().yieldTo(command.lost());
        }
    }

    @Override
    public void readRecord(SplitCommand.ReadRecord command) {
        parts.store()
                .readTerm()
                .onFailure(failure -> LOG.debug("the term record could not be read, will try again", failure))
                .onSuccess(found -> onContext((machine, at) -> machine.recordRead(command, found, at)));
    }

    @Override
    public void giveUpCaches(SplitCommand.GiveUpCaches command) {
        LOG.warn(
                "split brain, {}: no coordinator among {}, and {} may have gone on: making the caches unavailable here",
                setup.name(),
                control.members(),
                command.lost());
        parts.membership().giveUpCaches(command.lost());
    }

    @Override
    public void rejoin(SplitCommand.Rejoin command) {
        LOG.info("no member is missing any more, now {}", control.members());
        if (command.stopped()) {
            parts.membership().rejoined();
        }
    }

    @Override
    public void askArbiter(SplitCommand.AskArbiter command) {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter == null) {
            LOG.error("split brain, {}: there is no arbiter to ask", setup.name());
            loop.run((machine, at) -> machine.arbiterAnswered(command, false, at));
            return;
        }
        LOG.info("split brain, {}: asking for lease '{}' as {}", setup.name(), setup.lease(), command.owner());
        call(() -> arbiter.acquire(setup.lease(), command.owner(), command.stamp()))
                .onFailure(failure -> {
                    LOG.warn("split brain, {}: the arbiter did not answer", setup.name(), failure);
                    onContext((machine, at) -> machine.arbiterFailed(command, at));
                })
                .onSuccess(granted ->
                        onContext((machine, at) -> machine.arbiterAnswered(command, Boolean.TRUE.equals(granted), at)));
    }

    private void onContext(BiFunction<NodeControl, Moment, List<NodeCommand>> event) {
        context.runOnContext(ignored -> loop.run(event));
    }

    @Override
    public void releaseArbiter(SplitCommand.ReleaseArbiter command) {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter != null) {
            LOG.info("split brain, {}: giving lease '{}' back", setup.name(), setup.lease());
            release(arbiter, command)
                    .onFailure(
                            failure -> LOG.warn("split brain, {}: the lease was not given back", setup.name(), failure))
                    .onSuccess(stamp -> onContext((machine, at) -> machine.arbiterReleased(command, stamp, at)));
        }
    }

    @Override
    public void warn(SplitCommand.Warn command) {
        LOG.warn("split brain, {}: {}", setup.name(), command.text());
    }
}
