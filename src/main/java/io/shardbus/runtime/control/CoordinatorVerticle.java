package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.Dependents;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.KnownMembers;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeCommand;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.NodeSetup;
import io.shardbus.core.control.PeerAttributes;
import io.shardbus.core.control.Reign;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.TermId;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.spi.RememberedEntitiesStore;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.shardbus.transport.seal.Seals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane of one node, on one event loop: it translates what happens into events of {@link NodeControl}, and
 * its commands into messages, operations on the store and calls of this node's regions. Deployed on every node.
 */
public final class CoordinatorVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorVerticle.class);
    private static final long TICK = 25;

    private final NodeParts parts;
    private final SplitBrainSetup setup;
    private final Map<String, RegionControl<?>> regions = new LinkedHashMap<>();
    private final FoundingReport foundings;
    private final EventRing events;
    private final EventRecorder recorder;
    private final Confirmations confirmations = new Confirmations();
    private @Nullable Machines machines;
    private BusTransport.@Nullable Registration registration;
    /** The reason why this node cannot work with those that run the cluster; for good once it is so. */
    private @Nullable String incompatible;
    /** Whether a region was removed whose code may still run. */
    private boolean unended;

    private volatile ClusterPicture picture = ClusterPicture.NOTHING;
    private volatile Belief belief = Belief.NOTHING;
    private final Liveness liveness;

    /** Machines and runners of this node's control plane; made at the start. */
    private record Machines(
            NodeControl control,
            ControlLoop loop,
            ElectionRunner election,
            SplitBrainRunner split,
            WitnessRunner witness,
            ControlLink link,
            OrdersRunner orders,
            Commands commands) {}

    /** State of the control machine as other threads may see it. */
    private record Belief(
            KnownMembers known,
            TermId term,
            @Nullable NodeId coordinator,
            boolean cutOff,
            @Nullable String difference,
            @Nullable String deadlock,
            Dependents dependents) {
        static final Belief NOTHING =
                new Belief(KnownMembers.NONE, TermId.NONE, null, false, null, null, Dependents.NONE);

        static Belief of(NodeControl control) {
            return new Belief(
                    control.known(),
                    control.term(),
                    control.coordinator(),
                    control.isCutOff(),
                    control.difference(),
                    control.deadlock(),
                    control.dependents());
        }
    }

    public CoordinatorVerticle(NodeParts parts, SplitBrainSetup setup) {
        this.parts = parts;
        this.setup = setup;
        this.events = new EventRing(parts.self(), parts.clock()::wallMillis);
        this.recorder = new EventRecorder(parts.self(), events, parts.membership()::lossReason);
        this.liveness = new Liveness(parts.times().lease(), parts.clock()::awake);
        this.foundings = new FoundingReport(parts.self(), parts.membership().seats(), parts.clock()::now);
    }

    @Override
    public Future<?> start() {
        machines = assemble();
        registration = parts.transport()
                .receiveControl(
                        parts.self(), buffer -> ControlCodec.decode(buffer).forEach(this::receiveFromAfar));
        return registration
                .ready()
                .compose(ready -> parts.membership()
                        .start(new MembersOnContext(
                                context,
                                this::viewChanged,
                                nodes -> machines().loop().run((machine, at) -> machine.countedChanged(nodes, at)),
                                this::attributesChanged,
                                this::succeeded)))
                .onSuccess(started -> {
                    vertx.setPeriodic(TICK, ignored -> tick());
                    tick();
                });
    }

    private Machines assemble() {
        NodeSetup node = new NodeSetup(
                parts.self(),
                parts.incarnation(),
                parts.options().isCoordinator() && parts.membership().seats().mayClaim(),
                parts.membership().seats(),
                parts.times(),
                parts.clock().processStart(),
                setup.witness() != null,
                setup.strategy().overridesMajority(),
                setup.name());
        SafetyOptions own = safety(
                RegionSettings.safety(parts.options()).options(),
                parts.transport().secretFingerprint());
        SplitResolver resolver = new SplitResolver(parts.self(), setup.strategy(), setup.times(), own);
        NodeControl control = new NodeControl(node, resolver, this::settings, moment());
        Commands commands = new Commands();
        ControlLoop loop = new ControlLoop(control, this::moment, commands, this::publish);
        return new Machines(
                control,
                loop,
                new ElectionRunner(control, parts, context, loop, this::incompatible, confirmations),
                new SplitBrainRunner(setup, control, parts, context, loop),
                new WitnessRunner(
                        parts.self(),
                        context,
                        setup.witness(),
                        parts.clock()::now,
                        control.peers(),
                        dead -> loop.run((machine, at) -> machine.provenDead(dead, at))),
                new ControlLink(parts.self(), context, parts.transport(), this::receive),
                new OrdersRunner(control, loop, parts, context),
                commands);
    }

    private Moment moment() {
        long now = parts.clock().now();
        return new Moment(now, parts.clock().wallMillis(), parts.clock().time());
    }

    private CoordinatorSettings settings(String type, ElectionCommand.Begin begin) {
        return ReignSettings.of(parts, regions.get(type), begin);
    }

    @Override
    public Future<?> stop() {
        liveness.ended();
        return registration == null ? Future.succeededFuture() : registration.close();
    }

    /** The context of the control plane: where everything here must be called. */
    public Context controlContext() {
        return context;
    }

    /** The cluster as last seen; any thread. */
    public ClusterPicture picture() {
        return picture;
    }

    /** The events that this node has recorded for operators; any thread. */
    public EventRing events() {
        return events;
    }

    public Confirmations confirmations() {
        return confirmations;
    }

    /** The types that this node coordinates now; empty if it does not reign. */
    public Optional<Map<String, CoordinatorAdmin>> admins() {
        return Optional.ofNullable(control().reign()).map(reign -> {
            Map<String, CoordinatorAdmin> admins = new TreeMap<>();
            for (String type : reign.types()) {
                CoordinatorAdmin admin = admin(reign, type).admin();
                if (admin != null) {
                    admins.put(type, admin);
                }
            }
            return admins;
        });
    }

    /** By how much the last tick of this node's control plane came late, in milliseconds; any thread. */
    public long loopLag() {
        return liveness.lag(TICK);
    }

    /** Whether messages of the node are believed here; any thread. */
    public boolean knows(NodeId node) {
        return belief.known().contains(node);
    }

    /** The highest term seen; any thread. */
    public long term() {
        return belief.term().number();
    }

    /** The node that reigns, as far as known; any thread. */
    public @Nullable NodeId coordinator() {
        return belief.coordinator();
    }

    /** The reason why this node is not ready though its side may act; null if nothing is in its way. Any thread. */
    public @Nullable String misfit() {
        String difference = belief.difference();
        return difference == null
                ? null
                : "options that must be the same on all nodes differ from " + difference
                        + ": set the same, or stop all nodes to change them";
    }

    /**
     * Whether this node could not confirm its term for a lease, and knows of no other that reigns since; any thread.
     */
    public boolean isCutOff() {
        return belief.cutOff();
    }

    /** Whether this node is configured for other seats than the cluster; any thread. */
    public boolean isMisfit() {
        return foundings.misfit() != null;
    }

    /**
     * The reason why this node takes no part in a cluster, though no member is lost: for people; null if nothing keeps
     * it from that. Any thread.
     */
    public @Nullable String foundingComplaint() {
        return foundings.complaint();
    }

    /** The reasons why only a new start of this process helps it, for people; empty mostly. Any thread. */
    public List<String> restartReasons() {
        return Stream.of(
                        belief.deadlock(),
                        liveness.blocked(),
                        parts.membership().end())
                .filter(Objects::nonNull)
                .toList();
    }

    /** The nodes that stop when this one leaves, as none of them may coordinate; any thread. */
    public Dependents dependents() {
        return belief.dependents();
    }

    /** Takes a region under control; it registers with the coordinator of the present term. */
    public void add(RegionControl<?> region) {
        String type = region.handle().type().name();
        regions.put(type, region);
        control().typeAdded(type);
        region.permit(control().refusal());
        String other = incompatible;
        if (other != null) {
            region.refuse(other);
        }
        if (!control().term().equals(TermId.NONE)) {
            region.termSeen(control().term());
        }
    }

    public void remove(RegionControl<?> region) {
        String type = region.handle().type().name();
        if (regions.remove(type, region)) {
            control().typeRemoved(type);
        }
        unended |= !region.ended().isComplete();
    }

    /** The operator API of a type's coordinator, if this node coordinates at this moment, as far as it knows. */
    public Optional<CoordinatorAdmin.OfType> admin(String type) {
        return Optional.ofNullable(control().reign()).map(reign -> admin(reign, type));
    }

    /**
     * In a cluster's first reign no region was there before; in a later one every region that this node can hear has
     * tried to register within the longest pause between two tries.
     */
    private CoordinatorAdmin.OfType admin(Reign reign, String type) {
        Coordinator found = reign.coordinator(type);
        boolean late = reign.begin().predecessor().equals(TermId.NONE)
                || parts.clock().now()
                        >= reign.begin().confirmSent() + ReignSettings.longestPause(parts, regions.get(type));
        return new CoordinatorAdmin.OfType(
                found == null
                        ? null
                        : new CoordinatorAdmin(
                                type,
                                Placings.name(regions.get(type), parts),
                                () -> Placings.forType(type, regions.get(type), parts, found::numberOfShards, context),
                                found,
                                machines().loop(),
                                parts.clock()),
                late);
    }

    /** Carries out what operators order. */
    public OrdersRunner orders() {
        return machines().orders();
    }

    /** From now on nothing moves, as the whole cluster stops; or it goes on after all. */
    public void prepareForShutdown(boolean stops) {
        machines().loop().run((machine, at) -> machine.clusterStops(stops, at));
    }

    public boolean isPreparedForShutdown() {
        return control().isClusterStopping();
    }

    /** This node never coordinates from now on: it does not fit the others. */
    public void withdraw() {
        machines().loop().run((machine, at) -> machine.withdraw(at));
    }

    /** Gives up the term, if there is one, in favour of the next, and tells all that this node goes. */
    public Future<Void> sayGoodbye() {
        boolean ended = !unended && regions.isEmpty();
        machines().loop().run((machine, at) -> machine.leave(ended, at));
        machines().link().flush();
        return machines()
                .election()
                .written()
                .compose(done -> machines().split().close());
    }

    /**
     * Sends a region's message to the coordinator of the present term; without one it is lost, and repeated by the
     * region.
     */
    public void toCoordinator(String type, ToCoordinator message) {
        NodeId to = control().coordinator();
        if (to != null && control().refusal() == null) {
            TermId term = control().term();
            machines().link().send(to, new ControlMessage.ForCoordinator(parts.self(), term, type, message));
        }
    }

    private void tick() {
        liveness.ticked();
        machines().loop().run((machine, at) -> machine.tick(at));
        foundings.look(control().election().misfit(), control().election().foundingWaits());
        machines().commands().noteOpenings();
        regions.values().forEach(RegionControl::tick);
    }

    /** A message over the bus: its sender may not be what it says. */
    private void receiveFromAfar(ControlMessage message) {
        if (parts.self().equals(message.from())) {
            refused("a message from elsewhere in the name of this node");
        } else if (knows(message.from())) {
            receive(message);
        } else {
            parts.transport().strangerRefused(message.from());
        }
    }

    private void refused(String problem) {
        parts.transport().refusedControl(parts.self(), problem);
    }

    private void receive(ControlMessage message) {
        if (message instanceof ControlMessage.ForCoordinator m) {
            machines().loop().run((machine, at) -> machine.forCoordinator(m.from(), m.term(), m.type(), m.body(), at));
        } else if (message instanceof ControlMessage.ForRegion m) {
            machines().loop().run((machine, at) -> machine.forRegion(m.from(), m.term(), m.type(), m.body(), at));
        } else if (message instanceof ControlMessage.ForNode m) {
            machines().loop().run((machine, at) -> machine.forNode(m.from(), m.body(), at));
        } else if (message instanceof ControlMessage.Unknown m && control().refusal() == null) {
            parts.transport().skipped("a control message of kind " + m.kind() + " from " + m.from());
        }
    }

    private Machines machines() {
        return Objects.requireNonNull(machines, "started");
    }

    private NodeControl control() {
        return machines().control();
    }

    private void publish() {
        KnownMembers before = belief.known();
        belief = Belief.of(control());
        belief.known().forgottenSince(before).forEach(parts.transport()::forget);
        if (picture.available() != control().mayAct()) {
            picture = picture.permitted(control().mayAct());
        }
    }

    private void succeeded(NodeId node) {
        machines().loop().run((machine, at) -> machine.succeeded(node, at));
    }

    private void viewChanged(ClusterView view) {
        picture = picture.with(view).permitted(picture.available() && view.available());
        machines()
                .loop()
                .run((machine, at) -> machine.viewChanged(view.members(), view.available(), view.merged(), at));
    }

    private void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
        picture = picture.with(attributes);
        machines().witness().attributes(attributes);
        Map<NodeId, PeerAttributes> said = new HashMap<>();
        attributes.forEach((node, known) -> said.put(
                node,
                new PeerAttributes(
                        known.roles(),
                        known.mayCoordinate(),
                        known.safety().isEmpty() ? null : safety(known.safety(), known.secret()))));
        machines().loop().run((machine, at) -> machine.attributesChanged(said, at));
    }

    /**
     * The options that a node must have in common with the others, its secret among them.
     *
     * @param secret its fingerprint; empty for a node of an earlier build, which does not say it: it counts as the same
     */
    private SafetyOptions safety(Map<String, String> options, String secret) {
        Map<String, String> all = new HashMap<>(options);
        all.put(Seals.OPTION, secret.isEmpty() ? parts.transport().secretFingerprint() : secret);
        return SafetyOptions.of(all);
    }

    /** The record is of nodes that this build cannot work with. */
    private void incompatible(String reason) {
        if (incompatible == null) {
            incompatible = reason;
            LOG.error("this node hosts nothing: {}", reason);
            regions.values().forEach(region -> region.refuse(reason));
        }
    }

    private final class Commands implements NodeCommand.Visitor {
        private final Map<String, CoordinatorCommandRunner> coordinators = new HashMap<>();

        @Override
        public void elected(NodeCommand.Elected command) {
            recorder.elected(command.command());
            command.command().accept(machines().election());
        }

        @Override
        public void decided(NodeCommand.Decided command) {
            recorder.decided(command.command());
            command.command().accept(machines().split());
        }

        /** Of a reign that has ended meanwhile nothing is carried out. */
        @Override
        public void coordinated(NodeCommand.Coordinated command) {
            Coordinator coordinator = control().coordinator(command.type(), command.term());
            if (coordinator != null) {
                CoordinatorCommandRunner runner = coordinators.compute(
                        command.type(),
                        (type, before) -> before != null && before.coordinator() == coordinator
                                ? before
                                : runner(type, coordinator));
                runner.noteOpening();
                command.command().accept(runner);
            }
        }

        private CoordinatorCommandRunner runner(String type, Coordinator coordinator) {
            RegionControl<?> region = regions.get(type);
            CoordinatorCommandRunner.Place place = new CoordinatorCommandRunner.Place(
                    parts.self(), machines().link(), machines().loop(), context, recorder);
            return new CoordinatorCommandRunner(
                    type,
                    coordinator,
                    place,
                    Placings.forType(type, region, parts, coordinator::numberOfShards, context),
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
            if (control().reign() == null) {
                coordinators.clear();
            }
            coordinators.values().forEach(CoordinatorCommandRunner::noteOpening);
        }

        @Override
        public void send(NodeCommand.Send command) {
            machines().link().send(command.to(), new ControlMessage.ForNode(parts.self(), command.message()));
        }

        @Override
        public void broadcast(NodeCommand.Broadcast command) {
            machines().link().broadcast(picture.members(), command.message());
        }

        @Override
        public void turnTo(NodeCommand.TurnTo command) {
            regions.values().forEach(region -> region.termSeen(command.term()));
        }

        @Override
        public void permit(NodeCommand.Permit command) {
            regions.values().forEach(region -> region.permit(command.refusal()));
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
            machines().witness().viewChanged(command.change());
            regions.values().forEach(region -> {
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
            LOG.info("{} is dead: its shards are free before the end of its lease", command.node());
            recorder.provenDead(command.node());
            machines().witness().forget(command.node());
        }

        @Override
        public void doubtTime(NodeCommand.DoubtTime command) {
            LOG.warn(
                    "the wall clock ran {} ms ahead: this machine was suspended or its time was set", command.gained());
        }

        @Override
        public void refuse(NodeCommand.Refuse command) {
            refused(command.problem());
        }

        @Override
        public void followOrders(NodeCommand.FollowOrders command) {
            machines().orders().follow(command);
        }
    }
}
