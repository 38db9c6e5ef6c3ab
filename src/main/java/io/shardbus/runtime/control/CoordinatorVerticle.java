package io.shardbus.runtime.control;

import io.shardbus.core.control.ControlLoop;
import io.shardbus.core.control.ElectionCommand;
import io.shardbus.core.control.HeardAnnouncements;
import io.shardbus.core.control.Moment;
import io.shardbus.core.control.NodeControl;
import io.shardbus.core.control.NodeSetup;
import io.shardbus.core.control.PeerAttributes;
import io.shardbus.core.control.RegionEnd;
import io.shardbus.core.control.Reign;
import io.shardbus.core.control.ShutdownAnnouncement;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.core.splitbrain.SplitResolver;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.shardbus.model.SafetyOptions;
import io.shardbus.model.TermId;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionSettings;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.shardbus.transport.seal.Seals;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The control plane of one node, on one event loop: it translates what happens into events of {@link NodeControl}, and
 * its commands into messages, operations on the store and calls of this node's regions. Deployed on every node.
 */
public final class CoordinatorVerticle extends VerticleBase {
    static final long TICK = 25;

    private final NodeParts parts;
    private final SplitBrainSetup setup;
    private final RegionRegistry regions = new RegionRegistry();
    private final EventRing events;
    private final Confirmations confirmations = new Confirmations();
    private final ControlStatus status;
    private @Nullable NodeControl machine;
    private @Nullable NodeCommandRunner commands;
    private BusTransport.@Nullable Registration registration;

    public CoordinatorVerticle(NodeParts parts, SplitBrainSetup setup) {
        this.parts = parts;
        this.setup = setup;
        this.events = new EventRing(parts.self(), parts.clock()::wallMillis);
        this.status = new ControlStatus(parts);
    }

    @Override
    public Future<?> start() {
        assemble();
        registration = parts.transport()
                .receiveControl(
                        parts.self(), buffer -> ControlCodec.decode(buffer).forEach(this::receiveFromAfar));
        return registration
                .ready()
                .compose(ready -> parts.membership()
                        .start(new MembersOnContext(
                                context,
                                this::viewChanged,
                                nodes -> loop().run((control, at) -> control.countedChanged(nodes, at)),
                                this::attributesChanged,
                                this::succeeded,
                                reason -> loop().run((control, at) -> control.membershipEnded(reason, at)))))
                .onSuccess(started -> {
                    vertx.setPeriodic(TICK, ignored -> tick());
                    tick();
                });
    }

    private void assemble() {
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
        NodeCommandRunner.Place place = new NodeCommandRunner.Place(parts, context, regions, status, confirmations);
        machine = control;
        commands = new NodeCommandRunner(place, control, setup, events, this::moment, this::receive);
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
        status.ended();
        return registration == null ? Future.succeededFuture() : registration.close();
    }

    /** The context of the control plane: where everything here must be called. */
    public Context controlContext() {
        return context;
    }

    /** State of the control plane for other threads. */
    public ControlStatus status() {
        return status;
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

    /** A region of this node was granted a lease until that moment, in elapsed milliseconds; on the control context. */
    public void leaseGranted(long until) {
        control().leaseGranted(until);
    }

    /** Takes a region under control; it registers with the coordinator of the present term. */
    public void add(RegionControl<?> region) {
        regions.add(region);
        loop().run((control, at) -> control.typeAdded(RegionRegistry.type(region), at));
        region.permit(control().refusal());
        String incompatible = regions.incompatible();
        if (incompatible != null) {
            region.refuse(incompatible);
        }
        if (!control().term().equals(TermId.NONE)) {
            region.termSeen(control().term());
        }
    }

    public void remove(RegionControl<?> region) {
        if (regions.remove(region)) {
            control().typeRemoved(RegionRegistry.type(region));
        }
    }

    /** The operator API of a type's coordinator, if this node coordinates at this moment, as far as it knows. */
    public Optional<CoordinatorAdmin.OfType> admin(String type) {
        return Optional.ofNullable(control().reign()).map(reign -> admin(reign, type));
    }

    private CoordinatorAdmin.OfType admin(Reign reign, String type) {
        Coordinator found = reign.coordinator(type);
        boolean late = reign.hasBeenHeard(
                ReignSettings.longestPause(parts, regions.get(type)),
                parts.clock().now());
        return new CoordinatorAdmin.OfType(
                found == null
                        ? null
                        : new CoordinatorAdmin(
                                type,
                                AllocationRules.name(regions.get(type), parts),
                                parts.options().getRebalanceIntervalMs() > 0,
                                () -> AllocationRules.forType(
                                        type, regions.get(type), parts, found::numberOfShards, context),
                                found,
                                loop(),
                                parts.clock()),
                late);
    }

    /** Carries out what operators order. */
    public OrdersRunner orders() {
        return commands().orders();
    }

    /** An operator says on this node whether the whole cluster stops: it holds here, and the others are to be told. */
    public ShutdownAnnouncement announceShutdown(boolean stops) {
        ShutdownAnnouncement said = control()
                .announcements()
                .next(stops, parts.self(), parts.clock().wallMillis());
        loop().run((control, at) -> control.clusterStops(said, at));
        return said;
    }

    /**
     * From now on nothing moves, as the whole cluster stops; or it goes on after all.
     *
     * @return 0, or the number of a later announcement, to which this node keeps
     */
    public long prepareForShutdown(ShutdownAnnouncement said) {
        HeardAnnouncements heard = control().announcements();
        long wall = parts.clock().wallMillis();
        long outdatedBy = heard.isNews(said, wall) ? 0 : heard.latest(wall);
        loop().run((control, at) -> control.clusterStops(said, at));
        return outdatedBy;
    }

    /** A member keeps to a later announcement than one that was said here. */
    public void shutdownOutdatedBy(long number) {
        control().announcements().outdatedBy(number);
    }

    /** The way in which a region of this status ends that is told to; on the control context. */
    public RegionEnd regionEnd(RegionStatus of) {
        return control().regionEnd(of, parts.membership().end() != null);
    }

    public boolean isPreparedForShutdown() {
        return control().isClusterStopping();
    }

    /** This node never coordinates from now on: it does not fit the others. */
    public void withdraw() {
        loop().run((control, at) -> control.withdraw(at));
    }

    /** Gives up the term, if there is one, in favour of the next, and tells all that this node goes. */
    public Future<Void> sayGoodbye() {
        boolean ended = regions.isEnded();
        loop().run((control, at) -> control.leave(ended, at));
        return commands().close();
    }

    /**
     * Sends a region's message to the coordinator of the present term; without one it is lost, and repeated by the
     * region.
     */
    public void toCoordinator(String type, ToCoordinator message) {
        NodeId to = control().coordinator();
        if (to != null && control().refusal() == null) {
            TermId term = control().term();
            commands().link().send(to, new ControlMessage.ForCoordinator(parts.self(), term, type, message));
        }
    }

    private void tick() {
        status.ticked();
        loop().run(NodeControl::tick);
        status.look(control());
        commands().noteOpenings();
        regions.all().forEach(RegionControl::tick);
    }

    /** A message over the bus: its sender may not be what it says. */
    private void receiveFromAfar(ControlMessage message) {
        if (parts.self().equals(message.from())) {
            parts.transport().refusedControl(parts.self(), "a remote message names this node as its sender");
        } else {
            receive(message);
        }
    }

    private void receive(ControlMessage message) {
        if (message instanceof ControlMessage.ForCoordinator m) {
            loop().run((control, at) -> control.forCoordinator(m.from(), m.term(), m.type(), m.body(), at));
        } else if (message instanceof ControlMessage.ForRegion m) {
            loop().run((control, at) -> control.forRegion(m.from(), m.term(), m.type(), m.body(), at));
        } else if (message instanceof ControlMessage.ForNode m) {
            loop().run((control, at) -> control.forNode(m.from(), m.body(), at));
        } else if (message instanceof ControlMessage.Unknown m) {
            loop().run((control, at) -> control.forLaterBuild(m.from(), m.kind(), at));
        }
    }

    private NodeCommandRunner commands() {
        return Objects.requireNonNull(commands, "started");
    }

    private ControlLoop loop() {
        return commands().loop();
    }

    private NodeControl control() {
        return Objects.requireNonNull(machine, "started");
    }

    private void succeeded(NodeId node) {
        loop().run((control, at) -> control.succeeded(node, at));
    }

    private void viewChanged(ClusterView view) {
        status.viewChanged(view);
        loop().run((control, at) -> control.viewChanged(view.members(), view.available(), view.merged(), at));
    }

    private void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
        status.attributesChanged(attributes);
        commands().witness().attributes(attributes);
        Map<NodeId, PeerAttributes> said = new HashMap<>();
        attributes.forEach((node, known) -> said.put(
                node,
                new PeerAttributes(
                        known.roles(),
                        known.mayCoordinate(),
                        known.safety().isEmpty() ? null : safety(known.safety(), known.secret()))));
        loop().run((control, at) -> control.attributesChanged(said, at));
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
}
