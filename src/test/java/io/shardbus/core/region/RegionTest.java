package io.shardbus.core.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.HandoffAborted;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.protocol.ToRegion.LeaseGranted;
import io.shardbus.core.protocol.ToRegion.LeaveComplete;
import io.shardbus.core.protocol.ToRegion.Refused;
import io.shardbus.core.protocol.ToRegion.RegisterAgain;
import io.shardbus.core.protocol.ToRegion.Registered;
import io.shardbus.core.protocol.ToRegion.ShardHomes;
import io.shardbus.core.protocol.ToRegion.StopRecorded;
import io.shardbus.core.region.RegionCommand.CancelHandoffs;
import io.shardbus.core.region.RegionCommand.DropShard;
import io.shardbus.core.region.RegionCommand.ExtendLease;
import io.shardbus.core.region.RegionCommand.ForwardHandoff;
import io.shardbus.core.region.RegionCommand.HostShard;
import io.shardbus.core.region.RegionCommand.Send;
import io.shardbus.core.region.RegionCommand.ShowHomes;
import io.shardbus.core.region.RegionCommand.StatusChanged;
import io.shardbus.core.region.RegionCommand.StopAll;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegionTest {
    private static final TermId TERM = new TermId(7, 1);
    private static final RegionProfile PROFILE = new RegionProfile(false, 10, "1", "1", 1, 1);
    private static final FencingToken T1 = new FencingToken(7, 1, 1);

    private final Region region = new Region(PROFILE, new LeaseTimes(1_000, 300, true), 400, 0);

    private static Send send(ToCoordinator message) {
        return new Send(message);
    }

    private List<RegionCommand> hear(ToRegion message, long now) {
        return region.received(TERM, message, now);
    }

    /** Registered at 10 by the attempt 1, with a lease until 1000 and a heartbeat of number 2 sent. */
    private void register() {
        assertEquals(
                List.of(new CancelHandoffs(), send(new Register(1, PROFILE, List.of(), 1))), region.termSeen(TERM, 0));
        assertEquals(List.of(), hear(new Registered(1, Set.of()), 10));
        assertEquals(
                List.of(new ExtendLease(1_000), send(new Heartbeat(1, 2, 1, List.of()))),
                hear(new LeaseGranted(1, 1, 1_000), 10));
        assertEquals(
                List.of(new StatusChanged(RegionStatus.REGISTERED, "term 7")), hear(new LeaseGranted(1, 2, 990), 10));
    }

    private void host(int shard) {
        assertEquals(
                List.of(new HostShard(shard, T1), send(new ShardHosted(1, shard, T1, 2))),
                hear(new ToRegion.HostShard(1, shard, T1), 20));
    }

    @Test
    void registersAndCountsItsLeaseFromTheSendingOfTheHeartbeat() {
        register();
        assertTrue(region.hasLease(999));
        assertFalse(region.hasLease(1_000));
        assertEquals(RegionStatus.REGISTERED, region.status());
    }

    @Test
    void repeatsItsRegistrationWithBackoff() {
        region.termSeen(TERM, 0);
        assertEquals(List.of(), region.tick(99));
        assertEquals(List.of(send(new Register(1, PROFILE, List.of(), 2))), region.tick(100));
        assertEquals(List.of(), region.tick(299));
        assertEquals(List.of(send(new Register(1, PROFILE, List.of(), 3))), region.tick(300));
    }

    @Test
    @DisplayName("START-10: a region that cannot get on stays in REGISTERING, for the shell to ask about")
    void staysRegisteringWithoutACoordinator() {
        assertEquals(List.of(), region.tick(10_000));
        assertEquals(RegionStatus.REGISTERING, region.status());
    }

    /** Another cluster had the store while this region waited for a reign: no log would open under this one's term. */
    @Test
    void registersAnewWhenItsStoreHasAHigherTermThanTheReign() {
        region.storedIn(new SharedStore("1", "a store", 5));
        region.termSeen(TERM, 0);
        SharedStore raised = new SharedStore("1", "a store", TERM.number() + 1);
        List<RegionCommand> commands = region.storeRead(raised, 50);
        assertEquals(List.of(send(new Register(2, PROFILE.storedIn(raised), List.of(), 2))), commands);
    }

    @Test
    void saysATermOfItsStoreThatTheReignExceedsWithItsNextRegistration() {
        region.storedIn(new SharedStore("1", "a store", 5));
        region.termSeen(TERM, 0);
        SharedStore raised = new SharedStore("1", "a store", TERM.number());
        assertEquals(List.of(), region.storeRead(raised, 50));
        assertEquals(List.of(), region.storeRead(new SharedStore("1", "a store", 4), 51), "read before that");
        assertEquals(List.of(), region.storeRead(new SharedStore("2", "another", 99), 52));
        assertTrue(region.termSeen(new TermId(8, 2), 60)
                .contains(send(new Register(2, PROFILE.storedIn(raised), List.of(), 2))));
    }

    @Test
    void beatsEveryTenthOfALeaseAndListsItsShards() {
        register();
        host(3);
        assertEquals(List.of(send(new Heartbeat(1, 3, 2, List.of(new ShardReport(3, T1))))), region.tick(110));
    }

    @Test
    void aLateGrantDoesNotShortenTheLease() {
        register();
        region.tick(110);
        hear(new LeaseGranted(1, 3, 1_000), 120);
        assertEquals(List.of(), hear(new LeaseGranted(1, 2, 1_000), 130));
        assertTrue(region.hasLease(1_109));
    }

    @Test
    void stopsAndForgetsEverythingWhenItsLeaseRunsOut() {
        register();
        host(3);
        List<RegionCommand> commands = region.tick(1_000);
        assertEquals(new StopAll(StopReason.LEASE_LOST), commands.get(1));
        assertEquals(Map.of(), region.hosted());
        assertEquals(List.of(), hear(new LeaseGranted(1, 2, 5_000), 1_001), "a grant after a nap revives nothing");
        assertFalse(region.hasLease(1_001));
    }

    /** The registration that follows a lapse; shard 3 is ending under T1 where it had been hosted. */
    private static Send registersAgain(ShardReport... ending) {
        return send(new Register(2, PROFILE, List.of(), 3, false, List.of(ending)));
    }

    @Test
    @DisplayName(
            "a region registers again at once when its lease is lost; code that still runs keeps its own shard only")
    void registersAgainAtOnce() {
        register();
        host(3);
        List<RegionCommand> commands = region.tick(1_000);
        assertEquals(registersAgain(new ShardReport(3, T1)), commands.get(commands.size() - 1));
        hear(new Registered(2, Set.of()), 1_010);
        hear(new LeaseGranted(2, 3, 1_000), 1_010);
        hear(new LeaseGranted(2, 4, 1_000), 1_020);
        assertEquals(RegionStatus.REGISTERED, region.status());
        FencingToken next = new FencingToken(7, 1, 9);
        assertEquals(List.of(), hear(new ToRegion.HostShard(2, 3, next), 1_030), "its code has not ended");
        assertEquals(
                List.of(new HostShard(4, next), send(new ShardHosted(2, 4, next, 4))),
                hear(new ToRegion.HostShard(2, 4, next), 1_030));
        assertTrue(region.tick(1_130).contains(send(new ShardStopped(3, next))), "it gives the shard back");
        region.codeEnded(3, T1, 1_140);
        FencingToken later = new FencingToken(7, 1, 10);
        assertEquals(
                new HostShard(3, later),
                hear(new ToRegion.HostShard(2, 3, later), 1_150).get(0));
    }

    @Test
    void whatIsDroppedForAnotherHomeIsNotStartedBeforeItHasEnded() {
        register();
        host(3);
        region.termSeen(new TermId(8, 2), 50);
        region.received(new TermId(8, 2), new Registered(2, Set.of()), 60);
        List<RegionCommand> beat = region.received(new TermId(8, 2), new LeaseGranted(2, 3, 1_000), 70);
        assertTrue(beat.toString().contains("ending=[ShardReport[shard=3"), beat::toString);
    }

    @Test
    @DisplayName("a region tells each new reign the number of lost states that it was told")
    void tellsTheNextReignOfLostStates() {
        register();
        hear(new LeaseGranted(1, 2, 990, false, 3), 20);
        hear(new LeaseGranted(1, 2, 990), 30);
        assertTrue(region.termSeen(new TermId(8, 2), 50)
                .contains(send(new Register(2, PROFILE, List.of(), 3, false, List.of(), 3))));
    }

    @Test
    void aShardThatHasStoppedAsTheLeaseWasLostIsNotEnding() {
        register();
        host(3);
        region.tick(1_000);
        assertEquals(List.of(), region.shardStopped(3, T1, false, 1_005));
        region.termSeen(new TermId(8, 2), 1_010);
        assertTrue(region.tick(1_500).toString().contains("ending=[]"));
    }

    @Test
    @DisplayName("SPLIT-03: a region whose side of a split has stopped ends its entities under any lease")
    void stopsWhenItsSideHasStopped() {
        register();
        host(3);
        List<RegionCommand> commands = region.suspended("a split", 50);
        assertEquals(
                List.of(
                        new StatusChanged(RegionStatus.LAPSED, "a split"),
                        new StopAll(StopReason.LEASE_LOST),
                        new StatusChanged(RegionStatus.REGISTERING, "registers again"),
                        registersAgain(new ShardReport(3, T1))),
                commands);
        assertFalse(region.hasLease(50));
        assertEquals(List.of(), region.suspended("a split", 60));
    }

    @Test
    void lapsesWhenALaneSawItFirst() {
        register();
        assertEquals(
                new StopAll(StopReason.LEASE_LOST), region.lapseSeen(0, 500).get(1));
        hear(new Registered(2, Set.of()), 501);
        assertEquals(List.of(), region.lapseSeen(0, 501), "another lane, of the same lease");
        assertEquals(
                new StopAll(StopReason.LEASE_LOST), region.lapseSeen(1, 502).get(1));
    }

    @Test
    void takesAShardOnlyUnderItsRegistrationAndLeaseAndConfirmsItAgain() {
        register();
        assertEquals(List.of(), hear(new ToRegion.HostShard(2, 3, T1), 20));
        host(3);
        assertEquals(List.of(send(new ShardHosted(1, 3, T1, 2))), hear(new ToRegion.HostShard(1, 3, T1), 30));
        assertEquals(List.of(), hear(new ToRegion.HostShard(1, 3, new FencingToken(7, 1, 2)), 40));
    }

    @Test
    void ignoresOtherTerms() {
        register();
        assertEquals(List.of(), region.received(new TermId(6, 1), new ToRegion.HostShard(1, 3, T1), 20));
    }

    @Test
    void reportsItsShardsToAHigherTermAndEndsHandoffs() {
        register();
        host(3);
        assertEquals(
                List.of(new CancelHandoffs(), send(new Register(2, PROFILE, List.of(new ShardReport(3, T1)), 3))),
                region.termSeen(new TermId(8, 2), 50));
        assertTrue(region.hasLease(60), "the lease outlives the change");
        assertEquals(List.of(), region.termSeen(TERM, 60));
    }

    @Test
    void dropsWhatTheCoordinatorDoesNotKeep() {
        register();
        host(3);
        region.termSeen(new TermId(8, 2), 50);
        assertEquals(List.of(new DropShard(3, T1)), region.received(new TermId(8, 2), new Registered(2, Set.of()), 60));
    }

    @Test
    void saysWhatHasStoppedBeforeAListThatDoesNotShowIt() {
        register();
        host(3);
        region.shardStopped(3, T1, true, 50);
        List<RegionCommand> sent = region.tick(310);
        int stop = sent.indexOf(send(new ShardStopped(3, T1, true)));
        assertTrue(stop >= 0 && stop < sent.indexOf(send(new Heartbeat(1, 3, 2, List.of()))), sent.toString());
    }

    @Test
    void saysWhatHasStoppedBeforeARegistrationThatDoesNotListIt() {
        register();
        host(3);
        region.shardStopped(3, T1, true, 50);
        List<RegionCommand> sent = region.termSeen(new TermId(8, 2), 60);
        int stop = sent.indexOf(send(new ShardStopped(3, T1, true)));
        assertTrue(stop >= 0 && stop == sent.size() - 2, () -> "before the registration: " + sent);
    }

    @Test
    @DisplayName("States are offered to the reign under which the shard stopped and to the next,"
            + " which may give the shard away")
    void offersStatesToOneMoreReign() {
        register();
        host(3);
        region.shardStopped(3, T1, true, 50);
        TermId next = new TermId(8, 2);
        region.termSeen(next, 60);
        assertEquals(
                List.of(send(new ShardStopped(3, T1, true))), region.received(next, new Registered(2, Set.of()), 70));
        region.received(next, new RegisterAgain(2), 80);
        assertEquals(
                List.of(send(new ShardStopped(3, T1, true))),
                region.received(next, new Registered(3, Set.of()), 90),
                "the same reign knows what it has given away");
        TermId last = new TermId(9, 3);
        region.termSeen(last, 100);
        assertEquals(
                List.of(send(new ShardStopped(3, T1, false))), region.received(last, new Registered(4, Set.of()), 110));
    }

    @Test
    void statesOfAShardThatARegistrationDidNotListAreForThatReign() {
        register();
        host(3);
        region.shardStopped(3, T1, true, 50);
        hear(new RegisterAgain(1), 60);
        assertEquals(List.of(send(new ShardStopped(3, T1, true))), hear(new Registered(2, Set.of()), 70));
        TermId next = new TermId(8, 2);
        region.termSeen(next, 80);
        assertEquals(
                List.of(send(new ShardStopped(3, T1, false))), region.received(next, new Registered(3, Set.of()), 90));
    }

    @Test
    void repeatsAStopUntilItIsRecorded() {
        register();
        host(3);
        assertEquals(List.of(send(new ShardStopped(3, T1))), region.shardStopped(3, T1, false, 50));
        assertTrue(region.tick(120).contains(send(new ShardStopped(3, T1))));
        hear(new StopRecorded(3, T1), 130);
        assertFalse(region.tick(400).contains(send(new ShardStopped(3, T1))));
        assertEquals(List.of(), region.shardStopped(3, T1, false, 410), "only what it hosts can stop");
    }

    @Test
    void registersAgainWhenTheCoordinatorDoesNotKnowIt() {
        register();
        assertEquals(List.of(send(new Register(2, PROFILE, List.of(), 3))), hear(new RegisterAgain(1), 50));
        assertEquals(List.of(), hear(new RegisterAgain(1), 60));
    }

    @Test
    void isRefusedForGood() {
        region.termSeen(TERM, 0);
        assertEquals(
                List.of(new StopAll(StopReason.SHUTDOWN), new StatusChanged(RegionStatus.REFUSED, "other shards")),
                hear(new Refused(1, "other shards"), 10));
        assertEquals(List.of(), region.tick(10_000));
        assertEquals(
                List.of(),
                region.termSeen(new TermId(9, 9), 10_001).stream()
                        .filter(Send.class::isInstance)
                        .toList());
    }

    @Test
    @DisplayName("BUF-02: homes wanted before the registration are asked for after it")
    void asksForHomesOnceItIsRegistered() {
        assertEquals(List.of(), region.homesWanted(List.of(5, 4), 0));
        region.termSeen(TERM, 0);
        assertEquals(List.of(send(new GetShardHomes(1, List.of(4, 5)))), hear(new Registered(1, Set.of()), 10));
        assertEquals(List.of(send(new GetShardHomes(1, List.of(6)))), region.homesWanted(List.of(6), 20));
    }

    @Test
    @DisplayName("A question that met no coordinator any more is asked at once with the next registration")
    void asksAgainWhatTheCoordinatorBeforeDidNotAnswer() {
        register();
        region.homesWanted(List.of(5, 6, 7), 20);
        hear(new ShardHomes(List.of(new ShardHome(6, T1, T1, new NodeId("b"), 1))), 30);
        TermId next = new TermId(8, 2);
        region.termSeen(next, 50);
        assertEquals(
                List.of(send(new GetShardHomes(2, List.of(5, 7)))),
                region.received(next, new Registered(2, Set.of()), 60));
        region.received(next, new RegisterAgain(2), 70);
        assertEquals(
                List.of(send(new GetShardHomes(3, List.of(5, 7)))),
                region.received(next, new Registered(3, Set.of()), 80));
    }

    @Test
    void passesOnWhatIsForItsLanes() {
        register();
        ShardHome home = new ShardHome(1, T1, T1, new NodeId("b"), 1);
        BeginHandoff begin = new BeginHandoff(1, T1, T1, new NodeId("b"), 1, Set.of(), false);
        assertEquals(List.of(new ShowHomes(List.of(home))), hear(new ShardHomes(List.of(home)), 20));
        assertEquals(List.of(new ForwardHandoff(begin, true)), hear(begin, 30));
        assertEquals(List.of(new RegionCommand.AbortHandoff(1, T1)), hear(new ToRegion.AbortHandoff(1, T1), 40));
        HoldUp heldUp = new HoldUp("e1", 12_000, 3, List.of());
        assertEquals(List.of(send(new HandoffAborted(1, T1, heldUp))), region.handoffAborted(1, T1, heldUp, 50));
    }

    @Test
    void leavesWhenNothingIsLeft() {
        register();
        assertEquals(List.of(send(new Leave(1))), region.leaveRequested(50));
        assertEquals(List.of(new StopAll(StopReason.SHUTDOWN)), hear(new LeaveComplete(1), 60));
        assertEquals(List.of(), hear(new LeaveComplete(1), 61));
        assertEquals(
                List.of(send(new Goodbye(1)), new StatusChanged(RegionStatus.LEFT, "all entities have ended")),
                region.allStopped(0, 100));
        assertEquals(List.of(), region.tick(10_000));
    }

    @Test
    void keepsItsRegistrationWhileItsLastMessagesLeave() {
        register();
        host(3);
        assertEquals(
                List.of(new StopAll(StopReason.SHUTDOWN), send(new Leave(1))),
                region.stopRequested(50),
                "the coordinator is to give it no shards meanwhile");
        assertEquals(List.of(send(new GetShardHomes(1, List.of(5)))), region.homesWanted(List.of(5), 60));
        assertEquals(List.of(send(new Heartbeat(1, 3, 2, List.of(new ShardReport(3, T1))))), region.tick(110));
        assertEquals(List.of(), hear(new ToRegion.HostShard(1, 4, T1), 120), "and takes no shard");
        region.tick(1_000);
        assertEquals(Map.of(), region.hosted(), "without a lease nothing is its own");
    }

    @Test
    void aStopDuringALapseEndsTheRegionForGood() {
        register();
        region.tick(1_000);
        assertEquals(List.of(new StopAll(StopReason.SHUTDOWN)), region.stopRequested(1_010));
        assertEquals(send(new Goodbye(2)), region.allStopped(0, 1_020).get(0));
    }

    /** It has no shard left to hand off, and may wait for a coordinator in vain. */
    @Test
    void aRegionThatLosesItsLeaseWhileItLeavesStops() {
        register();
        host(3);
        region.leaveRequested(50);
        List<RegionCommand> commands = region.tick(1_000);
        int lapse = commands.indexOf(new StopAll(StopReason.LEASE_LOST));
        assertTrue(lapse >= 0 && commands.indexOf(new StopAll(StopReason.SHUTDOWN)) > lapse, commands::toString);
        assertEquals(List.of(send(new Leave(2))), hear(new Registered(2, Set.of()), 1_010), "it takes no shard");
        assertEquals(send(new Goodbye(2)), region.allStopped(0, 1_020).get(0));
        assertEquals(RegionStatus.LEFT, region.status());
    }

    @Test
    void aRegionThatIsToLeaveAndFindsItsLeaseLostStops() {
        register();
        List<RegionCommand> commands = region.leaveRequested(1_000);
        assertEquals(new StopAll(StopReason.SHUTDOWN), commands.get(commands.size() - 1));
        assertEquals(List.of(), region.leaveRequested(1_010));
        assertEquals(send(new Goodbye(2)), region.allStopped(0, 1_020).get(0));
    }

    @Test
    void anOrderForALifeThatIsOverIsLateHoweverMuchIsRecorded() {
        register();
        host(3);
        region.shardStopped(3, T1, false, 30);
        hear(new StopRecorded(3, T1), 40);
        // a repetition that was under way on a connection that broke may come behind what was sent on the next one
        assertEquals(List.of(), hear(new ToRegion.HostShard(1, 3, T1), 50), "it has another home by now");
        assertEquals(Map.of(), region.hosted());
        FencingToken next = new FencingToken(7, 1, 2);
        assertEquals(
                List.of(new HostShard(3, next), send(new ShardHosted(1, 3, next, 2))),
                hear(new ToRegion.HostShard(1, 3, next), 60));
    }
}
