package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One reign over one entity type: it registers regions, grants leases, gives shards a home and moves them.
 * Deterministic: the same events at the same moments give the same commands. Its state ends with the term; the next
 * coordinator rebuilds it from the regions' reports. It owns its state and changes it in place; one thread calls it,
 * and it reads no clock.
 */
public final class Coordinator {
    private final TermId term;
    private final LeaseTimes times;
    private final Authority authority;
    private final ShardTable table;
    private final ShardOrders shardOrders = new ShardOrders();
    private final MoveLog moveLog;
    private final List<CoordinatorCommand> commands = new ArrayList<>();
    private final Handoffs handoffs;
    private final Placement placement;
    private final Registrations registrations;
    private final Moves moves;
    private final Orders orders;
    private final RememberedShards remembered;
    private final EventHandler eventHandler = new EventHandler();
    private CoordinatorSettings settings;
    private Set<NodeId> view;
    /** Whether it may be that operators want a node without shards, and this reign does not know. */
    private boolean awaitsOrders;

    private long now;

    /**
     * @param waitFrom leases of earlier terms have run out a lease time and a margin after this moment
     * @param confirmSent when the last confirmed write of the term was sent
     * @param view the members of the cluster
     */
    public Coordinator(TermId term, CoordinatorSettings settings, long waitFrom, long confirmSent, Set<NodeId> view) {
        this.term = term;
        this.settings = settings;
        this.times = settings.times();
        this.authority = new Authority(times, waitFrom, confirmSent);
        this.view = Set.copyOf(view);
        this.table = new ShardTable(term, times, shardOrders);
        this.moveLog = new MoveLog(table, shardOrders);
        this.handoffs = new Handoffs(table, this::settings, commands, moveLog);
        this.placement = new Placement(table, this::settings, commands, shardOrders);
        this.registrations = new Registrations(table, times, commands, placement);
        this.moves = new Moves(table, this::settings, handoffs, commands, shardOrders);
        this.orders = new Orders(table, times, shardOrders, moves);
        this.remembered = new RememberedShards(table, this::settings, placement, commands);
    }

    /**
     * Takes one event at a moment of elapsed time, in milliseconds.
     *
     * @throws IllegalStateException if the reign's authority is over: it is to be ended before the event, as one that
     *     went on later would have missed it
     */
    public List<CoordinatorCommand> step(CoordinatorEvent event, long moment) {
        now = moment;
        table.at(moment);
        if (now >= authority.end() && !(event instanceof CoordinatorEvent.Confirmed)) {
            throw new IllegalStateException("the authority of " + term + " ended at " + authority.end()
                    + " ms, before this event at " + now + " ms: " + event);
        }
        event.accept(eventHandler);
        boolean mayAllocate = mayAllocate();
        remembered.proceed(registrations.profile(), authority.isOpen() && !moves.areForbidden(), now);
        placement.placeWaiting(mayAllocate, now);
        moves.proceed(mayMove(), now);
        List<CoordinatorCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    public TermId term() {
        return term;
    }

    /** The view for an allocation strategy; valid until the next event. */
    public AllocationSnapshot snapshot() {
        return table;
    }

    /** Whether shards that no region reported may be given away. */
    public boolean isOpen() {
        return authority.isOpen();
    }

    /** Longest remaining time of leases of earlier reigns, from this moment on; 0 where none lasts. */
    public long opensIn(long moment) {
        return authority.opensIn(moment);
    }

    /** The number of the type's shards, as far as its regions have told; 0 before the first has. */
    public int numberOfShards() {
        RegionProfile profile = registrations.profile();
        return profile == null ? 0 : profile.numberOfShards();
    }

    /**
     * Number of hosting regions that the type lacks before its first shard may have a home; 0 once they have
     * been there.
     */
    public int missingMembers() {
        return registrations.missingMembers();
    }

    /** All regions that may hold a lease of this term, for the successor; also proxies, which send while they do. */
    public Set<NodeId> leaseHolders() {
        return table.leaseHolders();
    }

    /** Whether a node is kept empty, or will be when its region registers. */
    public boolean isDrained(NodeId node) {
        return table.isDrained(node);
    }

    /** Leases that outlive it, for the next reign. */
    public EndedReign ended() {
        return authority.ended(leaseHolders());
    }

    /** The view for operators; valid until the next event. */
    public CoordinatorView inspect(long moment) {
        return new CoordinatorView(table, registrations.profile(), moveLog, placement.waiting(), orders, moment);
    }

    /** The reason why an order cannot be carried out now; empty if it can. */
    public Optional<String> refusal(OperatorOrder order, long moment) {
        return Optional.ofNullable(orders.refusal(order, registrations.profile(), awaitsOrders, moment));
    }

    /** The moves that have ended since they were taken last, at most 2,000. */
    public List<EndedMove> takeEndedMoves() {
        return moveLog.take();
    }

    /** The shards that got a home without a move since they were taken last, at most 2,000. */
    public List<PlacedShard> takePlacedShards() {
        return moveLog.takePlaced();
    }

    private CoordinatorSettings settings() {
        return settings;
    }

    /** Whether shards may leave their homes: others get none before, so a shard that left would have no home. */
    public boolean mayMove() {
        return authority.isOpen() && !awaitsOrders;
    }

    private boolean mayAllocate() {
        boolean opened = authority.tryToOpen(table, registrations);
        if (opened && registrations.enoughMembers()) {
            registrations.found(authority.end());
            return table.someoneAccepts() && !awaitsOrders;
        }
        if (opened && placement.waiting() > 0) {
            registrations.reportMissing();
        }
        return false;
    }

    private final class EventHandler implements CoordinatorEvent.Visitor {
        @Override
        public void received(CoordinatorEvent.Received event) {
            event.message().accept(new MessageHandler(event.from()));
        }

        @Override
        public void confirmed(CoordinatorEvent.Confirmed event) {
            authority.confirmed(event.sentAt());
            for (Session session : table.sessions()) {
                registrations.grant(session, authority.end());
            }
            freeTheGone();
        }

        @Override
        public void viewChanged(CoordinatorEvent.ViewChanged event) {
            view = Set.copyOf(event.members());
            authority.viewChanged(view, table);
            placement.viewChanged(view);
            freeTheGone();
        }

        @Override
        public void nodeProvenDead(CoordinatorEvent.NodeProvenDead event) {
            if (!view.contains(event.node())) {
                authority.provenDead(event.node(), now);
            }
        }

        @Override
        public void nodeLeft(CoordinatorEvent.NodeLeft event) {
            authority.left(event.node(), event.heardAt());
            table.endDrain(event.node());
        }

        @Override
        public void lossUndecided(CoordinatorEvent.LossUndecided event) {
            authority.lossUndecided(event.undecided());
        }

        @Override
        public void predecessorAbdicated(CoordinatorEvent.PredecessorAbdicated event) {
            authority.holdersKnown(event.sessions(), event.earlierUntil());
        }

        @Override
        public void ticked(CoordinatorEvent.Ticked event) {
            freeTheGone();
            table.overdue().forEach(Coordinator.this::free);
            if (authority.awaitsConfirmation(table, now)) {
                commands.add(new CoordinatorCommand.ConfirmTerm());
            }
            handoffs.tick(now);
            moves.tick(mayMove(), now);
        }

        @Override
        public void shardPlaced(CoordinatorEvent.ShardPlaced event) {
            placement.placed(event.shard(), event.home(), mayAllocate(), now);
        }

        @Override
        public void movesChosen(CoordinatorEvent.MovesChosen event) {
            moves.chosen(event.shards(), event.most(), now);
        }

        @Override
        public void rememberedShardsRead(CoordinatorEvent.RememberedShardsRead event) {
            if (moves.areForbidden()) {
                // asked before the whole cluster was to stop: it is read again if the cluster goes on
                remembered.readAgain();
            } else {
                remembered.read(event.shards(), registrations.profile(), now);
            }
        }

        @Override
        public void rebalanceRequested(CoordinatorEvent.RebalanceRequested event) {
            boolean limited = event.most() < Integer.MAX_VALUE;
            report("a rebalance is asked for" + (limited ? ", of " + event.most() + " shards at most" : ""));
            moves.ask(mayMove(), event.most(), now);
        }

        @Override
        public void drainRequested(CoordinatorEvent.DrainRequested event) {
            if (!table.isDrained(event.node())) {
                report("drain of node " + event.node() + ": its shards move away, and none come");
            }
            moves.drain(event.node(), authority.isOpen(), now);
        }

        @Override
        public void undrainRequested(CoordinatorEvent.UndrainRequested event) {
            report("the drain of node " + event.node() + " is taken back");
            moves.undrain(event.node(), now);
        }

        @Override
        public void shutdownPrepared(CoordinatorEvent.ShutdownPrepared event) {
            moves.forbid(event.stops());
            if (!event.stops()) {
                placement.goOn();
            }
        }

        @Override
        public void ordered(CoordinatorEvent.Ordered event) {
            orders.carryOut(event.order(), now);
        }

        @Override
        public void ordersAwaited(CoordinatorEvent.OrdersAwaited event) {
            awaitsOrders = event.awaited();
        }

        @Override
        public void settingsChanged(CoordinatorEvent.SettingsChanged event) {
            settings = event.settings();
            moves.intervalChanged(now);
            remembered.readAgain();
        }
    }

    /**
     * Regions that vanished or fell silent get no grants; their shards are free when their leases must have run out.
     */
    private void freeTheGone() {
        for (Session session : List.copyOf(table.sessions())) {
            if (!session.gone && (session.isSilent(now, times) || !view.contains(session.node))) {
                session.gone = true;
                session.goneSince = now;
                reportLoss(session);
                handoffs.participantLeft(session.node);
            }
            if (session.gone && authority.outlives(session, now)) {
                remove(session);
            }
        }
    }

    private void reportLoss(Session session) {
        if (!session.shards.isEmpty()) {
            long tenths = Math.max(0, authority.freeAt(session) - now) / 100;
            report(shards(session) + " of node " + session.node + " lost, free in " + tenths / 10 + "." + tenths % 10
                    + " s");
        }
    }

    private static String shards(Session session) {
        return session.shards.size() == 1 ? "1 shard" : session.shards.size() + " shards";
    }

    private void report(String text) {
        commands.add(new CoordinatorCommand.Report(false, text));
    }

    private void remove(Session session) {
        table.assignmentsOf(session).forEach(this::free);
        table.removeSession(session.node);
    }

    private void free(Assignment assignment) {
        moveLog.freed(assignment, now);
        table.release(assignment);
        placement.freed(assignment, moves.areForbidden());
        moves.left(assignment, now);
    }

    /** Answers the messages of one region. */
    private final class MessageHandler implements ToCoordinator.Visitor {
        private final NodeId from;

        MessageHandler(NodeId from) {
            this.from = from;
        }

        @Override
        public void register(ToCoordinator.Register message) {
            if (view.contains(from)) {
                for (Assignment unlisted : registrations.register(from, message, authority, now)) {
                    free(unlisted);
                }
                moveLog.reported(now);
                compareTerms(message);
            }
        }

        /**
         * The clock was set back over a full stop, or this cluster began with an earlier one than the store's: the
         * region could open no log. Where shards have homes, their logs are open, and it is another cluster that has
         * raised the store's term: two that share a store do not outbid each other.
         */
        private void compareTerms(ToCoordinator.Register message) {
            SharedStore store = message.profile().persistence();
            boolean isFirst = table.assignments().isEmpty() && registrations.current(from, message.attempt()) != null;
            if (store != null && isFirst && store.highestTerm() > term.number()) {
                commands.add(new CoordinatorCommand.ExceedTerm(store.highestTerm(), store.name()));
            }
        }

        @Override
        public void heartbeat(ToCoordinator.Heartbeat message) {
            Session session = registrations.current(from, message.attempt());
            if (session == null) {
                refuse(message.attempt());
                return;
            }
            boolean first = session.echo == 0 && message.echo() > 0;
            session.heard(message.number(), now);
            if (message.number() == session.heartbeat) {
                session.ending(message.ending());
            }
            session.echoed(message.echo(), now);
            if (reconcile(session, message)) {
                registrations.grant(session, authority.end());
            }
            if (first && session.hosts()) {
                moves.regionArrived(session, now);
            }
        }

        @Override
        public void getShardHomes(ToCoordinator.GetShardHomes message) {
            RegionProfile profile = registrations.profile();
            if (registrations.current(from, message.attempt()) == null || profile == null) {
                refuse(message.attempt());
                return;
            }
            List<ShardHome> known = new ArrayList<>();
            for (int shard : message.shards()) {
                if (shard >= 0 && shard < profile.numberOfShards()) {
                    lookUp(shard, known);
                }
            }
            if (!known.isEmpty()) {
                send(new ToRegion.ShardHomes(known));
            }
        }

        private void lookUp(int shard, List<ShardHome> known) {
            Assignment assignment = table.assignment(shard);
            if (assignment == null) {
                placement.want(shard, from);
                return;
            }
            ShardHome home = table.home(assignment);
            if (home != null) {
                known.add(home);
            }
        }

        @Override
        public void shardHosted(ToCoordinator.ShardHosted message) {
            Session session = registrations.current(from, message.attempt());
            Assignment assignment = table.assignment(message.shard());
            if (session != null && assignment != null && table.isHome(message.shard(), from, message.token())) {
                confirm(assignment, session, message.heartbeat());
            }
        }

        @Override
        public void shardStopped(ToCoordinator.ShardStopped message) {
            String problem = placement.refusal(message, from, registrations.mostShards());
            if (problem != null) {
                commands.add(new CoordinatorCommand.Refuse(problem));
                return;
            }
            if (table.session(from) == null && !view.contains(from)) {
                // not kept, so not answered: the region repeats it, and its node may be a member then
                return;
            }
            Assignment assignment = table.assignment(message.shard());
            send(new ToRegion.StopRecorded(message.shard(), message.token()));
            if (assignment != null && table.isHome(message.shard(), from, message.token())) {
                handoffs.stopped(assignment, now);
                free(assignment);
                finishLeave(table.session(from));
            }
            placement.stopped(message, from);
        }

        @Override
        public void handoffAborted(ToCoordinator.HandoffAborted message) {
            Assignment assignment = table.assignment(message.shard());
            if (assignment != null
                    && assignment.home.equals(from)
                    && handoffs.stayed(assignment, message.version(), message.cause(), now)) {
                shardOrders.forget(assignment.shard);
                publish(assignment);
                moves.stayed(now);
            }
        }

        @Override
        public void leave(ToCoordinator.Leave message) {
            Session session = registrations.current(from, message.attempt());
            if (session == null) {
                refuse(message.attempt());
                return;
            }
            if (!session.leaving && !session.shards.isEmpty()) {
                report("node " + from + " leaves, and its " + shards(session)
                        + (session.shards.size() == 1 ? " moves" : " move"));
            }
            session.leaving = true;
            moves.empty(session, authority.isOpen(), now);
            finishLeave(session);
        }

        @Override
        public void goodbye(ToCoordinator.Goodbye message) {
            Session session = table.session(from);
            if (session == null) {
                table.endDrain(from, message.attempt());
            } else if (session.attempt == message.attempt()) {
                registrations.goodbye(from, message.attempt(), authority.isOpen());
                remove(session);
                loseStates(message.statesLost());
                handoffs.participantLeft(from);
            }
        }

        private void loseStates(long entities) {
            if (entities > 0) {
                table.addStatesLost(entities);
                String text = "node " + from + " has left, and "
                        + (entities == 1 ? "1 entity lost its" : entities + " entities lost their")
                        + " state in moves that it saw fail: see its log";
                commands.add(new CoordinatorCommand.Report(true, text));
                // at once: this may be the last that the reign does
                table.sessions().forEach(session -> registrations.grant(session, authority.end()));
            }
        }

        /** Compares what the home says with the table; false when they cannot both be right. */
        private boolean reconcile(Session session, ToCoordinator.Heartbeat message) {
            Map<Integer, FencingToken> listed = new HashMap<>();
            message.shards().forEach(report -> listed.put(report.shard(), report.token()));
            for (Assignment assignment : table.assignmentsOf(session)) {
                FencingToken token = listed.remove(assignment.shard);
                if (assignment.isEnding()) {
                    freeIfEnded(assignment, message);
                } else if (assignment.token.equals(token)) {
                    confirm(assignment, session, message.number());
                } else if (!assignment.confirmed) {
                    placement.host(assignment, session);
                } else if (message.number() > assignment.confirmedAfter) {
                    free(assignment);
                }
            }
            if (!listed.isEmpty()) {
                refuse(message.attempt());
            }
            finishLeave(session);
            return listed.isEmpty();
        }

        private void freeIfEnded(Assignment assignment, ToCoordinator.Heartbeat message) {
            if (!Registrations.isListed(assignment, message.ending())) {
                free(assignment);
            }
        }

        private void finishLeave(@Nullable Session session) {
            if (session != null && session.leaving && (session.shards.isEmpty() || moves.areForbidden())) {
                send(new ToRegion.LeaveComplete(session.attempt));
            }
        }

        private void refuse(long attempt) {
            if (view.contains(from)) {
                send(new ToRegion.RegisterAgain(attempt));
            }
        }

        private void send(ToRegion message) {
            commands.add(new CoordinatorCommand.Send(from, message));
        }
    }

    private void confirm(Assignment assignment, Session session, long heartbeat) {
        if (assignment.confirmed) {
            return;
        }
        assignment.confirmed = true;
        assignment.confirmedAfter = heartbeat;
        moveLog.confirmed(assignment, now);
        publish(assignment);
        if (session.leaving || session.draining) {
            moves.empty(session, authority.isOpen(), now);
        }
    }

    /** Tells every region where the shard is. */
    private void publish(Assignment assignment) {
        assignment.version = table.nextToken();
        ShardHome home = table.home(assignment);
        if (home == null) {
            return;
        }
        ToRegion message = new ToRegion.ShardHomes(List.of(home));
        for (Session session : table.sessions()) {
            if (!session.gone) {
                commands.add(new CoordinatorCommand.Send(session.node, message));
            }
        }
    }
}
