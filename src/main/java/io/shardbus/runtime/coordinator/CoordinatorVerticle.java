package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.ShardingOptions;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.Election;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control plane of one node, on one event loop: the election, the coordinators while this node reigns, and the control of its
 * regions. Deployed on every node; what it coordinates depends on the term.
 */
public final class CoordinatorVerticle extends VerticleBase {
    private static final long TICK = 25;

    private final NodeParts parts;
    private final SplitBrainRunner split;
    private final Map<String, RegionControl<?>> regions = new LinkedHashMap<>();
    private final SuspensionWatch suspensions;
    private final EndedTerms endedTerms = new EndedTerms();
    private final Reigns reigns = new Reigns();
    private @Nullable Election election;
    private @Nullable ElectionRunner runner;
    private @Nullable ControlLink link;
    private @Nullable Reign reign;
    private @Nullable String stopped;
    private @Nullable Departures departures;
    private BusTransport.@Nullable Registration registration;
    private volatile ClusterPicture picture = ClusterPicture.NOTHING;
    private volatile TermId term = TermId.NONE;
    private volatile @Nullable NodeId coordinator;
    private boolean preparedForShutdown;

    public CoordinatorVerticle(NodeParts parts, SplitBrainSetup setup) {
        this.parts = parts;
        this.split = new SplitBrainRunner(setup, parts, () -> context, this::lossUndecided, this::permit);
        this.suspensions = new SuspensionWatch(parts.clock(), parts.times().margin() / 2);
    }

    @Override
    public Future<?> start() {
        ShardingOptions options = parts.options();
        Election made = new Election(
                parts.self(),
                parts.incarnation(),
                options.isCoordinator(),
                options.getMinimumMembers(),
                parts.times(),
                parts.clock().processStart());
        election = made;
        runner = new ElectionRunner(made, parts, context, reigns);
        departures = Departures.of(parts, vertx, context, this::provenDead);
        if (departures.hasWitness()) {
            made.holders().list();
        }
        link = new ControlLink(parts.self(), context, parts.transport(), this::receive);
        registration = parts.transport()
                .receiveControl(
                        parts.self(), buffer -> ControlCodec.decode(buffer).forEach(this::receive));
        return registration
                .ready()
                .compose(ready -> parts.membership().start(new Members()))
                .onSuccess(started -> {
                    vertx.setPeriodic(TICK, ignored -> tick());
                    tick();
                });
    }

    @Override
    public Future<?> stop() {
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

    /** The highest term seen; any thread. */
    public long term() {
        return term.number();
    }

    /** Who reigns, as far as known; any thread. */
    public @Nullable NodeId coordinator() {
        return coordinator;
    }

    /** Takes a region under control; it registers with the coordinator of the present term. */
    public void add(RegionControl<?> region) {
        regions.put(region.handle().type().name(), region);
        region.permit(stopped);
        if (!term.equals(TermId.NONE)) {
            region.termSeen(term);
        }
    }

    public void remove(RegionControl<?> region) {
        regions.remove(region.handle().type().name(), region);
    }

    public Map<String, RegionControl<?>> regions() {
        return regions;
    }

    /** The coordinator of a type if this node reigns and a region of the type has registered. */
    public @Nullable CoordinatorDesk desk(String type) {
        Reign present = reign;
        CoordinatorCommandRunner found = present == null ? null : present.existing(type);
        return found == null ? null : new CoordinatorDesk(found, parts.clock());
    }

    /** Whether this node coordinates at this moment, as far as it knows. */
    public boolean reigns() {
        return reign != null;
    }

    /** Every type with a coordinator here. */
    public Set<String> coordinatedTypes() {
        Reign present = reign;
        return present == null ? Set.of() : present.types();
    }

    /** From now on nothing moves and nobody takes over: the whole cluster stops. */
    public void prepareForShutdown() {
        preparedForShutdown = true;
        Reign present = reign;
        if (present != null) {
            present.all(new CoordinatorEvent.ShutdownPrepared());
        } else {
            requireRunner().run(requireElection()::resign);
        }
    }

    public boolean isPreparedForShutdown() {
        return preparedForShutdown;
    }

    /** Gives up the term, if there is one, in favour of whoever comes next, and tells all that this node goes. */
    public Future<Void> sayGoodbye() {
        Reign present = reign;
        Map<String, Set<NodeId>> holders = present == null ? Map.of() : present.leaseHolders();
        holders.values().forEach(nodes -> nodes.remove(parts.self())); // its own regions have ended
        requireRunner().run(now -> requireElection().resign(now));
        if (present != null) {
            broadcast(new NodeMessage.Abdicated(present.term(), holders));
        }
        broadcast(new NodeMessage.NodeLeaving(parts.self()));
        requireLink().flush();
        return requireRunner().written().compose(done -> split.close());
    }

    /** Sends a region's message to the coordinator of the present term; without one it is lost, and repeated by the region. */
    public void toCoordinator(String type, ToCoordinator message) {
        NodeId to = coordinator;
        if (to != null && stopped == null) {
            requireLink().send(to, new ControlMessage.ForCoordinator(parts.self(), term, type, message));
        }
    }

    private void tick() {
        if (suspensions.slept()) {
            requireRunner().run(now -> requireElection().suspended(now));
        }
        split.tick();
        requireRunner().run(requireElection()::tick);
        reigning(present -> present.all(new CoordinatorEvent.Ticked()));
        regions.values().forEach(RegionControl::tick);
    }

    private void receive(ControlMessage message) {
        if (stopped != null && !(message instanceof ControlMessage.ForNode)) {
            return;
        }
        if (message instanceof ControlMessage.ForCoordinator m) {
            forCoordinator(m);
        } else if (message instanceof ControlMessage.ForRegion m) {
            termSeen(m.term(), m.from());
            RegionControl<?> region = regions.get(m.type());
            if (region != null) {
                region.received(m.term(), m.body());
            }
        } else if (message instanceof ControlMessage.ForNode m) {
            m.body().accept(new NodeMessages());
        }
    }

    private void forCoordinator(ControlMessage.ForCoordinator message) {
        if (message.term().isHigherThan(term)) {
            termSeen(message.term(), null);
        }
        Reign present = reign;
        if (present != null && present.term().equals(message.term())) {
            CoordinatorCommandRunner found = present.coordinator(message.type(), grantable());
            if (found != null) {
                found.step(new CoordinatorEvent.Received(message.from(), message.body()));
            }
            return;
        }
        NodeId known = coordinator;
        if (known != null && term.isHigherThan(message.term())) {
            NodeMessage announcement = new NodeMessage.TermAnnounced(term, known);
            requireLink().send(message.from(), new ControlMessage.ForNode(parts.self(), announcement));
        }
    }

    /** A higher term ends this node's own reign first, then its regions turn to the new coordinator. */
    private void termSeen(TermId seen, @Nullable NodeId reigning) {
        if (seen.isHigherThan(term)) {
            term = seen;
            coordinator = reigning;
            requireRunner().run(now -> requireElection().termSeen(seen, now));
            regions.values().forEach(region -> region.termSeen(seen));
        } else if (seen.equals(term) && coordinator == null && !parts.self().equals(reigning)) {
            coordinator = reigning;
        }
    }

    private void broadcast(NodeMessage message) {
        for (NodeId member : picture.members()) {
            if (!member.equals(parts.self())) {
                requireLink().send(member, new ControlMessage.ForNode(parts.self(), message));
            }
        }
    }

    private Election requireElection() {
        return Objects.requireNonNull(election, "started");
    }

    private ElectionRunner requireRunner() {
        return Objects.requireNonNull(runner, "started");
    }

    private ControlLink requireLink() {
        return Objects.requireNonNull(link, "started");
    }

    private Departures requireDepartures() {
        return Objects.requireNonNull(departures, "started");
    }

    /** The members of the view that may hold leases of this node's reign. */
    private Set<NodeId> grantable() {
        return requireElection().holders().grantable(picture.members());
    }

    private void provenDead(NodeId node) {
        boolean undecided = requireDepartures().isUndecided();
        // who is dead decides nothing: where only such nodes are missing there is no other side
        parts.membership().saidGoodbye(node);
        split.excused(node);
        requireRunner().run(now -> requireElection().nodeProvenDead(node, undecided, now));
        reigning(present -> present.all(new CoordinatorEvent.NodeProvenDead(node)));
    }

    private void viewChanged(ClusterView view) {
        ClusterPicture before = picture;
        split.viewChanged(view);
        picture = picture.with(view).permitted(split.mayAct());
        Set<NodeId> gone = before.without(picture);
        Set<NodeId> come = picture.without(before);
        boolean lost = requireDepartures().vanished(gone, come);
        requireRunner().run(now -> requireElection().viewChanged(picture.electionView(), lost, view.merged(), now));
        reigning(present -> present.viewChanged(grantable()));
        regions.values().forEach(region -> {
            gone.forEach(region::nodeGone);
            come.forEach(region::nodeBack);
        });
    }

    private void lossUndecided(boolean undecided) {
        requireElection().lossUndecided(undecided);
        reigning(present -> present.lossUndecided(undecided));
    }

    private void permit(@Nullable String reason) {
        stopped = reason;
        picture = picture.permitted(split.mayAct());
        requireRunner().run(now -> requireElection().viewChanged(picture.electionView(), false, false, now));
        regions.values().forEach(region -> region.permit(reason));
    }

    private void reigning(Consumer<Reign> action) {
        Reign present = reign;
        if (present != null) {
            action.accept(present);
        }
    }

    private final class Members implements Membership.Listener {
        @Override
        public void viewChanged(ClusterView view) {
            context.runOnContext(ignored -> CoordinatorVerticle.this.viewChanged(view));
        }

        @Override
        public void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
            context.runOnContext(ignored -> {
                picture = picture.with(attributes);
                split.attributesChanged(attributes);
                requireDepartures().attributes(attributes);
                requireRunner().run(now -> requireElection().viewChanged(picture.electionView(), false, false, now));
            });
        }
    }

    private final class Reigns implements ElectionRunner.Reigns {
        @Override
        public void begin(ElectionCommand.Begin begin) {
            CoordinatorCommandRunner.Place place = new CoordinatorCommandRunner.Place(
                    parts.self(),
                    requireLink(),
                    parts.clock(),
                    context,
                    () -> requireRunner().run(requireElection()::confirmationWanted));
            Reign next = new Reign(
                    begin,
                    place,
                    type -> Reign.settings(regions.get(type), parts, begin),
                    type -> Placings.forType(regions.get(type), parts.options()));
            reign = next;
            next.holdersKnown(requireElection().holders().inherited());
            next.lossUndecided(split.isUndecided());
            next.abdicated(endedTerms.leaseHolders(begin.predecessor()));
            termSeen(begin.term(), parts.self());
            if (preparedForShutdown) {
                next.all(new CoordinatorEvent.ShutdownPrepared());
            }
        }

        @Override
        public void confirmed(TermId confirmedTerm, long sentAt) {
            Reign present = reign;
            if (present != null && present.term().equals(confirmedTerm)) {
                present.confirmed(sentAt, grantable());
                broadcast(new NodeMessage.TermAnnounced(confirmedTerm, parts.self()));
            }
        }

        @Override
        public void stepDown() {
            reigning(ended -> endedTerms.remember(ended.term(), ended.leaseHolders())); // the next may be its own
            reign = null;
            if (parts.self().equals(coordinator)) {
                coordinator = null;
            }
            if (preparedForShutdown) {
                requireRunner().run(requireElection()::resign);
            }
        }
    }

    private final class NodeMessages implements NodeMessage.Visitor {
        @Override
        public void termAnnounced(NodeMessage.TermAnnounced message) {
            termSeen(message.term(), message.coordinator());
        }

        @Override
        public void abdicated(NodeMessage.Abdicated message) {
            endedTerms.remember(message.term(), message.sessions());
            Reign present = reign;
            if (present != null && present.predecessor().equals(message.term())) {
                present.abdicated(message.sessions());
            }
        }

        @Override
        public void nodeLeaving(NodeMessage.NodeLeaving message) {
            requireDepartures().saidGoodbye(message.node());
            parts.membership().saidGoodbye(message.node());
            split.excused(message.node());
        }
    }
}
