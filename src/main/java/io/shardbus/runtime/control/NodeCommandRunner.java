package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the commands of {@link NodeControl}: messages go out, the regions of this node are told, and the runners
 * of the term record, splits, witness and orders get their commands. On the control context.
 */
final class NodeCommandRunner implements NodeCommand.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCommandRunner.class);

    private final NodeParts parts;
    private final NodeControl control;
    private final Context context;
    private final RegionRegistry regions;
    private final ControlStatus status;
    private final EventRecorder recorder;
    private final ControlLoop loop;
    private final ControlLink link;
    private final ElectionRunner election;
    private final SplitBrainRunner split;
    private final WitnessRunner witness;
    private final OrdersRunner orders;
    private final Map<String, CoordinatorCommandRunner> coordinators = new HashMap<>();

    /** Node, context and state that the runner works on. */
    record Place(
            NodeParts parts,
            Context context,
            RegionRegistry regions,
            ControlStatus status,
            Confirmations confirmations) {}

    /** @param received takes messages that this node sends to itself */
    NodeCommandRunner(
            Place place,
            NodeControl control,
            SplitBrainSetup setup,
            EventRing events,
            Supplier<Moment> clock,
            Consumer<ControlMessage> received) {
        this.parts = place.parts();
        this.context = place.context();
        this.regions = place.regions();
        this.status = place.status();
        this.control = control;
        this.recorder = new EventRecorder(parts.self(), events, parts.membership()::lossReason);
        this.loop = new ControlLoop(control, clock, this, this::publish);
        this.link = new ControlLink(parts.self(), context, parts.transport(), received);
        this.election = new ElectionRunner(control, parts, context, loop, this::incompatible, place.confirmations());
        this.split = new SplitBrainRunner(setup, control, parts, context, loop);
        this.witness = new WitnessRunner(
                parts.self(),
                context,
                setup.witness(),
                parts.clock()::now,
                control.peers(),
                dead -> loop.run((machine, at) -> machine.provenDead(dead, at)));
        this.orders = new OrdersRunner(control, loop, parts, context);
    }

    ControlLoop loop() {
        return loop;
    }

    ControlLink link() {
        return link;
    }

    WitnessRunner witness() {
        return witness;
    }

    OrdersRunner orders() {
        return orders;
    }

    /** Completes when no operation of it is under way any more. */
    Future<Void> close() {
        link.flush();
        return election.written().compose(done -> split.close());
    }

    private void publish() {
        status.publish(control).forEach(parts.transport()::forget);
    }

    /** The record is of nodes that this build cannot work with. */
    private void incompatible(String reason) {
        if (regions.refuse(reason)) {
            LOG.error("this node hosts nothing: {}", reason);
        }
    }

    @Override
    public void elected(NodeCommand.Elected command) {
        recorder.elected(command.command());
        command.command().accept(election);
    }

    @Override
    public void decided(NodeCommand.Decided command) {
        recorder.decided(command.command());
        command.command().accept(split);
    }

    /** Ignores commands of a reign that has ended. */
    @Override
    public void coordinated(NodeCommand.Coordinated command) {
        Coordinator coordinator = control.coordinator(command.type(), command.term());
        if (coordinator != null) {
            CoordinatorCommandRunner runner = coordinators.compute(
                    command.type(),
                    (type, before) -> before != null && before.isOf(coordinator, regions.get(type))
                            ? before
                            : runner(type, coordinator));
            runner.noteOpening();
            command.command().accept(runner);
        }
    }

    private CoordinatorCommandRunner runner(String type, Coordinator coordinator) {
        RegionControl<?> region = regions.get(type);
        CoordinatorCommandRunner.Place place =
                new CoordinatorCommandRunner.Place(parts.self(), link, loop, context, recorder);
        return new CoordinatorCommandRunner(
                type,
                coordinator,
                region,
                place,
                AllocationRules.forType(type, region, parts, coordinator::numberOfShards, context),
                remembered(region));
    }

    /** The store that the definition brings if this node has the type, else the node's own. */
    private Supplier<Future<RememberedEntitiesStore>> remembered(@Nullable RegionControl<?> region) {
        RememberedEntitiesStore own = region == null
                ? null
                : region.handle().definition().rememberedEntitiesStore().orElse(null);
        return own == null ? parts.remembered() : () -> Future.succeededFuture(own);
    }

    void noteOpenings() {
        coordinators.values().forEach(CoordinatorCommandRunner::recordMoves);
        if (control.reign() == null) {
            coordinators.clear();
        }
        coordinators.values().forEach(CoordinatorCommandRunner::noteOpening);
    }

    @Override
    public void send(NodeCommand.Send command) {
        link.send(command.to(), new ControlMessage.ForNode(parts.self(), command.message()));
    }

    @Override
    public void broadcast(NodeCommand.Broadcast command) {
        link.broadcast(status.picture().members(), command.message());
    }

    @Override
    public void turnTo(NodeCommand.TurnTo command) {
        regions.all().forEach(region -> region.termSeen(command.term()));
    }

    @Override
    public void permit(NodeCommand.Permit command) {
        regions.all().forEach(region -> region.permit(command.refusal()));
    }

    @Override
    public void deliver(NodeCommand.Deliver command) {
        RegionControl<?> region = regions.get(command.type());
        if (region != null) {
            region.received(command.term(), command.message());
        }
    }

    @Override
    public void nodesChanged(NodeCommand.NodesChanged command) {
        recorder.nodesChanged(command.change());
        witness.viewChanged(command.change());
        regions.all().forEach(region -> {
            command.change().gone().forEach(region::nodeGone);
            command.change().come().forEach(region::nodeBack);
        });
    }

    @Override
    public void excuse(NodeCommand.Excuse command) {
        parts.membership().saidGoodbye(command.node());
    }

    @Override
    public void takeForDead(NodeCommand.TakeForDead command) {
        LOG.info("node={} is dead: its shards are assigned again before the end of its lease", command.node());
        recorder.provenDead(command.node());
        witness.forget(command.node());
    }

    @Override
    public void doubtTime(NodeCommand.DoubtTime command) {
        LOG.warn("the wall clock ran {} ms ahead: this machine was suspended or its time was set", command.gained());
    }

    @Override
    public void refuse(NodeCommand.Refuse command) {
        parts.transport().refusedControl(parts.self(), command.problem());
    }

    @Override
    public void refuseStranger(NodeCommand.RefuseStranger command) {
        parts.transport().strangerRefused(command.from());
    }

    @Override
    public void skip(NodeCommand.Skip command) {
        parts.transport().skipped("a control message of kind " + command.kind() + " from " + command.from());
    }

    @Override
    public void ordered(NodeCommand.Ordered command) {
        command.command().accept(orders);
    }
}
