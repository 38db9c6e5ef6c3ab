package io.shardbus.simulation;

import static org.junit.jupiter.api.Assertions.fail;

import io.shardbus.NodeId;
import io.shardbus.StopReason;
import io.shardbus.core.coordinator.CoordinatorEvent;
import io.shardbus.core.entity.Envelope;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.protocol.TermId;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.BeginHandoff;
import io.shardbus.core.region.FrameHead;
import io.shardbus.core.region.Lane;
import io.shardbus.simulation.SimulationOptions.Fault;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The simulator is worth what it catches: each of these bugs, put into the wiring on purpose, must break a promise in few seeds. */
class SeededBugsTest {
    private static void mustBeCaught(int seeds, LongFunction<SimulationOptions> options, Sabotage sabotage) {
        for (long seed = 1; seed <= seeds; seed++) {
            SimulationOptions run = options.apply(seed);
            run.sabotage = sabotage;
            try {
                new Simulation(run).run();
            } catch (Violation caught) {
                return;
            }
        }
        fail(sabotage.getClass().getSimpleName() + " was not caught in " + seeds + " seeds");
    }

    @Test
    void aLaneThatNeverChecksItsLease() {
        mustBeCaught(40, SimulationOptions::partitions, new LeaseNeverChecked());
    }

    private static final class LeaseNeverChecked extends Sabotage {
        @Override
        long lease(long until) {
            return Long.MAX_VALUE / 2;
        }
    }

    @Test
    void aHandoffThatWaitsForNobody() {
        mustBeCaught(40, SimulationOptions::plannedMoves, new HandoffForced());
    }

    private static final class HandoffForced extends Sabotage {
        @Override
        ToRegion toRegion(ToRegion message) {
            return message instanceof BeginHandoff b
                    ? new BeginHandoff(
                            b.shard(), b.version(), b.token(), b.home(), b.homeLanes(), b.participants(), true)
                    : message;
        }
    }

    @Test
    void aTermThatDoesNotRiseSoThatTokensAreReused() {
        mustBeCaught(40, SimulationOptions::coordinatorChanges, new TokenReused());
    }

    private static final class TokenReused extends Sabotage {
        @Override
        TermId reign(TermId claimed) {
            return new TermId(1, 1);
        }
    }

    @Test
    void aCoordinatorThatDoesNotWaitForThePredecessorsLeases() {
        mustBeCaught(40, SimulationOptions::partitions, new PredecessorsNotAwaited());
    }

    private static final class PredecessorsNotAwaited extends Sabotage {
        @Override
        boolean awaitPredecessors() {
            return false;
        }
    }

    @Test
    void aVanishedMemberTakenForOneThatSaidGoodbye() {
        mustBeCaught(40, SimulationOptions::partitions, new LossTakenForGoodbye());
    }

    private static final class LossTakenForGoodbye extends Sabotage {
        @Override
        List<CoordinatorEvent> memberGone(NodeId member) {
            return LongStream.range(1, 40)
                    .<CoordinatorEvent>mapToObj(
                            attempt -> new CoordinatorEvent.Received(member, new ToCoordinator.Goodbye(attempt)))
                    .toList();
        }
    }

    @Test
    void refusedMessagesReportedAsTaken() {
        mustBeCaught(40, SimulationOptions::crashes, new RefusedReportedAsTaken());
    }

    private static final class RefusedReportedAsTaken extends Sabotage {
        @Override
        FrameHead head(FrameHead head) {
            FrameHead.Answer answer = head.answer();
            return new FrameHead(
                    head.epoch(),
                    head.number(),
                    head.answered(),
                    new FrameHead.Answer(answer.epoch(), answer.received(), List.of()));
        }
    }

    @Test
    void takenMessagesReportedAsRefused() {
        mustBeCaught(40, SimulationOptions::calm, new TakenReportedAsRefused());
    }

    private static final class TakenReportedAsRefused extends Sabotage {
        @Override
        FrameHead head(FrameHead head) {
            FrameHead.Answer answer = head.answer();
            FrameHead.Bounce first = new FrameHead.Bounce(answer.received(), List.of(0));
            return new FrameHead(
                    head.epoch(),
                    head.number(),
                    head.answered(),
                    new FrameHead.Answer(answer.epoch(), answer.received(), List.of(first)));
        }
    }

    @Test
    void anInstanceGivenUpWhileItsCodeRuns() {
        mustBeCaught(40, SeededBugsTest::longWork, new RunningCodeIgnored());
    }

    private static SimulationOptions longWork(long seed) {
        SimulationOptions options = new SimulationOptions(seed).with(Fault.LEAVE, Fault.JOIN);
        options.slowPercent = 2;
        options.slowMillis = 4_000;
        options.sendPause = 150;
        options.handoffTimeout = 1_000;
        options.settling = 60_000;
        return options;
    }

    private static final class RunningCodeIgnored extends Sabotage {
        @Override
        boolean occupiesThread(boolean really) {
            return false;
        }
    }

    @Test
    void lanesThatDoNotHearOfALostLease() {
        mustBeCaught(40, SimulationOptions::partitions, new StopNotPassedOn());
    }

    private static final class StopNotPassedOn extends Sabotage {
        @Override
        boolean passesOn(StopReason reason) {
            return reason != StopReason.LEASE_LOST;
        }
    }

    @Test
    void messagesOfOneFrameInTheWrongOrder() {
        mustBeCaught(40, SimulationOptions::calm, new FrameReversed());
    }

    private static final class FrameReversed extends Sabotage {
        @Override
        List<FrameItem> items(Lane receiver, List<FrameItem> items) {
            boolean onlyMessages = items.stream().allMatch(Envelope.class::isInstance);
            return onlyMessages && items.size() == 2 ? List.of(items.get(1), items.get(0)) : items;
        }
    }
}
