package io.shardbus.runtime.coordinator;

import io.shardbus.NodeId;
import io.shardbus.core.control.EndedTerms;
import io.shardbus.core.control.Peers;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.Election;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.coordinator.KnownMembers;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.membership.ClusterView;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.transport.BusTransport;
import io.shardbus.transport.ControlCodec;
import io.shardbus.transport.ControlMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control plane of one node, on one event loop: the election, the coordinators while this node reigns, and the control of its
 * regions. Deployed on every node; what it coordinates depends on the term.
 */
public final class CoordinatorVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(CoordinatorVerticle.class);
    private static final long TICK = 25;

    private final NodeParts parts;
    private final SplitBrainSetup setup;
    private final Map<String, RegionControl<?>> regions = new LinkedHashMap<>();
    private final EndedTerms endedTerms = new EndedTerms();
    private final Peers peers;
    private final Reigns reigns = new Reigns();
    private @Nullable Machines machines;
    private @Nullable Reign reign;
    /** Why this side of a split must not act; null if it may. */
    private @Nullable String stopped;
    /** Why this node cannot work with those that run the cluster; for good once it is so. */
    private @Nullable String incompatible;

    private final FoundingReport foundings;
    private BusTransport.@Nullable Registration registration;
    private volatile ClusterPicture picture = ClusterPicture.NOTHING;
    private volatile KnownMembers known = KnownMembers.NONE;
    private volatile TermId term = TermId.NONE;
    private volatile @Nullable NodeId coordinator;
    private volatile boolean lapsed;
    private volatile @Nullable String misfit;
    private boolean preparedForShutdown;
    /** Whether a region was removed whose code may still run. */
    private boolean unended;

    /** What this node decides by, and what it speaks with; made at the start. */
    private record Machines(
            Election election,
            ElectionRunner runner,
            WitnessRunner witness,
            SplitBrainRunner split,
            ControlLink link) {}

    public CoordinatorVerticle(NodeParts parts, SplitBrainSetup setup) {
        this.parts = parts;
        this.setup = setup;
        this.peers = new Peers(parts.times().lease() + 2 * parts.times().margin());
        this.foundings = new FoundingReport(parts.self(), parts.membership().seats(), parts.clock()::now);
    }

    @Override
    public Future<?> start() {
        Election made = new Election(
                parts.self(),
                parts.incarnation(),
                parts.options().isCoordinator() && parts.membership().seats().mayClaim(),
                parts.membership().seats(),
                parts.times(),
                parts.clock().processStart());
        WitnessRunner witness =
                new WitnessRunner(parts.self(), context, setup.witness(), parts.clock()::now, peers, this::provenDead);
        if (witness.hasWitness()) {
            made.holders().list();
        }
        made.minorityMayGoOn(setup.strategy().overridesMajority());
        made.standOnlyWhenAsked();
        machines = new Machines(
                made,
                new ElectionRunner(made, parts, context, reigns),
                witness,
                new SplitBrainRunner(setup, parts, context, peers, new Splits()),
                new ControlLink(parts.self(), context, parts.transport(), this::receive));
        registration = parts.transport()
                .receiveControl(
                        parts.self(), buffer -> ControlCodec.decode(buffer).forEach(this::receiveFromAfar));
        return registration
                .ready()
                .compose(ready -> parts.membership()
                        .start(new MembersOnContext(
                                context, this::viewChanged, this::attributesChanged, this::succeeded)))
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

    /** Whether messages of the node are believed here; any thread. */
    public boolean knows(NodeId node) {
        return known.contains(node);
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
        region.permit(refusal());
        String other = incompatible;
        if (other != null) {
            region.refuse(other);
        }
        if (!term.equals(TermId.NONE)) {
            region.termSeen(term);
        }
    }

    public void remove(RegionControl<?> region) {
        regions.remove(region.handle().type().name(), region);
        unended |= !region.ended().isComplete();
    }

    /** Why this node is not ready though its side may act; null if nothing is in its way. Any thread. */
    public @Nullable String misfit() {
        return misfit;
    }

    /** What is known of a type, if this node coordinates at this moment, as far as it knows. */
    public Optional<CoordinatorDesk.OfType> desk(String type) {
        return reigning().map(present -> present.desk(type));
    }

    /** Whether this node could not confirm its term for a lease, and knows of nobody who reigns since; any thread. */
    public boolean isCutOff() {
        return lapsed && coordinator == null;
    }

    /** The nodes that are to have no shards, if this node reigns. */
    public Optional<Drains> drains() {
        return reigning().map(Reign::drains);
    }

    /** From now on nothing moves, as the whole cluster stops; or it goes on after all. */
    public void prepareForShutdown(boolean stops) {
        preparedForShutdown = stops;
        machines().election().clusterStops(stops, parts.clock().now());
        reigning().ifPresent(present -> present.clusterStops(stops));
    }

    /** This node never coordinates from now on: it does not fit the others. */
    public void withdraw() {
        elect(Election::resign);
    }

    public boolean isPreparedForShutdown() {
        return preparedForShutdown;
    }

    /** Gives up the term, if there is one, in favour of whoever comes next, and tells all that this node goes. */
    public Future<Void> sayGoodbye() {
        Reign present = reign;
        Map<String, Set<NodeId>> holders = present == null ? Map.of() : present.leaseHolders();
        boolean ended = !unended && regions.isEmpty();
        holders.values().forEach(nodes -> nodes.removeIf(node -> ended && node.equals(parts.self())));
        elect((election, now) -> election.resign(now));
        if (present != null) {
            broadcast(new NodeMessage.Abdicated(present.term(), holders));
        }
        broadcast(new NodeMessage.NodeLeaving(parts.self(), ended));
        machines().link().flush();
        return machines().runner().written().compose(done -> machines().split().close());
    }

    /** This node left in good order, or its process is proven to be dead: going on without it splits nothing. */
    private void excused(NodeId node) {
        parts.membership().saidGoodbye(node);
        machines().split().excused(node);
    }

    /** Sends a region's message to the coordinator of the present term; without one it is lost, and repeated by the region. */
    public void toCoordinator(String type, ToCoordinator message) {
        NodeId to = coordinator;
        if (to != null && refusal() == null) {
            machines().link().send(to, new ControlMessage.ForCoordinator(parts.self(), term, type, message));
        }
    }

    private void tick() {
        machines().split().tick();
        misfit = machines().split().misfit();
        elect(Election::tick);
        lookAtFounding();
        reigning().ifPresent(present -> present.all(new CoordinatorEvent.Ticked()));
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

    /** Why the regions of this node must not act; null if they may. */
    private @Nullable String refusal() {
        return stopped != null ? stopped : foundings.misfit();
    }

    private void lookAtFounding() {
        Election election = machines().election();
        if (foundings.changed(election.misfit(), election.foundingWaits())) {
            regions.values().forEach(region -> region.permit(refusal()));
        }
    }

    /** Whether this node is configured for other seats than the cluster; any thread. */
    public boolean isMisfit() {
        return foundings.misfit() != null;
    }

    /** What keeps this node from taking part in a cluster, though no member is lost: for people; null if nothing does. Any thread. */
    public @Nullable String foundingComplaint() {
        return foundings.complaint();
    }

    private void receive(ControlMessage message) {
        if (refusal() != null && !(message instanceof ControlMessage.ForNode)) {
            return;
        }
        if (message instanceof ControlMessage.ForCoordinator m) {
            forCoordinator(m);
        } else if (message instanceof ControlMessage.ForRegion m) {
            termHeard(m.term(), m.from());
            Optional.ofNullable(regions.get(m.type())).ifPresent(region -> region.received(m.term(), m.body()));
        } else if (message instanceof ControlMessage.ForNode m) {
            m.body().accept(new NodeMessages(m.from()));
        } else if (message instanceof ControlMessage.Unknown m) {
            parts.transport().skipped("a control message of kind " + m.kind() + " from " + m.from());
        }
    }

    private void forCoordinator(ControlMessage.ForCoordinator message) {
        termHeard(message.term(), null);
        Reign present = reign;
        if (present != null && present.term().equals(message.term())) {
            CoordinatorCommandRunner found = message.body().mayComeFirst()
                    ? present.coordinator(message.type(), grantable())
                    : present.find(message.type());
            if (found != null) {
                found.step(new CoordinatorEvent.Received(message.from(), message.body()));
            }
            return;
        }
        if (coordinator != null && term.isHigherThan(message.term())) {
            tellTerm(message.from());
        }
    }

    /** Tells a node the term that this one has met; without a known coordinator the announcement names the node itself. */
    private void tellTerm(NodeId to) {
        NodeMessage announcement = new NodeMessage.TermAnnounced(term, Objects.requireNonNullElse(coordinator, to));
        machines().link().send(to, new ControlMessage.ForNode(parts.self(), announcement));
    }

    /** A message carries a term: a higher one than before may be made up. */
    private void termHeard(TermId heard, @Nullable NodeId reigning) {
        if (heard.isHigherThan(term)) {
            elect((election, now) -> election.termHeard(heard, reigning, now));
        } else {
            termSeen(heard, reigning);
        }
    }

    /** A higher term ends this node's own reign first, then its regions turn to the new coordinator. */
    private void termSeen(TermId seen, @Nullable NodeId reigning) {
        if (seen.isHigherThan(term)) {
            term = seen;
            coordinator = reigning;
            elect((election, now) -> election.termSeen(seen, now));
            regions.values().forEach(region -> region.termSeen(seen));
        } else if (seen.equals(term) && coordinator == null && !parts.self().equals(reigning)) {
            coordinator = reigning;
        }
    }

    private void broadcast(NodeMessage message) {
        machines().link().broadcast(picture.members(), message);
    }

    private Optional<Reign> reigning() {
        return Optional.ofNullable(reign);
    }

    private Machines machines() {
        return Objects.requireNonNull(machines, "started");
    }

    private void elect(BiFunction<Election, Long, List<ElectionCommand>> event) {
        machines().runner().run(now -> event.apply(machines().election(), now));
    }

    /** The members of the view that may hold leases of this node's reign. */
    private Set<NodeId> grantable() {
        return machines().election().holders().grantable(picture.members());
    }

    /**
     * A member has the place of a node that vanished. Where this side had stopped, the dead may have written and granted elsewhere until a
     * moment ago: as after a merge, the record here is seen for the first time, and leases are awaited from then on. One that vanished long
     * ago may have run elsewhere since, and what came of that is not known here.
     */
    private void succeeded(NodeId node) {
        if (!peers.status(node).isUndecided(parts.clock().now())) {
            return;
        }
        if (!machines().split().mayAct()) {
            elect((election, now) -> election.viewChanged(picture.electionView(), false, true, now));
        }
        provenDead(node);
    }

    /** The process of a node is gone, by the word of a witness or of a member that has its place. */
    private void provenDead(NodeId node) {
        if (!peers.provenDead(node)) {
            return;
        }
        LOG.info("the process of {} is gone: its shards need not wait for the end of its lease", node);
        machines().witness().forget(node);
        excused(node);
        elect((election, now) -> election.nodeProvenDead(node, peers.isUndecided(now), now));
        reigning().ifPresent(present -> present.all(new CoordinatorEvent.NodeProvenDead(node)));
    }

    private void viewChanged(ClusterView view) {
        picture = picture.with(view).whereMinoritiesGoOn(setup.strategy().overridesMajority());
        Peers.Change change = peers.viewChanged(view.members(), parts.clock().now());
        known = known.viewChanged(view.members());
        machines().split().viewChanged(view);
        picture = picture.permitted(machines().split().mayAct());
        machines().witness().viewChanged(change);
        boolean lost = !change.vanished().isEmpty();
        elect((election, now) -> election.viewChanged(picture.electionView(), lost, view.merged(), now));
        reigning().ifPresent(present -> present.viewChanged(grantable()));
        regions.values().forEach(region -> {
            change.gone().forEach(region::nodeGone);
            change.come().forEach(region::nodeBack);
        });
    }

    private void attributesChanged(Map<NodeId, NodeAttributes> attributes) {
        picture = picture.with(attributes);
        machines().witness().attributes(attributes);
        machines().split().attributesChanged(attributes);
        elect((election, now) -> election.viewChanged(picture.electionView(), false, false, now));
    }

    private final class Splits implements SplitBrainRunner.Effects {
        @Override
        public void undecided(boolean undecided) {
            machines().election().lossUndecided(undecided, parts.clock().now());
            reigning().ifPresent(present -> present.lossUndecided(undecided));
        }

        @Override
        public void stopped(@Nullable String reason, boolean viewFollows) {
            stopped = reason;
            picture = picture.permitted(machines().split().mayAct());
            // it would claim by what it knew before, not knowing yet of a merge
            if (reason != null || !viewFollows) {
                elect((election, now) -> election.viewChanged(picture.electionView(), false, false, now));
            }
            regions.values().forEach(region -> region.permit(refusal()));
        }

        @Override
        public void mayCoordinate(boolean may) {
            Reign present = reign;
            Map<String, Set<NodeId>> holders = present == null ? Map.of() : present.leaseHolders();
            elect((election, now) -> election.stand(may, now));
            if (present != null && !may) {
                broadcast(new NodeMessage.Abdicated(present.term(), holders));
            }
        }
    }

    private final class Reigns implements ElectionRunner.Reigns {
        @Override
        public void begin(ElectionCommand.Begin begin) {
            CoordinatorCommandRunner.Place place = new CoordinatorCommandRunner.Place(
                    parts.self(), machines().link(), parts.clock(), context, () -> elect(Election::confirmationWanted));
            Reign next = new Reign(begin, place, parts, regions);
            reign = next;
            next.lossUndecided(machines().split().isUndecided());
            next.holdersKnown(machines().election().holders());
            next.predecessorEnded(endedTerms.of(begin.predecessor()));
            termSeen(begin.term(), parts.self());
            next.clusterStops(preparedForShutdown);
        }

        @Override
        public void confirmed(TermId confirmedTerm, long sentAt) {
            reigning().filter(present -> present.term().equals(confirmedTerm)).ifPresent(present -> {
                present.confirmed(sentAt, grantable());
                broadcast(new NodeMessage.TermAnnounced(confirmedTerm, parts.self()));
            });
        }

        @Override
        public void timeDoubted(long gained) {
            endedTerms.forgetMoments();
            peers.postpone(gained);
        }

        @Override
        public void incompatible(String reason) {
            if (incompatible == null) {
                incompatible = reason;
                LOG.error("this node hosts nothing: {}", reason);
                regions.values().forEach(region -> region.refuse(reason));
            }
        }

        @Override
        public void believed(TermId next, @Nullable NodeId reigning) {
            termSeen(next, parts.self().equals(reigning) ? null : reigning);
        }

        @Override
        public void refused(TermId impossible) {
            CoordinatorVerticle.this.refused("term " + impossible.number() + " cannot have begun");
        }

        @Override
        public void askSeats(NodeMessage.SeatsAsked asked) {
            broadcast(asked);
        }

        @Override
        public void answerSeat(NodeId to, NodeMessage.SeatAnswered answer) {
            machines().link().send(to, new ControlMessage.ForNode(parts.self(), answer));
        }

        @Override
        public void stepDown(boolean unconfirmed) {
            lapsed = unconfirmed;
            if (!setup.strategy().overridesMajority()) {
                // the next term may be this node's own
                reigning().ifPresent(ended -> endedTerms.remember(ended.term(), ended.ended()));
            }
            reign = null;
            if (parts.self().equals(coordinator)) {
                coordinator = null;
            }
        }
    }

    private final class NodeMessages implements NodeMessage.Visitor {
        private final NodeId from;

        NodeMessages(NodeId from) {
            this.from = from;
        }

        @Override
        public void termAnnounced(NodeMessage.TermAnnounced message) {
            NodeId reigning = message.coordinator();
            if (!knows(reigning)) {
                refused("node " + reigning + ", which is no member here, reigns according to " + from);
                return;
            }
            termHeard(message.term(), parts.self().equals(reigning) ? null : reigning);
            if (message.term().equals(term) && from.equals(reigning)) {
                // what was heard of the coordinator before may have been made up
                coordinator = reigning;
            }
            // Sides of a split may have reached different terms: whoever goes on with the lower must hear of the higher
            if (term.isHigherThan(message.term()) && !parts.self().equals(reigning)) {
                tellTerm(reigning);
            }
        }

        @Override
        public void abdicated(NodeMessage.Abdicated message) {
            endedTerms.abdicated(message.term(), message.sessions());
            reigning()
                    .filter(present -> present.predecessor().equals(message.term()))
                    .ifPresent(present -> present.predecessorEnded(endedTerms.of(message.term())));
        }

        @Override
        public void seatsAsked(NodeMessage.SeatsAsked message) {
            if (from.equals(message.node())) {
                elect((election, now) -> election.seatsAsked(message, now));
            } else {
                refused("node " + message.node() + " asks for seats according to " + from);
            }
        }

        @Override
        public void seatAnswered(NodeMessage.SeatAnswered message) {
            if (from.equals(message.node())) {
                elect((election, now) -> election.seatAnswered(message, now));
            } else {
                refused("node " + message.node() + " gives its seat according to " + from);
            }
        }

        @Override
        public void nodeLeaving(NodeMessage.NodeLeaving message) {
            if (!from.equals(message.node())) {
                refused("node " + message.node() + " leaves according to " + from);
                return;
            }
            peers.saidGoodbye(message.node());
            excused(message.node());
            if (message.ended()) {
                long now = parts.clock().now();
                machines().election().holders().left(message.node(), now);
                reigning().ifPresent(present -> present.all(new CoordinatorEvent.NodeLeft(message.node(), now)));
            }
        }
    }
}
