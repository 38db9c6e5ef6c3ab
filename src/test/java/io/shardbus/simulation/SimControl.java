package io.shardbus.simulation;

import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Election;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.NodeSetup;
import io.shardbus.core.control.PeerAttributes;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.Seats;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.splitbrain.CacheClaim;
import io.shardbus.core.splitbrain.SplitCommand;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.core.splitbrain.SplitStrategy;
import io.shardbus.core.splitbrain.SplitTimes;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node's control plane: the machine that a real node has, on the simulated store, network, arbiter and membership.
 */
final class SimControl
        implements NodeCommand.Visitor, ElectionCommand.Visitor, SplitCommand.Visitor, CoordinatorCommand.Visitor {
    private static final long MINORITY_DELAY = 400;
    private static final long FLAPPING = 1_000;
    private static final long SECOND = 1_000;
    /** The side that got the lease keeps it for longer than the other may take to ask. */
    private static final long RELEASE_AFTER = 5_000;

    private final SimNode node;
    private final Simulation world;
    private final NodeControl machine;
    private final ControlLoop loop;
    private final ReignCheck check;
    private final SimOrders orders;
    private final Map<String, ShardAllocation> strategies = new HashMap<>();
    private final Map<NodeId, PeerAttributes> attributes = new HashMap<>();
    private final CacheClaim claim = new CacheClaim();
    private long secondAt;

    /** The type of the coordinator whose command is carried out. */
    private String speaking = Simulation.TYPE;

    SimControl(SimNode node, long incarnation) {
        this.node = node;
        this.world = node.world;
        SplitStrategy split = node.rule.strategy(world.options().nodes);
        Seats seats = world.seats().of(node);
        NodeSetup setup = new NodeSetup(
                node.id,
                incarnation,
                seats.mayClaim(),
                seats,
                node.times,
                node.clock(),
                world.options().witness != SimulationOptions.Witnesses.NONE,
                node.rule.decides() && split.overridesMajority(),
                node.rule.name());
        SplitTimes splitTimes = new SplitTimes(node.times.decision(), FLAPPING, MINORITY_DELAY, RELEASE_AFTER)
                .noticedWithin(Faults.LATEST_DETECTION)
                .answering(Arbiter.TIMEOUT)
                .confirmedWithin(node.times.lease());
        SplitResolver resolver =
                node.rule.decides() ? new SplitResolver(node.id, split, splitTimes, node.rule.options()) : null;
        this.machine = new NodeControl(setup, resolver, (type, begin) -> settings(begin), moment());
        this.check = new ReignCheck(node, machine);
        this.orders = new SimOrders(node, machine);
        this.loop = new ControlLoop(machine, this::moment, this, () -> {});
    }

    private Moment moment() {
        return new Moment(node.clock(), node.clocks.wall(), node.clocks.time());
    }

    private CoordinatorSettings settings(ElectionCommand.Begin begin) {
        SimulationOptions options = world.options();
        return new CoordinatorSettings(
                        node.times,
                        options.handoffTimeout,
                        Simulation.RETRY_INTERVAL,
                        options.rebalanceInterval,
                        options.movesAtOnce())
                .after(begin.predecessor());
    }

    NodeControl machine() {
        return machine;
    }

    ReignCheck reigns() {
        return check;
    }

    SimOrders orders() {
        return orders;
    }

    /**
     * The coordinator of the type that every node has; null if this node does not reign, or no region has registered.
     */
    @Nullable
    Coordinator coordinator() {
        return coordinator(Simulation.TYPE);
    }

    /** The coordinator of a type; null if this node does not reign, or none of its regions has registered. */
    @Nullable
    Coordinator coordinator(String type) {
        Reign reign = machine.reign();
        return reign == null ? null : reign.coordinator(type);
    }

    boolean isStopped() {
        return machine.refusal() != null;
    }

    CacheClaim claim() {
        return claim;
    }

    void run(BiFunction<NodeControl, Moment, List<NodeCommand>> event) {
        check.begins();
        loop.run((control, at) -> {
            List<NodeCommand> commands = event.apply(control, at);
            check.hears();
            return commands;
        });
        check.ends();
        Reign reign = machine.reign();
        world.rules().holds(node, reign == null ? machine.term() : reign.term(), isStopped());
    }

    void tick() {
        run((control, at) -> control.tick(at));
        check.tick();
        if (node.clock() >= secondAt + SECOND) {
            secondAt = node.clock();
            claim.secondPassed();
            world.membership().look(node);
        }
    }

    void step(String type, CoordinatorEvent event) {
        Coordinator present = coordinator(type);
        if (present != null) {
            run((control, at) -> control.coordinate(type, present.term(), event, at));
        }
    }

    /** An event that a command causes. */
    void runWithin(BiFunction<NodeControl, Moment, List<NodeCommand>> event) {
        loop.run(event);
    }

    @Override
    public void ordered(NodeCommand.Ordered command) {
        command.command().accept(orders);
    }

    void clusterStops(boolean stops) {
        run((control, at) -> control.clusterStops(stops, at));
    }

    void readCompleted(long operation, @Nullable TermRecord found) {
        run((control, at) -> control.recordRead(operation, found, at));
    }

    void sighted(TermRecord record) {
        run((control, at) -> control.recordSighted(record, at));
    }

    void readFailed(long operation) {
        run((control, at) -> control.recordUnread(operation, at));
    }

    void replaceCompleted(long operation, Election.Outcome outcome) {
        run((control, at) -> control.recordReplaced(operation, outcome, at));
    }

    /** @param ended whether all regions of the node have ended */
    void leave(boolean ended) {
        Reign last = machine.reign();
        if (last != null && machine.isClusterStopping()) {
            world.rules().leftVacant(last, check.isShort());
        }
        run((control, at) -> control.leave(ended, at));
    }

    void viewChanged(Membership.View view) {
        if (view.merged()) {
            claim.merged();
        }
        view.members().stream()
                .filter(member -> !attributes.containsKey(member))
                .forEach(this::learn);
        boolean vanished = machine.members().stream()
                .anyMatch(member -> !view.members().contains(member)
                        && !machine.peers().status(member).goodbye());
        if (vanished) {
            world.rules().lost(node);
        }
        run((control, at) -> control.viewChanged(view.members(), view.available(), view.merged(), at));
        world.membership().look(node);
        world.rules().merged(node, view.merged());
    }

    /** What a member says of itself arrives after a while; where no node decides by it, with the view. */
    private void learn(NodeId member) {
        if (!node.rule.decides()) {
            learned(member);
            return;
        }
        long delay = member.equals(node.id) ? 1 : Network.delay(node.dice);
        world.scheduler().after(delay, () -> node.onControl(0, () -> learned(member)));
    }

    private void learned(NodeId member) {
        attributes.put(
                member,
                new PeerAttributes(
                        Set.of(),
                        world.seats().mayClaim(member),
                        world.ruleOf(member).options()));
        run((control, at) -> control.attributesChanged(attributes, at));
    }

    private Set<NodeId> grantable() {
        return machine.election().holders().grantable(machine.members());
    }

    @Override
    public void elected(NodeCommand.Elected command) {
        command.command().accept(this);
    }

    @Override
    public void decided(NodeCommand.Decided command) {
        command.command().accept(this);
    }

    @Override
    public void coordinated(NodeCommand.Coordinated command) {
        if (machine.coordinator(command.type(), command.term()) != null) {
            speaking = command.type();
            command.command().accept(this);
        }
    }

    @Override
    public void send(NodeCommand.Send command) {
        node.send(command.to(), new Network.ForAll(command.message()));
    }

    @Override
    public void broadcast(NodeCommand.Broadcast command) {
        node.broadcast(command.message());
    }

    @Override
    public void turnTo(NodeCommand.TurnTo command) {
        node.regions.all().forEach(hosting -> hosting.termSeen(command.term()));
    }

    @Override
    public void permit(NodeCommand.Permit command) {
        node.regions.all().forEach(hosting -> hosting.permit(command.refusal()));
    }

    @Override
    public void deliver(NodeCommand.Deliver command) {
        Hosting region = node.regions.of(command.type());
        if (region != null) {
            region.received(command.term(), command.message());
        }
    }

    @Override
    public void nodesChanged(NodeCommand.NodesChanged command) {
        check.present(machine.members());
        node.nodesChanged(command.change());
    }

    @Override
    public void excuse(NodeCommand.Excuse command) {
        if (node.rule.decides()) {
            claim.said(command.node());
            world.membership().look(node);
        }
    }

    @Override
    public void takeForDead(NodeCommand.TakeForDead command) {
        world.timeline().turn(node, "knows dead", command.node());
        check.takesForDead(command.node());
        if (!machine.peers().isUndecided(node.clock())) {
            world.rules().explained(node);
        }
    }

    @Override
    public void doubtTime(NodeCommand.DoubtTime command) {
        world.timeline().turn(node, "doubts", command.gained() + " ms");
    }

    @Override
    public void refuse(NodeCommand.Refuse command) {
        world.timeline().add(node, "refuses", command.problem());
    }

    @Override
    public void refuseStranger(NodeCommand.RefuseStranger command) {
        world.check(!node.members.contains(command.from()), node + " refuses a message of " + command.from());
    }

    @Override
    public void skip(NodeCommand.Skip command) {
        throw new IllegalStateException("all nodes are of one build");
    }

    @Override
    public void read(ElectionCommand.Read command) {
        world.store()
                .read(node, found -> readCompleted(command.operation(), found), () -> readFailed(command.operation()));
    }

    @Override
    public void replace(ElectionCommand.Replace command) {
        world.store().replace(node, command);
    }

    @Override
    public void begin(ElectionCommand.Begin command) {
        world.timeline().turn(node, "reigns", command);
        check.reigns(command);
    }

    @Override
    public void confirmed(ElectionCommand.Confirmed command) {
        check.confirmed(command.confirmSent());
    }

    @Override
    public void stepDown(ElectionCommand.StepDown command) {
        world.timeline().turn(node, "steps down", command);
    }

    @Override
    public void termBelieved(ElectionCommand.TermBelieved command) {
        // the node has turned to it
    }

    @Override
    public void termRefused(ElectionCommand.TermRefused command) {
        node.impossible(command.term());
    }

    @Override
    public void askSeats(ElectionCommand.AskSeats command) {
        NodeMessage.SeatsAsked message = command.message();
        world.timeline().add(node, "asks for seats", message);
        world.seats()
                .probe(
                        node,
                        occupied -> node.onControl(
                                0,
                                () -> run((control, at) -> control.seatsProbed(
                                        message.attempt(),
                                        message.round(),
                                        occupied,
                                        world.options().hostShowsAll,
                                        at))));
    }

    @Override
    public void answerSeat(ElectionCommand.AnswerSeat command) {
        // the answer is sent as a message
    }

    @Override
    public void revive(ElectionCommand.Revive command) {
        claim.rejoined();
        world.membership().revive(node);
    }

    @Override
    public void hold(SplitCommand.Hold command) {
        world.timeline().turn(node, "decides", "about " + command.lost());
    }

    @Override
    public void goOn(SplitCommand.GoOn command) {
        world.timeline().turn(node, "goes on", "without " + command.lost() + ": " + command.reason());
        if (command.override()) {
            claim.goOnWithout(command.lost());
            world.membership().look(node);
        }
    }

    @Override
    public void stop(SplitCommand.Stop command) {
        world.timeline().turn(node, "stops", "without " + command.lost() + ": " + command.reason());
        if (command.yield()) {
            world.membership().yieldCaches(node, command.lost());
        }
    }

    @Override
    public void readRecord(SplitCommand.ReadRecord command) {
        world.store().read(node, found -> run((control, at) -> control.recordRead(command, found, at)), () -> {
            // it is read again
        });
    }

    @Override
    public void giveUpCaches(SplitCommand.GiveUpCaches command) {
        world.membership().giveUpCaches(node, command.lost());
    }

    @Override
    public void rejoin(SplitCommand.Rejoin command) {
        world.timeline().turn(node, "rejoins", machine.members());
        claim.rejoined();
        world.membership().look(node);
    }

    @Override
    public void askArbiter(SplitCommand.AskArbiter command) {
        world.timeline().turn(node, "asks", "the arbiter as " + command.owner());
        world.arbiter()
                .acquire(
                        command,
                        answer -> node.onControl(
                                0,
                                () -> run((control, at) -> answer.succeeded()
                                        ? control.arbiterAnswered(command, answer.result(), at)
                                        : control.arbiterFailed(command, at))));
    }

    @Override
    public void releaseArbiter(SplitCommand.ReleaseArbiter command) {
        world.timeline().turn(node, "releases", command.owner() + " as of " + command.stamp());
        world.arbiter().release(command, answer -> {
            if (answer.succeeded()) {
                node.onControl(0, () -> run((control, at) -> control.arbiterReleased(command, answer.result(), at)));
            }
        });
    }

    @Override
    public void warn(SplitCommand.Warn command) {
        world.timeline().turn(node, "warns", command.text());
    }

    @Override
    public void send(CoordinatorCommand.Send command) {
        TermId term = machine.term();
        check.says(grantable(), command.to(), world.type(speaking), command.message());
        node.send(command.to(), new Network.ForRegion(term, speaking, command.message()));
    }

    @Override
    public void placeShard(CoordinatorCommand.PlaceShard command) {
        Coordinator present = coordinator(speaking);
        if (present != null) {
            NodeId home = strategy(speaking)
                    .allocate(command.shard(), command.requester(), present.snapshot())
                    .orElse(null);
            answer(speaking, present, new CoordinatorEvent.ShardPlaced(command.shard(), home));
        }
    }

    private ShardAllocation strategy(String type) {
        return strategies.computeIfAbsent(
                type,
                name -> world.options().restless
                        ? new RestlessAllocation(world.dice("allocation " + node + name), world.faults()::areOver)
                        : new LeastShards(RoundLimit.NONE));
    }

    private void answer(String type, Coordinator asking, CoordinatorEvent event) {
        loop.run((control, at) -> control.coordinate(type, asking.term(), event, at));
    }

    @Override
    public void chooseMoves(CoordinatorCommand.ChooseMoves command) {
        Coordinator present = coordinator(speaking);
        if (present != null) {
            CoordinatorEvent moves =
                    new CoordinatorEvent.MovesChosen(strategy(speaking).rebalance(present.snapshot()));
            answer(speaking, present, moves);
        }
    }

    @Override
    public void readRememberedShards(CoordinatorCommand.ReadRememberedShards command) {
        String type = speaking;
        Coordinator present = coordinator(type);
        if (present != null) {
            world.idStore()
                    .readShards(
                            node,
                            shards -> run((control, at) -> control.coordinate(
                                    type, present.term(), new CoordinatorEvent.RememberedShardsRead(shards), at)));
        }
    }

    @Override
    public void confirmTerm(CoordinatorCommand.ConfirmTerm command) {
        throw new IllegalStateException("the term is confirmed by the machine");
    }

    @Override
    public void exceedTerm(CoordinatorCommand.ExceedTerm command) {
        throw new IllegalStateException("the machine exceeds the term of a store itself");
    }

    @Override
    public void report(CoordinatorCommand.Report command) {
        world.timeline().add(node, "reports", command.text());
    }
}
