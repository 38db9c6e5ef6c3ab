package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.control.Peers;
import io.shardbus.core.splitbrain.SafetyOptions;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitMember;
import io.shardbus.core.splitbrain.SplitMember.Status;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.time.SuspensionWatch;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.spi.SplitBrainArbiter;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out this node's decisions about splits, on the control context. */
final class SplitBrainRunner implements SplitCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(SplitBrainRunner.class);

    /** What a decision does to the node. */
    interface Effects {
        /** Whether nobody may claim a term or give away what the lost had. */
        void undecided(boolean undecided);

        /**
         * Whether this side may act has changed.
         *
         * @param reason why it must not, null if it may
         * @param viewFollows whether the change of the view that ended this is still to be told to the election
         */
        void stopped(@Nullable String reason, boolean viewFollows);

        /** Whether this node may coordinate, because it decides by the same options as the cluster, has changed. */
        void mayCoordinate(boolean may);
    }

    private final SplitBrainSetup setup;
    private final NodeParts parts;
    private final Context context;
    private final Effects effects;
    private final SplitResolver resolver;
    private final SuspensionWatch suspensions;
    private final Peers peers;
    private ClusterPicture picture = ClusterPicture.NOTHING;
    private boolean seeing;
    private boolean coordinates;

    SplitBrainRunner(SplitBrainSetup setup, NodeParts parts, Context context, Peers peers, Effects effects) {
        this.setup = setup;
        this.parts = parts;
        this.context = context;
        this.peers = peers;
        this.effects = effects;
        SafetyOptions own =
                SafetyOptions.of(RegionSettings.safety(parts.options()).options());
        this.resolver = new SplitResolver(parts.self(), setup.strategy(), setup.times(), own);
        this.suspensions = parts.suspensions();
        setup.strategy().caution().ifPresent(text -> LOG.warn("split brain, {}: {}", setup.name(), text));
    }

    void viewChanged(ClusterView view) {
        picture = picture.with(view);
        seeing = true;
        try {
            compare(view.merged());
        } finally {
            seeing = false;
        }
    }

    void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
        picture = picture.with(attributes);
        compare(false);
    }

    /** Whether this side may act. */
    boolean mayAct() {
        return picture.available() && !resolver.isStopped();
    }

    /** Why this node is not ready though its side may act: its options are not those of the others; null if they are. */
    @Nullable
    String misfit() {
        String difference = resolver.misfit();
        return difference == null
                ? null
                : "options that must be the same on all nodes differ from " + difference
                        + ": set the same, or stop all nodes to change them";
    }

    boolean isUndecided() {
        return resolver.isUndecided();
    }

    private void compare(boolean merged) {
        List<SplitMember> present = picture.members().stream().map(this::member).toList();
        run(now -> resolver.viewChanged(present, picture.available(), merged, now));
    }

    private SplitMember member(NodeId node) {
        NodeAttributes known = picture.attributes().get(node);
        Status status =
                peers.status(node).isDeparting() ? Status.DEPARTING : known == null ? Status.JOINING : Status.UP;
        SafetyOptions options = known == null || known.safety().isEmpty() ? null : SafetyOptions.of(known.safety());
        return new SplitMember(node, known == null ? Set.of() : known.roles(), status, options);
    }

    /** The node left in good order, or is proven to be dead: going on without it splits nothing. */
    void excused(NodeId node) {
        run(now -> resolver.excused(node, now));
    }

    void tick() {
        run(resolver::tick);
    }

    /** Whoever leaves alone gives back what of the arbiter's lease nobody else can go on by. */
    Future<Void> close() {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter == null || picture.members().size() > 1 || resolver.isUndecided()) {
            return Future.succeededFuture();
        }
        List<Future<?>> released = resolver.ofNobodyElse().stream()
                .<Future<?>>map(held -> release(arbiter, held))
                .toList();
        return Future.join(released).<Void>mapEmpty().otherwiseEmpty();
    }

    private Future<@Nullable String> release(SplitBrainArbiter arbiter, SplitCommand.ReleaseArbiter held) {
        return call(() -> arbiter.release(setup.lease(), held.owner(), held.stamp()));
    }

    /** The arbiter may be the user's: whatever it throws is a failure. */
    private static <T extends @Nullable Object> Future<T> call(Supplier<Future<T>> request) {
        try {
            return request.get().timeout(SplitBrainArbiter.TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
            return Future.failedFuture(e);
        }
    }

    private void run(Function<Long, List<SplitCommand>> event) {
        long now = parts.clock().now();
        resolver.timeDoubted(suspensions.doubtfulGain(parts.clock().time(), now));
        event.apply(now).forEach(command -> command.accept(this));
        if (resolver.mayCoordinate() != coordinates) {
            coordinates = resolver.mayCoordinate();
            effects.mayCoordinate(coordinates);
        }
    }

    @Override
    public void hold(SplitCommand.Hold command) {
        LOG.info(
                "{} lost without goodbye: crashed, frozen or cut off; {} decides whether {} go on",
                command.lost(),
                setup.name(),
                picture.members());
        effects.undecided(true);
    }

    @Override
    public void goOn(SplitCommand.GoOn command) {
        LOG.info("going on without {} by {}: {}", command.lost(), setup.name(), command.reason());
        if (command.override()) {
            parts.membership().goOnWithout(command.lost());
        }
        effects.undecided(false);
    }

    @Override
    public void stop(SplitCommand.Stop command) {
        String reason = "split brain, " + setup.name() + ": this side " + picture.members() + " stops, without "
                + command.lost() + ": " + command.reason();
        LOG.warn("{}", reason);
        if (command.yield()) {
            parts.membership().yieldTo(command.lost());
        }
        // the other way round the election would claim or confirm once more
        effects.stopped(reason, seeing);
        effects.undecided(false);
    }

    @Override
    public void rejoin(SplitCommand.Rejoin command) {
        LOG.info("no member is lost any more, now {}", picture.members());
        effects.undecided(false);
        if (command.stopped()) {
            effects.stopped(null, seeing);
        }
    }

    @Override
    public void askArbiter(SplitCommand.AskArbiter command) {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter == null) {
            LOG.error("split brain, {}: there is no arbiter to ask", setup.name());
            run(now -> resolver.arbiterAnswered(command, false, now));
            return;
        }
        LOG.info("split brain, {}: asking for lease '{}' as {}", setup.name(), setup.lease(), command.owner());
        call(() -> arbiter.acquire(setup.lease(), command.owner(), command.stamp()))
                .onFailure(failure -> {
                    LOG.warn("split brain, {}: the arbiter did not answer", setup.name(), failure);
                    onContext(now -> resolver.arbiterFailed(command, now));
                })
                .onSuccess(granted ->
                        onContext(now -> resolver.arbiterAnswered(command, Boolean.TRUE.equals(granted), now)));
    }

    private void onContext(Function<Long, List<SplitCommand>> event) {
        context.runOnContext(ignored -> run(event));
    }

    @Override
    public void releaseArbiter(SplitCommand.ReleaseArbiter command) {
        SplitBrainArbiter arbiter = setup.arbiter();
        if (arbiter != null) {
            LOG.info("split brain, {}: giving lease '{}' back", setup.name(), setup.lease());
            release(arbiter, command)
                    .onFailure(
                            failure -> LOG.warn("split brain, {}: the lease was not given back", setup.name(), failure))
                    .onSuccess(stamp -> onContext(now -> resolver.arbiterReleased(command, stamp, now)));
        }
    }

    @Override
    public void warn(SplitCommand.Warn command) {
        LOG.warn("split brain, {}: {}", setup.name(), command.text());
    }
}
