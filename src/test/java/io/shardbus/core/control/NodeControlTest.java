package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorSettings;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.region.RegionStatus;
import io.shardbus.core.time.ClockReading;
import io.shardbus.core.time.ElapsedTime;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node among two, whose caches alone decide about splits: what it wants when something happens. */
class NodeControlTest {
    private static final NodeId SELF = new NodeId("a");
    private static final NodeId OTHER = new NodeId("b");
    private static final LeaseTimes TIMES = new LeaseTimes(2_000, 300, true);
    private static final ElapsedTime CLOCK = ElapsedTime.from(new ClockReading(0, 0, ClockReading.NO_BOOT, 0));
    private static final String TYPE = "t";
    private static final TermId FOREIGN = new TermId(50, 7);

    private final NodeControl control = new NodeControl(
            new NodeSetup(SELF, 1, true, Seats.ALONE, TIMES, 0, true, false, "keep-majority"),
            null,
            (type, begin) -> new CoordinatorSettings(TIMES, 3_000, 100, 0),
            at(0));
    private long now;
    private @Nullable TermRecord stored;
    /** The nodes that may hold leases, by the record of the term before. */
    private @Nullable Set<NodeId> listed = Set.of(SELF, OTHER);
    /** Whether the other node has seen each written record, and sends a message, before this one hears of the write. */
    private boolean isLateToHear;
    /** How long the next write takes, in milliseconds. */
    private long writing;
    /** What is wanted of the record of standing orders, in its order. */
    private final List<OrderCommand> wanted = new ArrayList<>();

    private static Moment at(long now) {
        return new Moment(now, now, CLOCK);
    }

    /** The store answers at once. */
    private List<NodeCommand> settle(List<NodeCommand> commands) {
        List<NodeCommand> all = new ArrayList<>(commands);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i) instanceof NodeCommand.Elected elected) {
                if (elected.command() instanceof ElectionCommand.Read read) {
                    all.addAll(control.recordRead(read.operation(), stored, at(now)));
                } else if (elected.command() instanceof ElectionCommand.Replace write) {
                    all.addAll(replaced(write));
                }
            } else if (all.get(i) instanceof NodeCommand.Ordered ordered) {
                wanted.add(ordered.command());
            }
        }
        return all;
    }

    /** These orders stand: each read that was wanted finds them. */
    private void ordersRead(StandingOrders stand) {
        while (!wanted.isEmpty()) {
            OrderCommand.Read read = (OrderCommand.Read) wanted.remove(0);
            WrittenOrders found = new WrittenOrders(stand, control.term());
            settle(control.ordered(new OrderEvent.Read(read.operation(), found), at(now)));
        }
    }

    private List<NodeCommand> replaced(ElectionCommand.Replace write) {
        if (!Objects.equals(write.expected(), stored)) {
            return control.recordReplaced(write.operation(), Election.Outcome.UNEQUAL, at(now));
        }
        stored = write.next();
        now += writing;
        writing = 0;
        List<NodeCommand> all = new ArrayList<>();
        if (isLateToHear) {
            ToCoordinator message = new ToCoordinator.Goodbye(1);
            all.addAll(control.forCoordinator(OTHER, write.next().termId(), TYPE, message, at(now)));
        }
        all.addAll(control.recordReplaced(write.operation(), Election.Outcome.WRITTEN, at(now)));
        return all;
    }

    private void see(NodeId... members) {
        settle(control.viewChanged(List.of(members), true, false, at(now)));
    }

    /** The record is of a node that is gone, with this one enrolled: this node claims its place. */
    private void reign() {
        stored = new TermRecord(40, OTHER, 7, TermRecord.RELEASED, 2_000, listed);
        see(SELF, OTHER);
        untilItReigns();
        assertNotNull(control.reign(), "it reigns");
    }

    private List<NodeCommand> register(NodeId from) {
        RegionProfile profile = new RegionProfile(
                false, 4, "1", "1", 1, 1, new RegionProfile.Safety("", 2_000), new RegionProfile.Memory(false, "one"));
        ToCoordinator.Register message = new ToCoordinator.Register(1, profile, List.of(), 1);
        return settle(control.forCoordinator(from, control.term(), TYPE, message, at(now)));
    }

    @Test
    void aTypeGetsItsCoordinatorWithItsFirstRegion() {
        reign();
        assertNull(control.coordinator(TYPE, control.term()));
        register(SELF);
        assertNotNull(control.coordinator(TYPE, control.term()));
        assertNull(control.coordinator(TYPE, FOREIGN), "of a term that is not this node's");
    }

    @Test
    @DisplayName("A node's reign gives regions the time to register from its begin on, also after a slow write")
    void regionsHaveTheTimeToRegister() {
        writing = 500;
        reign();
        Reign reign = Objects.requireNonNull(control.reign());
        assertTrue(now >= reign.begin().confirmSent() + 500);
        assertFalse(reign.hasBeenHeard(100, now));
        assertTrue(reign.hasBeenHeard(100, now + 100));
    }

    private List<NodeCommand> stopped(NodeId from, String type) {
        ToCoordinator.ShardStopped message = new ToCoordinator.ShardStopped(1, new FencingToken(40, 7, 1));
        return settle(control.forCoordinator(from, control.term(), type, message, at(now)));
    }

    /** For 8 s at most. */
    private void untilItReigns() {
        for (int i = 0; i < 400 && control.reign() == null; i++) {
            now += 20;
            settle(control.tick(at(now)));
        }
    }

    /** Else each of them delays every claim by half a lease. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("A node claims a silent record as the first candidate where older members have no sharding")
    void membersWithoutShardingDelayNoClaim(boolean knownLate) {
        NodeId owner = new NodeId("owner");
        stored = new TermRecord(40, owner, 7, 5, 2_000, null);
        if (!knownLate) {
            settle(control.countedChanged(Set.of(SELF, owner), at(now)));
        }
        see(new NodeId("g1"), new NodeId("g2"), new NodeId("g3"), SELF, owner);
        settle(control.countedChanged(Set.of(SELF, owner), at(now)));
        long silent = now;
        untilItReigns();
        assertTrue(now - silent <= TIMES.lease() + TIMES.confirmInterval(), "after " + (now - silent) + " ms");
    }

    @Test
    @DisplayName("A node's reign gives a bounded number of types without a region a coordinator, and counts the others")
    void forgedTypesGetABoundedNumberOfCoordinators() {
        reign();
        for (int i = 0; i < Reign.MOST_UNREGISTERED; i++) {
            assertEquals(List.of(), of(NodeCommand.Refuse.class, stopped(OTHER, "forged" + i)));
        }
        assertEquals(1, of(NodeCommand.Refuse.class, stopped(OTHER, "one more")).size());
        assertEquals(List.of(), of(NodeCommand.Refuse.class, stopped(OTHER, "forged1")), "one that it knows");
        assertEquals(Reign.MOST_UNREGISTERED, control.reign().types().size());
        assertEquals(List.of(), of(NodeCommand.Refuse.class, register(OTHER)), "a region that registers");
        assertNotNull(control.coordinator(TYPE, control.term()));
    }

    @Test
    @DisplayName("A node's reign gives a type no coordinator for a node that is no member")
    void aNodeThatIsNoMemberBringsNoType() {
        reign();
        now += 10;
        see(SELF);
        stopped(OTHER, "u");
        register(OTHER);
        assertEquals(Set.of(), control.reign().types());
    }

    @Test
    @DisplayName("A node's reign keeps a bounded number of types of forged abdications")
    void forgedAbdicationsAreBounded() {
        reign();
        Map<String, Set<NodeId>> types = new HashMap<>();
        for (int type = 0; type < Reign.MOST_TYPES + 5_000; type++) {
            types.put("t" + type, Set.of());
        }
        NodeMessage forged = new NodeMessage.Abdicated(new TermId(40, 7), types);
        settle(control.forNode(OTHER, forged, at(now)));
        int told = of(NodeCommand.Broadcast.class, settle(control.leave(false, at(now)))).stream()
                .map(NodeCommand.Broadcast.class::cast)
                .map(NodeCommand.Broadcast::message)
                .filter(NodeMessage.Abdicated.class::isInstance)
                .mapToInt(
                        message -> ((NodeMessage.Abdicated) message).sessions().size())
                .sum();
        assertEquals(Reign.MOST_TYPES, told);
    }

    @Test
    void aReignReadsTheStandingOrdersAndTypesThatRegisterLaterFollowThem() {
        reign();
        assertEquals(List.of(), of(NodeCommand.Ordered.class, settle(control.tick(at(now)))), "it has asked already");
        assertFalse(control.reign().knowsOrders(), "an empty answer about drains would be wrong");
        OperatorOrder drain = new OperatorOrder(OperatorOrder.Kind.DRAIN, "", OTHER, -1);
        StandingOrders stand = StandingOrders.NONE.with(drain, 0);
        ordersRead(stand);
        assertTrue(control.reign().knowsOrders());
        register(SELF);
        assertTrue(control.coordinator(TYPE, control.term()).isDrained(OTHER));
        register(OTHER);
        ToCoordinator heard = new ToCoordinator.Heartbeat(1, 2, 1, List.of());
        settle(control.forCoordinator(OTHER, control.term(), TYPE, heard, at(now)));
        settle(control.forCoordinator(OTHER, control.term(), TYPE, new ToCoordinator.Goodbye(1, 0), at(now)));
        assertFalse(control.coordinator(TYPE, control.term()).isDrained(OTHER));
        now += 1_000;
        settle(control.tick(at(now)));
        OrderCommand.Write write = (OrderCommand.Write) wanted.remove(0);
        assertEquals(control.term(), write.term());
        assertEquals(
                stand.with(new OperatorOrder(OperatorOrder.Kind.UNDRAIN, TYPE, OTHER, -1), now)
                        .given(),
                write.change().apply(stand).given(),
                "the drain has ended with the region");
    }

    @Test
    void aDeathThatWasProvenBeforeATypeHadItsCoordinatorIsKnownToIt() {
        reign();
        now += 10;
        see(SELF);
        settle(control.provenDead(OTHER, at(now)));
        register(SELF);
        now += 300;
        settle(control.tick(at(now)));
        assertTrue(control.coordinator(TYPE, control.term()).isOpen(), "no wait for the lease of the dead");
    }

    /** A reign may last for months, and each life of a process is another node. */
    @Test
    void aReignKeepsTheLatestDeathsOnly() {
        reign();
        now += 10;
        see(SELF);
        settle(control.provenDead(OTHER, at(now)));
        for (int i = 0; i < Reign.MOST_DEATHS; i++) {
            NodeId node = new NodeId("n" + i);
            see(SELF, node);
            see(SELF);
            settle(control.provenDead(node, at(now)));
        }
        register(SELF);
        settle(control.tick(at(now)));
        assertFalse(control.coordinator(TYPE, control.term()).isOpen(), "the lease of the first one is waited for");
    }

    /**
     * The loop stood from just after a confirmation was sent until the one before it was too old, with other events
     * before its answer: a reign that went on then would not know of them.
     */
    @Test
    void aReignThatMissedAnEventIsNotRevivedByAConfirmationThatComesLate() {
        reign();
        register(SELF);
        TermId term = control.term();
        ElectionCommand.Replace confirmation = null;
        while (confirmation == null) {
            now += 20;
            confirmation = of(NodeCommand.Elected.class, control.tick(at(now))).stream()
                    .map(command -> ((NodeCommand.Elected) command).command())
                    .filter(ElectionCommand.Replace.class::isInstance)
                    .map(ElectionCommand.Replace.class::cast)
                    .findFirst()
                    .orElse(null);
        }
        stored = confirmation.next();
        now += TIMES.lease() - TIMES.confirmInterval() / 2;
        settle(control.ordered(new OrderEvent.RetryDue(0), at(now)));
        assertNull(control.reign(), "it ended before the event");
        settle(control.recordReplaced(confirmation.operation(), Election.Outcome.WRITTEN, at(now)));
        assertNull(control.coordinator(TYPE, term));
        assertNotNull(control.reign(), "the record is vacant for its owner: it reigns again at once");
        assertTrue(control.term().isHigherThan(term));
        register(SELF);
        ordersRead(StandingOrders.NONE.with(new OperatorOrder(OperatorOrder.Kind.DRAIN, "", OTHER, -1), 0));
        assertTrue(control.coordinator(TYPE, control.term()).isDrained(OTHER));
    }

    /** The other may have gone on with nodes that came after the cut, and these may live. */
    @Test
    void aDeathThatIsProvenLateDoesNotMakeAStoppedSideGoOn() {
        see(SELF, OTHER);
        settle(control.viewChanged(List.of(SELF), false, false, at(now)));
        now += 60_000;
        assertEquals(List.of(), of(NodeCommand.Excuse.class, control.provenDead(OTHER, at(now))));
        assertTrue(control.peers().status(OTHER).isLost());
    }

    @Test
    void aDeathThatIsProvenSoonExcusesTheLossOnAStoppedSide() {
        see(SELF, OTHER);
        settle(control.viewChanged(List.of(SELF), false, false, at(now)));
        now += 100;
        assertEquals(
                List.of(new NodeCommand.Excuse(OTHER)),
                of(NodeCommand.Excuse.class, control.provenDead(OTHER, at(now))));
    }

    private static List<NodeCommand> of(Class<? extends NodeCommand> kind, List<NodeCommand> commands) {
        return commands.stream().filter(kind::isInstance).toList();
    }

    @Test
    void aNodeThatLeavesGivesUpItsTermBeforeItSaysSo() {
        reign();
        TermId term = control.term();
        List<NodeCommand> commands = control.leave(true, at(now));
        List<NodeMessage> said = commands.stream()
                .filter(NodeCommand.Broadcast.class::isInstance)
                .map(command -> ((NodeCommand.Broadcast) command).message())
                .toList();
        assertEquals(List.of(new NodeMessage.Abdicated(term, Map.of()), new NodeMessage.NodeLeaving(SELF, true)), said);
        assertNull(control.reign());
    }

    private @Nullable Set<NodeId> holdersLeftBy(List<NodeCommand> commands) {
        return commands.stream()
                .filter(NodeCommand.Broadcast.class::isInstance)
                .map(command -> ((NodeCommand.Broadcast) command).message())
                .filter(NodeMessage.Abdicated.class::isInstance)
                .map(NodeMessage.Abdicated.class::cast)
                .findFirst()
                .orElseThrow()
                .sessions()
                .get(TYPE);
    }

    private void reignAfterOneThatSaidWhichLeasesItLeft() {
        listed = null;
        see(SELF, OTHER);
        control.forNode(
                OTHER, new NodeMessage.Abdicated(new TermId(40, 7), Map.of(TYPE, Set.of(SELF, OTHER))), at(now));
        reign();
    }

    /** That no region holds a lease of the term. */
    private void claimsToHaveGivenUp(NodeId from, TermId term) {
        settle(control.forNode(from, new NodeMessage.Abdicated(term, Map.of(TYPE, Set.of())), at(now)));
    }

    private boolean opensAlone() {
        register(SELF);
        now += 300;
        settle(control.tick(at(now)));
        return control.coordinator(TYPE, control.term()).isOpen();
    }

    @Test
    @DisplayName("A node's reign waits for earlier leases though a member says in its own name that there are none")
    void aMemberCannotGiveUpTheTermOfAnother() {
        NodeId third = new NodeId("c");
        listed = null;
        see(SELF, OTHER, third);
        claimsToHaveGivenUp(third, new TermId(40, 7));
        claimsToHaveGivenUp(SELF, new TermId(40, 7));
        reign();
        claimsToHaveGivenUp(third, new TermId(40, 7));
        assertFalse(opensAlone());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("A node's reign waits for leases unless the coordinator released its record, or said goodbye")
    void aCoordinatorThatCrashesHasNotGivenUp(boolean leaves) {
        listed = null;
        stored = new TermRecord(40, OTHER, 7, 5, 2_000, null);
        see(SELF, OTHER);
        claimsToHaveGivenUp(OTHER, new TermId(40, 7));
        if (leaves) {
            settle(control.forNode(OTHER, new NodeMessage.NodeLeaving(OTHER, true), at(now)));
        }
        see(SELF);
        untilItReigns();
        assertEquals(leaves, opensAlone());
    }

    @Test
    @DisplayName("A node's reign waits for the leases of its own last reign though a member says that there are none")
    void ownLeasesAreRememberedAgainstStatementsOfOthers() {
        reign();
        register(SELF);
        register(OTHER);
        settle(control.tick(at(now)));
        TermId first = control.term();
        assertTrue(control.coordinator(TYPE, first).isOpen());
        settle(control.viewChanged(List.of(SELF, OTHER), false, false, at(now)));
        assertNull(control.reign());
        claimsToHaveGivenUp(OTHER, first);
        claimsToHaveGivenUp(SELF, first);
        settle(control.viewChanged(List.of(SELF, OTHER), true, false, at(now)));
        untilItReigns();
        assertTrue(control.term().isHigherThan(first));
        assertFalse(opensAlone());
    }

    /** Else the next one would wait for leases of all earlier reigns, for a lease time. */
    @Test
    void aReignThatEndsBeforeRegionsHaveRegisteredPassesOnWhichLeasesItsPredecessorLeft() {
        reignAfterOneThatSaidWhichLeasesItLeft();
        assertEquals(Set.of(OTHER), holdersLeftBy(control.leave(true, at(now))), "this node holds none any more");
    }

    @Test
    void aReignThatEndsBeforeAllHaveRegisteredAddsTheLeasesThatItGranted() {
        NodeId third = new NodeId("c");
        reignAfterOneThatSaidWhichLeasesItLeft();
        see(SELF, OTHER, third);
        register(third);
        assertFalse(control.coordinator(TYPE, control.term()).isOpen());
        assertEquals(Set.of(OTHER, third), holdersLeftBy(control.leave(true, at(now))));
    }

    @Test
    void aReignThatKnowsNoEarlierLeasesSaysNothingOfATypeWhileItWaitsForThem() {
        listed = null;
        reign();
        register(OTHER);
        assertNull(holdersLeftBy(control.leave(true, at(now))));
    }

    /** Else its own regions would not know whom to send to for as long as it reigns. */
    @Test
    void aNodeKnowsThatItReignsThoughOthersHaveHeardSoFirst() {
        isLateToHear = true;
        reign();
        assertEquals(SELF, control.coordinator());
        assertEquals(control.reign().term(), control.term());
    }

    @Test
    void aMessageOfALowerTermIsAnsweredWithTheHigherOne() {
        reign();
        TermId lower = new TermId(39, 7);
        ToCoordinator.Goodbye message = new ToCoordinator.Goodbye(1);
        assertEquals(
                List.of(new NodeCommand.Send(OTHER, new NodeMessage.TermAnnounced(control.term(), SELF))),
                control.forCoordinator(OTHER, lower, TYPE, message, at(now)));
    }

    @Test
    void aReignEndsBeforeTheRegionsTurnToAHigherTerm() {
        reign();
        stored = new TermRecord(control.term().number() + 5, OTHER, 7, 0, 2_000, null);
        TermId higher = stored.termId();
        now += 1_000;
        NodeMessage announced = new NodeMessage.TermAnnounced(higher, OTHER);
        List<NodeCommand> commands = settle(control.forNode(OTHER, announced, at(now)));
        now += 1_000;
        commands.addAll(settle(control.tick(at(now))));
        int end = indexOf(
                commands,
                command -> command instanceof NodeCommand.Elected elected
                        && elected.command() instanceof ElectionCommand.StepDown);
        int turn = indexOf(commands, new NodeCommand.TurnTo(higher)::equals);
        assertTrue(end >= 0 && turn > end, commands::toString);
    }

    /** To a node that came later the coordinator is no member, and it would refuse what is said of that. */
    @Test
    void aHigherTermWhoseCoordinatorIsGoneIsToldWithoutIt() {
        stored = new TermRecord(60, OTHER, 7, 0, 2_000, null);
        see(SELF, OTHER);
        settle(control.forNode(OTHER, new NodeMessage.TermAnnounced(stored.termId(), OTHER), at(now)));
        assertEquals(OTHER, control.coordinator());
        NodeId later = new NodeId("c");
        see(SELF, later);
        NodeMessage lower = new NodeMessage.TermAnnounced(FOREIGN, later);
        assertEquals(
                List.of(new NodeCommand.Send(later, new NodeMessage.TermAnnounced(stored.termId(), later))),
                of(NodeCommand.Send.class, control.forNode(later, lower, at(now))));
    }

    @Test
    @DisplayName("refuses what a stranger sends: it is not even heard as an event")
    void aStrangerIsRefused() {
        reign();
        TermId own = control.term();
        NodeId stranger = new NodeId("stranger");
        List<NodeCommand> refused = List.of(new NodeCommand.RefuseStranger(stranger));
        Moment late = at(now + 100 * TIMES.lease());
        TermId higher = new TermId(own.number() + 1, 1);
        ToRegion toRegion = new ToRegion.HostShard(1, 1, new FencingToken(own.number(), 1, 1));
        assertEquals(refused, control.forNode(stranger, new NodeMessage.TermAnnounced(higher, OTHER), late));
        assertEquals(refused, control.forCoordinator(stranger, own, TYPE, new ToCoordinator.Goodbye(1), late));
        assertEquals(refused, control.forRegion(stranger, own, TYPE, toRegion, late));
        assertEquals(refused, control.forLaterBuild(stranger, 99, late));
        assertEquals(own, control.term());
        assertNotNull(control.reign());
    }

    @Test
    @DisplayName("hears a member that has left, and skips what a member of a later build sends")
    void aMemberIsHeard() {
        see(SELF, OTHER);
        see(SELF);
        assertEquals(List.of(new NodeCommand.Skip(OTHER, 99)), control.forLaterBuild(OTHER, 99, at(now)));
        ToRegion message = new ToRegion.HostShard(1, 1, new FencingToken(FOREIGN.number(), 1, 1));
        assertEquals(
                List.of(new NodeCommand.Deliver(TYPE, FOREIGN, message)),
                of(NodeCommand.Deliver.class, control.forRegion(OTHER, FOREIGN, TYPE, message, at(now))));
    }

    private static int indexOf(List<NodeCommand> commands, Predicate<NodeCommand> wanted) {
        for (int i = 0; i < commands.size(); i++) {
            if (wanted.test(commands.get(i))) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void aReignEndsWithTheCachesAndWhatItHadStillToSayIsNotItsOwnAnyMore() {
        reign();
        TermId term = control.term();
        register(SELF);
        control.viewChanged(List.of(SELF), false, false, at(now));
        assertNull(control.coordinator(TYPE, term));
        assertTrue(control.peers().status(OTHER).isLost());
    }

    @Test
    void aGoodbyeInTheNameOfAnotherNodeIsRefused() {
        see(SELF, OTHER);
        List<NodeCommand> commands = control.forNode(OTHER, new NodeMessage.NodeLeaving(SELF, true), at(now));
        assertEquals(List.of(new NodeCommand.Refuse("b sent NodeLeaving in the name of a")), commands);
    }

    @Test
    void aRegionHandsOffItsShardsIfACoordinatorCanAnswer() {
        assertEquals(RegionEnd.STOP, control.regionEnd(RegionStatus.REGISTERED, false), "there is no member");
        see(SELF, OTHER);
        assertEquals(RegionEnd.HAND_OFF, control.regionEnd(RegionStatus.REGISTERED, false));
        assertEquals(RegionEnd.STOP, control.regionEnd(RegionStatus.REGISTERING, false), "it has no shard");
        assertEquals(RegionEnd.STOP, control.regionEnd(RegionStatus.REGISTERED, true), "nothing is heard any more");
        PeerAttributes follower = new PeerAttributes(Set.of(), false, null);
        settle(control.attributesChanged(Map.of(SELF, follower), at(now)));
        assertEquals(RegionEnd.HAND_OFF, control.regionEnd(RegionStatus.REGISTERED, false), "the other one may reign");
        settle(control.attributesChanged(Map.of(SELF, follower, OTHER, follower), at(now)));
        assertEquals(RegionEnd.STOP, control.regionEnd(RegionStatus.REGISTERED, false), "none may reign");
    }

    @Test
    void aRegionStopsAtOnceWhileTheWholeClusterStops() {
        see(SELF, OTHER);
        settle(control.clusterStops(true, at(now)));
        assertEquals(RegionEnd.STOP, control.regionEnd(RegionStatus.REGISTERED, false));
        settle(control.clusterStops(false, at(now)));
        assertEquals(RegionEnd.HAND_OFF, control.regionEnd(RegionStatus.REGISTERED, false));
    }

    @Test
    void aMessageForARegionIsDeliveredAfterTheRegionHasTurnedToItsTerm() {
        stored = new TermRecord(50, OTHER, 7, 0, 2_000, null);
        see(SELF, OTHER);
        ToRegion message = new ToRegion.LeaveComplete(1);
        List<NodeCommand> commands = settle(control.forRegion(OTHER, FOREIGN, TYPE, message, at(now)));
        int turn = indexOf(commands, new NodeCommand.TurnTo(FOREIGN)::equals);
        int delivery = indexOf(commands, new NodeCommand.Deliver(TYPE, FOREIGN, message)::equals);
        assertTrue(turn >= 0 && delivery > turn, commands::toString);
        assertEquals(OTHER, control.coordinator());
    }
}
