package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Leave;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.AbortHandoff;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.core.protocol.ToRegion.LeaseGranted;
import io.shardbus.core.protocol.ToRegion.LeaveComplete;
import io.shardbus.core.protocol.ToRegion.RegisterAgain;
import io.shardbus.core.protocol.ToRegion.Registered;
import io.shardbus.core.protocol.ToRegion.ShardHomes;
import io.shardbus.core.protocol.ToRegion.StopRecorded;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CoordinatorTest extends CoordinatorFixture {
    @Test
    void answersARegistrationAndGrantsALeaseWithinItsAuthority() {
        now = 300;
        assertEquals(List.of(new Registered(1, Set.of()), new LeaseGranted(1, 1, 700)), to(A, register(A, 1)));
    }

    @Test
    void grantsAnewAfterEveryConfirmation() {
        register(A, 1);
        now = 100;
        assertEquals(List.of(new LeaseGranted(1, 1, LEASE)), to(A, confirm()));
    }

    @Test
    void takesNothingAfterItsAuthorityHasRunOut() {
        now = LEASE;
        assertThrows(IllegalStateException.class, () -> register(A, 1));
        assertEquals(List.of(), confirm(), "it has not registered");
    }

    @Test
    void ignoresARegionOutsideItsView() {
        assertEquals(List.of(), register(new NodeId("stranger"), 1));
    }

    @Test
    void ignoresALowerAttemptAndRepeatsTheAnswerToAnEqualOne() {
        register(A, 5, report(1, 3));
        assertEquals(List.of(), register(A, 4));
        assertEquals(new Registered(5, Set.of(1)), to(A, register(A, 5)).get(0));
    }

    @Test
    void keepsWhatARegionReportsAndTellsOthersOfIt() {
        register(A, 1, report(4, 2));
        register(B, 1);
        ShardHome home = new ShardHome(4, token(1), token(2), A, 1);
        assertEquals(List.of(new ShardHomes(List.of(home))), to(B, from(B, new GetShardHomes(1, List.of(4, 99, -1)))));
    }

    @Test
    void tellsWhoAskedBeforeTheHomeReportedIt() {
        register(A, 1);
        register(B, 1);
        from(B, new GetShardHomes(1, List.of(4)));
        ShardHome home = new ShardHome(4, token(1), token(2), A, 1);
        assertEquals(List.of(new ShardHomes(List.of(home))), to(B, register(A, 2, report(4, 2))));
    }

    @Test
    @DisplayName(
            "two clusters founded apart have met: a shard kept under the older token starts again under a newer one")
    void renewsATokenThatAnotherHomeOutranks() {
        FencingToken older = new FencingToken(5, 1, 9);
        register(A, 1, new ShardReport(3, older));
        register(B, 1, new ShardReport(3, new FencingToken(6, 2, 1)), new ShardReport(4, new FencingToken(6, 2, 2)));
        for (now = 100; now < OPEN; now += 100) {
            confirm();
            beat(A, 1, new ShardReport(3, older));
            beat(B, 1, new ShardReport(4, new FencingToken(6, 2, 2)));
            assertEquals(List.of(), to(A, tick()), "not before the reign is open");
        }
        confirm();
        beat(A, 1, new ShardReport(3, older));
        beat(B, 1, new ShardReport(4, new FencingToken(6, 2, 2)));
        List<CoordinatorCommand> begun = tick();
        BeginHandoff handoff = (BeginHandoff) to(A, begun).get(0);
        assertEquals(3, handoff.shard());
        assertEquals(older, handoff.token());
        assertEquals(1, to(B, begun).size(), "shard 4 is not outranked");
        from(A, new ShardStopped(3, older));
        assertEquals(List.of(), to(A, tick()), "renewed once");
    }

    @Test
    void sendsAnUnknownRegistrationBack() {
        assertEquals(List.of(new RegisterAgain(9)), to(A, beat(A, 9)));
        assertEquals(List.of(new RegisterAgain(9)), to(A, from(A, new GetShardHomes(9, List.of(1)))));
        assertEquals(List.of(new RegisterAgain(9)), to(A, from(A, new Leave(9))));
    }

    @Test
    void givesNothingAwayBeforeEarlierLeasesHaveRunOut() {
        register(A, 1);
        now = OPEN;
        confirm();
        now = OPEN - 1;
        coordinator = newCoordinator(true, 0);
        heartbeats.clear();
        step(new CoordinatorEvent.Confirmed(OPEN - 1));
        register(A, 1);
        beat(A, 1);
        assertEquals(List.of(), from(A, new GetShardHomes(1, List.of(1))));
        assertFalse(coordinator.isOpen());
        now = OPEN;
        assertEquals(
                List.of(new PlaceShard(1, A)),
                confirm().stream().filter(c -> !(c instanceof Send)).toList());
    }

    @Test
    void asksForAConfirmationWhenTheTimeToOpenHasComeAndOnlyThatIsMissing() {
        now = OPEN - 1;
        confirm();
        assertEquals(List.of(), wishes());
        now = OPEN;
        assertEquals(List.of(new CoordinatorCommand.ConfirmTerm()), wishes());
        confirm();
        assertEquals(List.of(), wishes());
    }

    @Test
    void opensAtOnceWhenAllOfAnAbdicatedPredecessorHaveReported() {
        step(new CoordinatorEvent.PredecessorAbdicated(Set.of(A, B)));
        register(A, 1);
        beat(A, 1);
        assertEquals(List.of(), from(A, new GetShardHomes(1, List.of(1))));
        assertTrue(register(B, 1).contains(new PlaceShard(1, A)));
    }

    @Test
    void needsAnEchoBeforeARegionGetsShards() {
        open(A);
        register(B, 1);
        from(A, new GetShardHomes(1, List.of(1)));
        assertEquals(List.of(), step(new CoordinatorEvent.ShardPlaced(1, B)));
        beat(B, 1);
        assertEquals(List.of(new Send(B, new HostShard(1, 1, token(1)))), step(new CoordinatorEvent.ShardPlaced(1, B)));
    }

    @Test
    @DisplayName("ALLOC-36: a strategy may answer later, and its choice counts for any asker")
    void takesAnAsynchronousAnswer() {
        open(A, B);
        assertEquals(List.of(new PlaceShard(1, B)), from(B, new GetShardHomes(1, List.of(1))));
        now += 50;
        assertEquals(List.of(), tick());
        assertEquals(List.of(new Send(A, new HostShard(1, 1, token(1)))), step(new CoordinatorEvent.ShardPlaced(1, A)));
    }

    @Test
    void asksAgainWhenTheStrategyHasNoAnswer() {
        open(A);
        from(A, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, null));
        now += 100;
        assertEquals(List.of(new PlaceShard(1, A)), tick());
    }

    @Test
    @DisplayName("COORD-22, COORD-23: the home goes to all regions once the home has confirmed, and not before")
    void tellsAllOnceTheHomeHasConfirmed() {
        open(A, B);
        from(B, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, A));
        assertEquals(List.of(), from(B, new GetShardHomes(1, List.of(1))));
        ShardHomes homes = new ShardHomes(List.of(new ShardHome(1, token(2), token(1), A, 1)));
        assertEquals(List.of(new Send(A, homes), new Send(B, homes)), from(A, new ShardHosted(1, 1, token(1), 3)));
    }

    @Test
    @DisplayName("COORD-24: the shard with most requesters is placed first")
    void placesTheMostWantedFirst() {
        register(A, 1);
        register(B, 1);
        from(A, new GetShardHomes(1, List.of(1, 2)));
        from(B, new GetShardHomes(1, List.of(2)));
        List<CoordinatorCommand> placed = new ArrayList<>();
        for (now = 100; now <= OPEN; now += 100) {
            placed.addAll(confirm());
            placed.addAll(beat(A, 1));
            placed.addAll(beat(B, 1));
        }
        placed.removeIf(Send.class::isInstance);
        assertEquals(List.of(new PlaceShard(2, A), new PlaceShard(1, A)), placed);
    }

    @Test
    @DisplayName("COORD-19: a region that dies with an unconfirmed shard loses it when its lease has run out")
    void placesAnewWhenTheHomeDiesBeforeItConfirms() {
        open(A, B);
        from(B, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, A));
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        assertEquals(List.of(), placements(900));
        assertEquals(List.of(new PlaceShard(1, A)), placements(500));
    }

    private List<CoordinatorCommand> placements(long millis) {
        List<CoordinatorCommand> found = new ArrayList<>();
        for (long end = now + millis; now < end; now += 100) {
            found.addAll(confirm());
            found.addAll(beat(B, 1));
        }
        found.removeIf(command -> !(command instanceof PlaceShard));
        return found;
    }

    private List<String> reports(CoordinatorEvent event) {
        return step(event).stream()
                .filter(CoordinatorCommand.Report.class::isInstance)
                .map(command -> ((CoordinatorCommand.Report) command).text())
                .toList();
    }

    @Test
    @DisplayName("What an operator does, a leave and a loss are one line each; a loss says until when the shards wait")
    void oneLineForEachChange() {
        homeAtA();
        assertEquals(
                List.of("drain of node b: its shards move away, and none come"),
                reports(new CoordinatorEvent.DrainRequested(B)));
        assertEquals(List.of(), reports(new CoordinatorEvent.DrainRequested(B)), "asked for again");
        assertEquals(List.of("the drain of node b is taken back"), reports(new CoordinatorEvent.UndrainRequested(B)));
        List<String> lost = reports(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        assertEquals(1, lost.size());
        assertTrue(lost.get(0).matches("1 shard of node a lost, free in \\d\\.\\d s"), lost.get(0));
        assertEquals(List.of(), reports(new CoordinatorEvent.ViewChanged(Set.of(B, C))), "once");
    }

    @Test
    void aLeaveIsOneLine() {
        homeAtA();
        assertTrue(from(A, new Leave(1))
                .contains(new CoordinatorCommand.Report(false, "node a leaves, and its 1 shard moves")));
        assertFalse(from(A, new Leave(1)).stream().anyMatch(CoordinatorCommand.Report.class::isInstance));
    }

    @Test
    @DisplayName("COORD-20: a stop reported after the death of the home counts for nothing more, and has no answer")
    void aLateStopFreesNothingTwice() {
        homeAtA();
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        placements(1_500);
        step(new CoordinatorEvent.ShardPlaced(1, B));
        assertEquals(List.of(), from(A, new ShardStopped(1, token(1))));
    }

    @Test
    @DisplayName("COORD-21: of two regions that die, the one without shards is removed and nothing else changes")
    void removesDeadRegionsWithoutShards() {
        open(A, B, C);
        step(new CoordinatorEvent.ViewChanged(Set.of(B)));
        assertEquals(List.of(), placements(2_000));
        assertEquals(1, coordinator.inspect(now).regions().size());
    }

    @Test
    @DisplayName("COORD-25: a region whose death is not announced falls silent, and its shards are freed")
    void freesTheShardsOfTheSilent() {
        homeAtA();
        assertEquals(List.of(new PlaceShard(1, A)), placements(1_600));
    }

    @Test
    @DisplayName("SPLIT-46: shards of a lost node stay where they are until the loss is decided,"
            + " however long its lease is over")
    void keepsTheShardsOfTheLostUntilTheDecision() {
        homeAtA();
        step(new CoordinatorEvent.LossUndecided(true));
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        assertEquals(List.of(), placements(5_000));
        step(new CoordinatorEvent.LossUndecided(false));
        assertEquals(List.of(new PlaceShard(1, A)), placements(100));
    }

    @Test
    void doesNotTellTheHomeOfARegionThatIsGone() {
        homeAtA();
        step(new CoordinatorEvent.ViewChanged(Set.of(B, C)));
        assertEquals(List.of(), from(B, new GetShardHomes(1, List.of(1))));
    }

    @Test
    void aGoodbyeFreesAtOnce() {
        homeAtA();
        assertEquals(List.of(new PlaceShard(1, A)), from(A, new Goodbye(1)));
    }

    @Test
    void whatARegionSaysOfLostStatesOutlivesIt() {
        homeAtA();
        assertTrue(from(A, new Goodbye(1, 3)).stream()
                .anyMatch(command -> command instanceof CoordinatorCommand.Report report
                        && report.warning()
                        && report.text().contains("node a has left, and 3 entities lost their state")));
        assertEquals(3, coordinator.inspect(0).statesLost());
    }

    @Test
    @DisplayName("the number of lost states outlives the reign: regions are told at once, and tell the next one")
    void lostStatesOutliveTheReign() {
        homeAtA();
        long beat = heartbeats.get(B);
        ToRegion told = to(B, from(A, new Goodbye(1, 3))).get(0);
        assertEquals(3, assertInstanceOf(LeaseGranted.class, told).statesLost());

        coordinator = newCoordinator(true, 0);
        now = 0;
        from(B, new Register(2, profile(false), List.of(), beat + 1, true, List.of(), 3));
        from(C, new Register(2, profile(false), List.of(), 1, true, List.of(), 1));
        assertEquals(3, coordinator.inspect(0).statesLost());
        from(C, new Goodbye(2, 2));
        assertEquals(5, coordinator.inspect(0).statesLost());
    }

    @Test
    void freesAConfirmedShardThatIsNotListedAnyMore() {
        homeAtA();
        assertTrue(beat(A, 1).contains(new PlaceShard(1, A)));
    }

    @Test
    void repeatsHostShardUntilItIsConfirmed() {
        open(A);
        from(A, new GetShardHomes(1, List.of(1)));
        step(new CoordinatorEvent.ShardPlaced(1, A));
        assertEquals(new HostShard(1, 1, token(1)), to(A, beat(A, 1)).get(0));
        assertInstanceOf(ShardHomes.class, to(A, beat(A, 1, report(1, 1))).get(0));
        assertInstanceOf(LeaseGranted.class, to(A, beat(A, 1, report(1, 1))).get(0));
    }

    @Test
    void grantsNothingToARegionThatListsWhatIsNotItsOwn() {
        open(A);
        assertEquals(List.of(new RegisterAgain(1)), to(A, beat(A, 1, report(3, 99))));
    }

    private FencingToken beginHandoff() {
        homeAtA();
        List<ToRegion> messages = to(A, step(new CoordinatorEvent.MovesChosen(Set.of(1))));
        BeginHandoff begin = (BeginHandoff) messages.get(0);
        assertEquals(Set.of(A, B), begin.participants());
        return begin.version();
    }

    @Test
    @DisplayName("HAND-04: a handoff ends with the stop, and the shard is placed again")
    void aStoppedShardIsPlacedAgain() {
        beginHandoff();
        List<CoordinatorCommand> commands = from(A, new ShardStopped(1, token(1)));
        assertEquals(List.of(new Send(A, new StopRecorded(1, token(1))), new PlaceShard(1, A)), commands);
        assertEquals(List.of(), step(new CoordinatorEvent.MovesChosen(Set.of(1))));
    }

    @Test
    void givesNoRouteWhileAShardIsOnItsWay() {
        beginHandoff();
        assertEquals(List.of(), from(B, new GetShardHomes(1, List.of(1))));
    }

    @Test
    void repeatsWhatIsNotAnsweredAndAbortsWhenTimeIsUp() {
        FencingToken version = beginHandoff();
        assertInstanceOf(BeginHandoff.class, to(B, after(500)).get(0));
        assertTrue(to(A, after(2_000)).contains(new AbortHandoff(1, version)));
        List<CoordinatorCommand> answer = from(A, new ToCoordinator.HandoffAborted(1, version));
        assertInstanceOf(ShardHomes.class, to(B, answer).get(0));
        assertEquals(List.of(), step(new CoordinatorEvent.MovesChosen(Set.of(1))), "it rests");
    }

    private List<CoordinatorCommand> after(long millis) {
        List<CoordinatorCommand> all = new ArrayList<>();
        for (long end = now + millis; now < end; now += 100) {
            all.addAll(confirm());
            all.addAll(beat(A, 1, report(1, 1)));
            all.addAll(beat(B, 1));
            all.addAll(tick());
        }
        all.removeIf(c -> c instanceof Send send && send.message() instanceof LeaseGranted);
        return all;
    }

    @Test
    void anAbortOfAnotherVersionCountsForNothing() {
        beginHandoff();
        assertEquals(List.of(), from(A, new ToCoordinator.HandoffAborted(1, token(99))));
    }

    @Test
    void aVanishedParticipantNeedNotDrain() {
        beginHandoff();
        List<CoordinatorCommand> commands = step(new CoordinatorEvent.ViewChanged(Set.of(A)));
        assertEquals(Set.of(A), ((BeginHandoff) to(A, commands).get(0)).participants());
    }

    @Test
    @DisplayName("HAND-02: a leaving region hands off everything, by force when time is up, and is"
            + " told when nothing is left")
    void aLeavingRegionIsEmptiedByForceIfNeedBe() {
        homeAtA();
        BeginHandoff begin = (BeginHandoff) to(A, from(A, new Leave(1))).get(0);
        assertFalse(begin.force());
        List<ToRegion> later = to(A, after(2_500));
        assertTrue(later.stream().anyMatch(m -> m instanceof BeginHandoff b && b.force()));
        List<ToRegion> answer = to(A, from(A, new ShardStopped(1, token(1))));
        assertEquals(List.of(new StopRecorded(1, token(1)), new LeaveComplete(1)), answer);
        assertEquals(List.of(), step(new CoordinatorEvent.ShardPlaced(1, A)), "it gets nothing any more");
    }

    @Test
    void whoWasToldOfAShardThatStopsForAnEarlierReignDrainsBeforeItsHomeLeaves() {
        ShardReport reported = new ShardReport(1, new FencingToken(6, 1, 1));
        register(A, 1, reported);
        register(B, 1);
        confirm();
        beat(A, 1, reported);
        beat(B, 1);
        ShardHomes told =
                (ShardHomes) to(B, from(B, new GetShardHomes(1, List.of(1)))).get(0);
        assertEquals(A, told.homes().get(0).home());
        assertEquals(List.of(), to(A, from(A, new Leave(1))), "not before the reign is open");
        List<CoordinatorCommand> commands = from(A, new ShardStopped(1, reported.token()));
        BeginHandoff begin = (BeginHandoff) to(B, commands).get(0);
        assertTrue(begin.version().isNewerThan(told.homes().get(0).version()));
        assertEquals(
                List.of(new StopRecorded(1, reported.token()), begin, new LeaveComplete(1)),
                to(A, commands),
                "the home knows whom it awaits before it may end");
        assertEquals(Set.of(A, B), begin.participants());
        assertEquals(List.of(), from(B, new GetShardHomes(1, List.of(1))), "it has no home any more");
    }

    @Test
    @DisplayName("HAND-05: a region without shards may go at once")
    void aRegionWithoutShardsMayGoAtOnce() {
        open(A);
        assertEquals(List.of(new LeaveComplete(1)), to(A, from(A, new Leave(1))));
    }

    @Test
    @DisplayName("HAND-08: in an announced full shutdown nothing moves and leaving regions do not wait")
    void nothingMovesInAPreparedShutdown() {
        homeAtA();
        step(new CoordinatorEvent.ShutdownPrepared(true));
        assertEquals(List.of(), step(new CoordinatorEvent.MovesChosen(Set.of(1))));
        assertEquals(List.of(new LeaveComplete(1)), to(A, from(A, new Leave(1))));
        assertEquals(List.of(new PlaceShard(2, B)), from(B, new GetShardHomes(1, List.of(2))));
    }

    private static List<CoordinatorCommand> places(List<CoordinatorCommand> commands) {
        return commands.stream().filter(PlaceShard.class::isInstance).toList();
    }

    @Test
    @DisplayName("in an announced full shutdown a freed shard gets no home before that is cancelled")
    void aFreedShardWaitsInAPreparedShutdown() {
        homeAtA();
        step(new CoordinatorEvent.ShutdownPrepared(true));
        assertEquals(List.of(), places(from(A, new Goodbye(1))));
        assertEquals(List.of(), places(tick()));
        assertEquals(List.of(new PlaceShard(1, A)), places(step(new CoordinatorEvent.ShutdownPrepared(false))));
    }

    @Test
    @DisplayName("in an announced full shutdown a freed shard gets a home if a message needs it")
    void aFreedShardIsPlacedOnRequestInAPreparedShutdown() {
        homeAtA();
        step(new CoordinatorEvent.ShutdownPrepared(true));
        assertEquals(List.of(), places(from(A, new Goodbye(1))));
        assertEquals(List.of(new PlaceShard(1, B)), places(from(B, new GetShardHomes(1, List.of(1)))));
        step(new CoordinatorEvent.ShardPlaced(1, B));
        assertEquals(List.of(), places(step(new CoordinatorEvent.ShutdownPrepared(false))));
    }

    @Test
    void proxiesGetNoShards() {
        open(A);
        from(B, new Register(1, profile(true), List.of(report(1, 1)), 1));
        from(B, new Heartbeat(1, 2, 1, List.of()));
        from(B, new GetShardHomes(1, List.of(1)));
        assertEquals(List.of(), step(new CoordinatorEvent.ShardPlaced(1, B)));
        assertEquals(Set.of(A), coordinator.snapshot().regions());
    }

    /** Until the next reign has heard of it, a shard that leaves its home would not wait for what the proxy sends. */
    @Test
    void theNextReignHearsOfProxiesThatMayStillSend() {
        open(A);
        from(B, new Register(1, profile(true), List.of(), 1));
        assertEquals(Set.of(A, B), coordinator.leaseHolders());
        step(new CoordinatorEvent.ViewChanged(Set.of(A)));
        assertEquals(Set.of(A), coordinator.leaseHolders(), "nothing is lost without a fault");
    }
}
