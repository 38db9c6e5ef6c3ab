package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.core.splitbrain.SafetyOptions;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitMember;
import io.shardbus.core.splitbrain.SplitMember.Status;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.core.time.SuspensionWatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One node's decisions about splits, and what they do to it, as in a real node. Without a rule the caches alone have the word. */
final class SplitDecisions implements SplitCommand.Visitor {
    /** The side that got the lease keeps it for longer than the other may take to ask. */
    private static final long RELEASE_AFTER = 5_000;

    private static final long MINORITY_DELAY = 400;
    private static final long FLAPPING = 1_000;
    private static final Membership.View NOTHING = new Membership.View(List.of(), false, false);

    private final SimNode node;
    private final Simulation world;
    private final boolean decides;
    private final SplitStrategy strategy;
    private final SplitResolver resolver;
    private final SuspensionWatch suspensions;
    /** Whose attributes have arrived: who came a moment ago is known as joining. */
    private final Set<NodeId> known = new HashSet<>();

    /** Whose absence does not keep the caches from this side. */
    private final Set<NodeId> givenUp = new HashSet<>();

    private Membership.View seen = NOTHING;
    private @Nullable String stopped;
    private boolean coordinates;
    /** Whether the election hears of a view next: it is not to claim before. */
    private boolean seeing;

    SplitDecisions(SimNode node) {
        this.node = node;
        this.world = node.world;
        this.suspensions = node.suspensions();
        this.decides = node.rule.decides();
        this.strategy = node.rule.strategy(world.options().nodes);
        this.resolver = new SplitResolver(
                node.id,
                strategy,
                new SplitTimes(node.times.decision(), FLAPPING, MINORITY_DELAY, RELEASE_AFTER)
                        .noticedWithin(Faults.LATEST_DETECTION),
                node.rule.options());
    }

    boolean decides() {
        return decides;
    }

    /** Whether it was decided that this node's side must not act. */
    boolean isStopped() {
        return stopped != null;
    }

    /** Why this node's side must not act; null if it may. */
    @Nullable
    String stopped() {
        return stopped;
    }

    boolean isUndecided() {
        return decides && resolver.isUndecided();
    }

    boolean overridesMajority() {
        return decides && strategy.overridesMajority();
    }

    Set<NodeId> givenUp() {
        return givenUp;
    }

    /** The view as this node may act on it. */
    Membership.View viewChanged(Membership.View view) {
        if (!decides) {
            return view;
        }
        seen = view;
        givenUp.removeAll(view.members());
        view.members().stream().filter(member -> !known.contains(member)).forEach(this::learn);
        seeing = true;
        compare(view.merged());
        seeing = false;
        world.membership().look(node);
        return permitted();
    }

    private void learn(NodeId member) {
        long delay = member.equals(node.id) ? 1 : Network.delay(node.dice);
        world.scheduler()
                .after(
                        delay,
                        () -> node.onControl(0, () -> {
                            known.add(member);
                            compare(false);
                        }));
    }

    private Membership.View permitted() {
        return new Membership.View(seen.members(), seen.available() && !resolver.isStopped(), seen.merged());
    }

    private void compare(boolean merged) {
        List<SplitMember> present = seen.members().stream()
                .map(member -> new SplitMember(member, Set.of(), status(member), options(member)))
                .toList();
        run(now -> resolver.viewChanged(present, seen.available(), merged, now));
    }

    private @Nullable SafetyOptions options(NodeId member) {
        return known.contains(member) ? world.ruleOf(member).options() : null;
    }

    private Status status(NodeId member) {
        return node.peers.status(member).isDeparting()
                ? Status.DEPARTING
                : known.contains(member) ? Status.UP : Status.JOINING;
    }

    /** The node left in good order, or is proven to be dead. */
    void excused(NodeId gone) {
        if (decides) {
            givenUp.add(gone);
            world.membership().look(node);
            run(now -> resolver.excused(gone, now));
        }
    }

    void tick() {
        if (decides) {
            run(resolver::tick);
        }
    }

    private void run(Function<Long, List<SplitCommand>> event) {
        long now = node.clock();
        resolver.timeDoubted(suspensions.doubtfulGain(node.clocks.time(), now));
        event.apply(now).forEach(command -> command.accept(this));
        if (resolver.mayCoordinate() != coordinates) {
            coordinates = resolver.mayCoordinate();
            node.reign.stand(coordinates);
        }
    }

    @Override
    public void hold(SplitCommand.Hold command) {
        world.timeline().turn(node, "decides", "about " + command.lost());
        node.reign.lossUndecided(true);
    }

    @Override
    public void goOn(SplitCommand.GoOn command) {
        world.timeline().turn(node, "goes on", "without " + command.lost() + ": " + command.reason());
        if (command.override()) {
            givenUp.addAll(command.lost());
            world.membership().look(node);
        }
        node.reign.lossUndecided(false);
    }

    @Override
    public void stop(SplitCommand.Stop command) {
        world.timeline().turn(node, "stops", "without " + command.lost() + ": " + command.reason());
        if (command.yield()) {
            world.membership().yieldCaches(node, command.lost());
        }
        permit(command.reason());
        node.reign.lossUndecided(false);
    }

    @Override
    public void rejoin(SplitCommand.Rejoin command) {
        world.timeline().turn(node, "rejoins", seen);
        node.reign.lossUndecided(false);
        if (command.stopped()) {
            permit(null);
        }
    }

    private void permit(@Nullable String reason) {
        stopped = reason;
        if (reason != null || !seeing) {
            node.reign.permitted(permitted());
        }
        node.hosting.permit(reason);
    }

    @Override
    public void askArbiter(SplitCommand.AskArbiter command) {
        world.timeline().turn(node, "asks", "the arbiter as " + command.owner());
        world.arbiter()
                .acquire(
                        command,
                        answer -> later(now -> answer.succeeded()
                                ? resolver.arbiterAnswered(command, answer.result(), now)
                                : resolver.arbiterFailed(command, now)));
    }

    private void later(Function<Long, List<SplitCommand>> event) {
        node.onControl(0, () -> run(event));
    }

    @Override
    public void releaseArbiter(SplitCommand.ReleaseArbiter command) {
        world.timeline().turn(node, "releases", command.owner() + " as of " + command.stamp());
        world.arbiter().release(command, answer -> {
            if (answer.succeeded()) {
                later(now -> resolver.arbiterReleased(command, answer.result(), now));
            }
        });
    }

    @Override
    public void warn(SplitCommand.Warn command) {
        world.timeline().turn(node, "warns", command.text());
    }
}
