package io.shardbus.simulation;

import io.shardbus.NodeId;
import io.shardbus.core.allocation.LeastShards;
import io.shardbus.core.allocation.RoundLimit;
import io.shardbus.core.allocation.ShardAllocation;
import io.shardbus.core.control.EndedTerms;
import io.shardbus.core.coordinator.Coordinator;
import io.shardbus.core.coordinator.CoordinatorCommand;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.coordinator.Election;
import io.shardbus.core.coordinator.ElectionCommand;
import io.shardbus.core.coordinator.ElectionView;
import io.shardbus.core.coordinator.EndedReign;
import io.shardbus.core.coordinator.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.TermRecord;
import io.shardbus.core.time.SuspensionWatch;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node's part in the coordination: its election, and its coordinator while it reigns. */
final class Reign implements ElectionCommand.Visitor, CoordinatorCommand.Visitor {
    private static final long OPENS_WITHIN = 300;

    private final SimNode node;
    private final Simulation world;
    private final Election election;
    private final SuspensionWatch suspensions;
    private final CoordinatorSettings settings;
    private final ShardAllocation strategy;
    private final ArrayDeque<Supplier<CoordinatorEvent>> answers = new ArrayDeque<>();
    private final EndedTerms endedTerms = new EndedTerms();
    private TermId predecessor = TermId.NONE;
    private TermId reigned = TermId.NONE;
    private @Nullable CoordinatorEvent heard;
    private @Nullable Coordinator coordinator;
    private Rules.@Nullable Word word;
    private boolean undecided;
    /** Who is all that may hold leases of terms before, where that is known. */
    private @Nullable Set<NodeId> awaited;

    private final Set<NodeId> dead = new HashSet<>();
    private long allSpoke = Long.MAX_VALUE;

    Reign(SimNode node, long incarnation) {
        this.node = node;
        this.world = node.world;
        LeaseTimes times = node.times;
        this.suspensions = node.suspensions();
        this.election = new Election(node.id, incarnation, true, world.seats().of(node), times, node.clock());
        if (world.options().witness != SimulationOptions.Witnesses.NONE) {
            election.holders().list();
        }
        election.minorityMayGoOn(node.decisions.overridesMajority());
        if (node.decisions.decides()) {
            election.standOnlyWhenAsked();
        }
        this.strategy = world.options().restless
                ? new RestlessAllocation(world.dice("allocation " + node), world.faults()::areOver)
                : new LeastShards(RoundLimit.NONE);
        this.settings = new CoordinatorSettings(
                times,
                world.options().handoffTimeout,
                Simulation.RETRY_INTERVAL,
                world.options().rebalanceInterval,
                world.options().movesAtOnce());
    }

    @Nullable
    Coordinator coordinator() {
        return coordinator;
    }

    private void run(Function<Long, List<ElectionCommand>> event) {
        long now = node.clock();
        election.wallClock(node.clocks.wall());
        long doubtful = suspensions.doubtfulGain(node.clocks.time(), now);
        if (doubtful > 0) {
            world.timeline().turn(node, "doubts", doubtful + " ms");
            election.timeDoubted(doubtful, now).forEach(command -> command.accept(this));
            endedTerms.forgetMoments();
            node.peers.postpone(doubtful);
        }
        event.apply(now).forEach(command -> command.accept(this));
    }

    void tick() {
        run(election::tick);
        step(new CoordinatorEvent.Ticked());
        lookForOpening();
    }

    void termHeard(TermId term, @Nullable NodeId coordinator) {
        run(now -> election.termHeard(term, coordinator, now));
    }

    @Override
    public void termBelieved(ElectionCommand.TermBelieved command) {
        node.believe(command.term(), node.id.equals(command.coordinator()) ? null : command.coordinator());
    }

    @Override
    public void termRefused(ElectionCommand.TermRefused command) {
        node.impossible(command.term());
    }

    void stand(boolean may) {
        world.timeline().turn(node, may ? "stands" : "does not stand", "");
        run(now -> election.stand(may, now));
    }

    void termSeen(TermId term) {
        run(now -> election.termSeen(term, now));
    }

    void readCompleted(long operation, @Nullable TermRecord found) {
        run(now -> election.readCompleted(operation, found, now));
    }

    void sighted(TermRecord record) {
        election.recordSighted(record, node.clock());
    }

    void readFailed(long operation) {
        run(now -> election.readFailed(operation, now));
    }

    void replaceCompleted(long operation, Election.Outcome outcome) {
        run(now -> election.replaceCompleted(operation, outcome, now));
    }

    /** The members that may be granted leases. */
    private Set<NodeId> grantable() {
        return election.holders().grantable(node.members);
    }

    void provenDead(NodeId member, boolean undecided) {
        if (!undecided) {
            world.rules().explained(node);
        }
        if (!node.members.contains(member)) {
            dead.add(member);
        }
        run(now -> election.nodeProvenDead(member, undecided, now));
        step(new CoordinatorEvent.NodeProvenDead(member));
    }

    void nodeLeft(NodeId gone) {
        election.holders().left(gone, node.clock());
        step(new CoordinatorEvent.NodeLeft(gone, node.clock()));
    }

    void viewChanged(Membership.View view, boolean vanished) {
        ElectionView seen = electionView(view);
        dead.removeAll(view.members());
        if (vanished) {
            world.rules().lost(node);
        }
        run(now -> election.viewChanged(seen, vanished, view.merged(), now));
        world.rules().merged(node, view.merged());
        step(new CoordinatorEvent.ViewChanged(grantable()));
    }

    /** Whether this side may act has changed, and nothing else. */
    void permitted(Membership.View view) {
        run(now -> election.viewChanged(electionView(view), false, false, now));
    }

    /** Only who holds a seat stands for coordinator. */
    private ElectionView electionView(Membership.View view) {
        List<NodeId> candidates =
                view.members().stream().filter(world.seats()::isHolder).toList();
        boolean denied = !node.decisions.decides() && !view.available();
        return new ElectionView(view.members(), candidates, view.available(), denied);
    }

    void seatsAsked(NodeMessage.SeatsAsked message) {
        run(now -> election.seatsAsked(message, now));
    }

    void seatAnswered(NodeMessage.SeatAnswered message) {
        run(now -> election.seatAnswered(message, now));
    }

    void seatsProbed(TermId attempt, int round, Set<String> occupied) {
        run(now -> election.seatsProbed(attempt, round, occupied, world.options().hostShowsAll, now));
    }

    @Override
    public void askSeats(ElectionCommand.AskSeats command) {
        NodeMessage.SeatsAsked message = command.message();
        world.timeline().add(node, "asks for seats", message);
        node.members.stream()
                .filter(member -> !member.equals(node.id))
                .forEach(member -> node.send(member, new Network.ForAll(message)));
        world.seats()
                .probe(
                        node,
                        occupied -> node.onControl(0, () -> seatsProbed(message.attempt(), message.round(), occupied)));
    }

    @Override
    public void answerSeat(ElectionCommand.AnswerSeat command) {
        node.send(command.to(), new Network.ForAll(command.message()));
    }

    @Override
    public void revive(ElectionCommand.Revive command) {
        world.membership().revive(node);
    }

    void lossUndecided(boolean isUndecided) {
        undecided = isUndecided;
        election.lossUndecided(isUndecided, node.clock());
        step(new CoordinatorEvent.LossUndecided(isUndecided));
    }

    /** Gives a region's message to the coordinator; false when none of this term reigns here. */
    boolean take(NodeId from, Network.ForCoordinator message) {
        Coordinator present = coordinator;
        if (present == null || !election.reigns(node.clock()) || !reigned.equals(message.term())) {
            return false;
        }
        step(new CoordinatorEvent.Received(from, message.message()));
        return true;
    }

    /** Whether it has confirmed its term by a write that was sent no longer ago. */
    boolean hasConfirmedFor(long age) {
        Rules.Word present = word;
        return coordinator != null && present != null && node.clock() - present.confirmSent() < age;
    }

    private void await(Set<NodeId> holders) {
        Set<NodeId> known = new HashSet<>(holders);
        if (awaited != null) {
            known.retainAll(awaited);
        }
        awaited = known;
    }

    /** A reign that knows who may hold leases opens as soon as all of them have registered, left or are dead. */
    private void lookForOpening() {
        Set<NodeId> holders = awaited;
        Coordinator present = coordinator;
        if (present == null
                || present.isOpen()
                || holders == null
                || !holders.stream().allMatch(holder -> hasSpoken(holder, present))) {
            allSpoke = Long.MAX_VALUE;
            return;
        }
        allSpoke = Math.min(allSpoke, node.clock());
        boolean late = node.clock() - allSpoke > OPENS_WITHIN && word != null && word.confirmSent() > allSpoke;
        world.check(!late, node + " waits for earlier leases though all have spoken: " + holders);
    }

    private boolean hasSpoken(NodeId holder, Coordinator present) {
        return dead.contains(holder)
                || election.holders().farewells().containsKey(holder)
                || present.inspect(node.clock()).regions().stream()
                        .anyMatch(region -> region.node().equals(holder));
    }

    void predecessorAbdicated(NodeMessage.Abdicated message) {
        endedTerms.abdicated(message.term(), message.sessions());
        EndedReign ended = endedTerms.of(message.term()).get(Simulation.TYPE);
        if (ended != null && message.term().equals(predecessor)) {
            handOver(ended);
        }
    }

    private void handOver(EndedReign ended) {
        if (ended.wasOpen()) {
            await(ended.holders());
        }
        step(new CoordinatorEvent.PredecessorAbdicated(ended));
    }

    /** Gives up in good order: what it granted is told to all, so that the next one need not wait. */
    void resign() {
        Coordinator last = coordinator;
        boolean reigning = election.reigns(node.clock());
        run(election::resign);
        if (last != null && reigning) {
            Set<NodeId> holders = last.leaseHolders();
            // its own region has left, though its goodbye may still be on the way to the coordinator here
            holders.remove(node.id);
            Map<String, Set<NodeId>> sessions = last.isOpen() ? Map.of(Simulation.TYPE, holders) : Map.of();
            node.broadcast(new NodeMessage.Abdicated(last.term(), sessions));
        }
    }

    void step(CoordinatorEvent event) {
        Coordinator present = coordinator;
        if (present == null) {
            return;
        }
        answers.add(() -> event);
        while (!answers.isEmpty() && coordinator == present) {
            CoordinatorEvent next = answers.remove().get();
            heard = next;
            if (word != null) {
                word.hears(next);
            }
            present.step(next, node.clock()).forEach(command -> command.accept(this));
        }
        answers.clear();
    }

    @Override
    public void read(ElectionCommand.Read command) {
        world.store().read(node, command.operation());
    }

    @Override
    public void replace(ElectionCommand.Replace command) {
        world.store().replace(node, command);
    }

    @Override
    public void begin(ElectionCommand.Begin command) {
        world.timeline().turn(node, "reigns", command);
        predecessor = command.predecessor();
        reigned = command.term();
        Set<NodeId> members = grantable();
        word = world.rules().new Word(node, command.term(), command.confirmSent(), members);
        awaited = null;
        allSpoke = Long.MAX_VALUE;
        dead.clear();
        coordinator = new Coordinator(command.term(), settings, command.waitFrom(), command.confirmSent(), members);
        if (undecided) {
            step(new CoordinatorEvent.LossUndecided(true));
        }
        Set<NodeId> holders = election.holders().inherited();
        if (holders != null) {
            await(holders);
            step(new CoordinatorEvent.PredecessorAbdicated(holders));
        }
        election.holders().farewells().forEach((gone, at) -> step(new CoordinatorEvent.NodeLeft(gone, at)));
        node.believe(command.term(), node.id);
        EndedReign ended = endedTerms.of(predecessor).get(Simulation.TYPE);
        if (ended != null) {
            handOver(ended);
        }
    }

    @Override
    public void confirmed(ElectionCommand.Confirmed command) {
        node.broadcast(new NodeMessage.TermAnnounced(command.term(), node.id));
        step(new CoordinatorEvent.ViewChanged(grantable()));
        step(new CoordinatorEvent.Confirmed(command.confirmSent()));
    }

    @Override
    public void stepDown(ElectionCommand.StepDown command) {
        world.timeline().turn(node, "steps down", command);
        Coordinator last = coordinator;
        coordinator = null;
        if (last != null && !node.decisions.overridesMajority()) {
            // the next term may be this node's own
            endedTerms.remember(last.term(), Map.of(Simulation.TYPE, last.ended()));
        }
    }

    @Override
    public void send(CoordinatorCommand.Send command) {
        if (word != null && heard != null) {
            word.says(heard, command.to(), command.message());
        }
        node.send(command.to(), new Network.ForRegion(reigned, command.message()));
    }

    @Override
    public void placeShard(CoordinatorCommand.PlaceShard command) {
        Coordinator present = coordinator;
        if (present != null) {
            int shard = command.shard();
            answers.add(() -> new CoordinatorEvent.ShardPlaced(
                    shard,
                    strategy.allocate(shard, command.requester(), present.snapshot())
                            .orElse(null)));
        }
    }

    @Override
    public void chooseMoves(CoordinatorCommand.ChooseMoves command) {
        Coordinator present = coordinator;
        if (present != null) {
            answers.add(() -> new CoordinatorEvent.MovesChosen(strategy.rebalance(present.snapshot())));
        }
    }

    @Override
    public void readRememberedShards(CoordinatorCommand.ReadRememberedShards command) {
        Coordinator present = coordinator;
        world.idStore().readShards(node, shards -> {
            if (coordinator == present) {
                step(new CoordinatorEvent.RememberedShardsRead(shards));
            }
        });
    }

    @Override
    public void confirmTerm(CoordinatorCommand.ConfirmTerm command) {
        run(election::confirmationWanted);
    }

    @Override
    public void report(CoordinatorCommand.Report command) {
        world.timeline().add(node, "reports", command.text());
    }
}
