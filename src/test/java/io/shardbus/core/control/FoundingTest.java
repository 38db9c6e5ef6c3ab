package io.shardbus.core.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.control.Election.Outcome;
import io.shardbus.core.control.ElectionCommand.AnswerSeat;
import io.shardbus.core.control.ElectionCommand.AskSeats;
import io.shardbus.core.control.ElectionCommand.Begin;
import io.shardbus.core.control.ElectionCommand.Read;
import io.shardbus.core.control.ElectionCommand.Replace;
import io.shardbus.core.control.ElectionCommand.Revive;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.NodeMessage.SeatAnswered;
import io.shardbus.core.protocol.NodeMessage.SeatsAsked;
import io.shardbus.model.Charter;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import io.shardbus.model.TermRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** B wants to found a cluster, or to carry one on; the seats are a, b and c. */
class FoundingTest {
    private static final NodeId A = new NodeId("a-1");
    private static final NodeId B = new NodeId("b-1");
    private static final NodeId C = new NodeId("c-1");
    private static final NodeId D = new NodeId("d-1");
    private static final NodeId NEW_A = new NodeId("a-2");
    private static final NodeId NEW_C = new NodeId("c-2");
    private static final Set<String> SEATS = Set.of("a", "b", "c");
    private static final LeaseTimes TIMES = new LeaseTimes(8_000, 1_000, true);
    private static final long DAY = 86_400_000;
    private static final TermId OTHER = new TermId(70, 1);

    private final List<ElectionCommand> done = new ArrayList<>();
    private Election election = election(Seats.listed("b", SEATS));
    private @Nullable TermRecord record;

    private static Election election(Seats seats) {
        return new Election(B, 20, true, seats, TIMES, -3_000);
    }

    private static ElectionView view(NodeId... members) {
        return new ElectionView(List.of(members), List.of(members), true);
    }

    private static TermRecord record(NodeId owner, TermId founding, NodeId... enrolled) {
        return new TermRecord(
                71, owner, 1, TermRecord.RELEASED, 8_000, null, new Charter(founding, SEATS, Set.of(enrolled)));
    }

    /** Carries the commands out that come at a moment: the store answers at once, the seats as the test says. */
    private void run(List<ElectionCommand> commands, long now) {
        for (ElectionCommand each : commands) {
            done.add(each);
            if (each instanceof Read read) {
                run(election.readCompleted(read.operation(), record, now), now);
            } else if (each instanceof Replace replace) {
                assertEquals(record, replace.expected());
                record = replace.next();
                run(election.replaceCompleted(replace.operation(), Outcome.WRITTEN, now), now);
            }
        }
    }

    private void runFrom(long from, long until) {
        for (long now = from; now < until; now += 25) {
            run(election.tick(now), now);
        }
    }

    private <T extends ElectionCommand> Optional<T> last(Class<T> kind) {
        return done.stream().filter(kind::isInstance).map(kind::cast).reduce((first, second) -> second);
    }

    private void answer(NodeId member, String seat, boolean given, long now) {
        SeatsAsked asked = last(AskSeats.class).orElseThrow().message();
        run(
                election.seatAnswered(
                        new SeatAnswered(member, asked.attempt(), asked.round(), seat, given, true, SEATS), now),
                now);
    }

    private void probe(Set<String> occupied, long now) {
        SeatsAsked asked = last(AskSeats.class).orElseThrow().message();
        run(election.seatsProbed(asked.attempt(), asked.round(), occupied, false, now), now);
    }

    private boolean hasClaimed() {
        return last(Replace.class).isPresent();
    }

    @Test
    @DisplayName("the cluster is founded when every seat has answered in each of the three rounds")
    void foundsWhenAllSeatsHold() {
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        for (int round = 0; round < 3; round++) {
            runFrom(100L * round, 100L * round + 50);
            assertEquals(round, last(AskSeats.class).orElseThrow().message().round());
            answer(A, "a", true, 100L * round + 50);
            probe(SEATS, 100L * round + 60);
            assertFalse(hasClaimed());
            answer(C, "c", true, 100L * round + 70);
        }
        runFrom(300, 700);
        Begin begin = last(Begin.class).orElseThrow();
        assertEquals(270, begin.waitFrom(), "a lease is awaited from the moment at which the last seat held");
        assertEquals(TermId.NONE, begin.predecessor());
        assertEquals(Set.of(A, B, C), record.charter().enrolled());
    }

    @Test
    void foundsNothingWhileASeatIsMissing() {
        run(election.viewChanged(view(B, A), false, false, 0), 0);
        for (long now = 0; now < 60_000; now += 500) {
            runFrom(now, now + 500);
            answer(A, "a", true, now + 490);
            probe(SEATS, now + 495);
        }
        assertFalse(hasClaimed());
        assertTrue(
                election.foundingWaits().orElseThrow().contains("[c]"),
                () -> election.foundingWaits().toString());
    }

    /**
     * B started 60 s ago and reached no one; the others, just restarted, join it. A process of before may have been
     * granted a lease 1 s ago.
     */
    @Test
    void theFirstClaimWaitsFromTheMomentAtWhichTheSeatsAgreed() {
        run(election.viewChanged(view(B), false, false, 0), 0);
        runFrom(25, 60_000);
        assertFalse(hasClaimed());
        run(election.viewChanged(view(B, A), false, false, 60_000), 60_000);
        for (int round = 0; round < 3; round++) {
            runFrom(60_000 + 100L * round, 60_080 + 100L * round);
            answer(A, "a", true, 60_080 + 100L * round);
            probe(Set.of("a", "b"), 60_090 + 100L * round);
        }
        runFrom(60_300, 62_000);
        Begin begin = last(Begin.class).orElseThrow();
        assertTrue(begin.waitFrom() >= 60_290, "waits from " + begin.waitFrom());
    }

    @Test
    void onlyAnEnrolledProcessCarriesOn() {
        record = record(A, OTHER, A, D);
        run(election.viewChanged(view(B, D), false, false, 0), 0);
        runFrom(25, 60_000);
        assertFalse(hasClaimed());
        record = record(A, OTHER, A, B, D);
        runFrom(60_000, 63_000);
        assertTrue(hasClaimed());
        assertEquals(OTHER, record.charter().founding());
    }

    @Test
    void aProcessWithoutASeatClaimsNothing() {
        election = election(Seats.listed("d", SEATS));
        record = record(A, OTHER, A, B);
        run(election.viewChanged(view(B), false, false, 0), 0);
        runFrom(25, 60_000);
        assertFalse(hasClaimed());
        assertTrue(last(AskSeats.class).isEmpty());
    }

    private boolean agrees(NodeId candidate, long number, int round, long now) {
        run(election.seatsAsked(new SeatsAsked(candidate, new TermId(number, 1), round, SEATS), now), now);
        return last(AnswerSeat.class).orElseThrow().message().given();
    }

    @Test
    void whoHoldsToOneFoundingCarriesNothingElseOn() {
        record = record(A, OTHER, A, C);
        run(election.viewChanged(view(A, C, B), false, false, 0), 0);
        assertTrue(agrees(A, 80, 0, 10));
        assertTrue(agrees(A, 80, 1, 20));
        assertFalse(agrees(C, 81, 1, 30), "it has pledged itself to the first");
        assertTrue(agrees(A, 80, 2, 40));
        record = record(A, OTHER, A, B, C);
        run(election.viewChanged(view(B), false, false, 50), 50);
        runFrom(75, 60_000);
        assertFalse(hasClaimed());
    }

    /** B is the first in the view; C does not answer it, while it may answer A. */
    @Test
    void aCandidateThatDoesNotGetBeyondItsFirstRoundKeepsNoSeatFromTheNext() {
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        runFrom(25, 50);
        answer(A, "a", true, 50);
        probe(SEATS, 60);
        assertEquals(0, last(AskSeats.class).orElseThrow().message().round());
        assertTrue(agrees(A, 80, 0, 70));
        assertTrue(agrees(A, 80, 1, 80));
        assertTrue(agrees(A, 80, 2, 90));
    }

    @Test
    void ofTwoCandidatesThatHaveSeenAllSeatsTheFirstInTheViewGoesOn() {
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        runFrom(25, 50);
        answer(A, "a", true, 50);
        answer(C, "c", true, 50);
        probe(SEATS, 60);
        assertEquals(1, last(AskSeats.class).orElseThrow().message().round());
        assertFalse(agrees(A, 80, 0, 70));
    }

    /** The clock jumps by more than a lease right after the last seat has agreed. */
    @Test
    void aClockThatRanAheadDoesNotShortenTheWaitOfAFounder() {
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        for (int round = 0; round < 3; round++) {
            runFrom(100L * round, 100L * round + 50);
            answer(A, "a", true, 100L * round + 50);
            answer(C, "c", true, 100L * round + 60);
            if (round < 2) {
                probe(SEATS, 100L * round + 70);
            }
        }
        SeatsAsked asked = last(AskSeats.class).orElseThrow().message();
        done.addAll(election.seatsProbed(asked.attempt(), asked.round(), SEATS, false, 270));
        long gained = 20_000;
        done.addAll(election.timeDoubted(gained, 280 + gained));
        runFrom(300 + gained, 1_000 + gained);
        assertTrue(
                last(Begin.class).isEmpty() || last(Begin.class).orElseThrow().waitFrom() >= 270 + gained,
                () -> last(Begin.class).toString());
    }

    @Test
    void aPledgeThatWasNotAskedToHoldEnds() {
        record = record(A, OTHER, A, B, C);
        run(election.viewChanged(view(A, C, B), false, true, 0), 0);
        assertFalse(agrees(A, 80, 0, 100), "it may carry its own cluster on");
        record = record(A, OTHER, A, C);
        runFrom(125, 2_000);
        assertTrue(agrees(A, 80, 1, 2_000));
        assertFalse(agrees(A, 80, 2, 6_001), "too late");
        record = record(A, OTHER, A, B, C);
        run(election.viewChanged(view(B, C), false, false, 6_010), 6_010);
        runFrom(6_025, 20_000);
        assertTrue(hasClaimed());
    }

    private static ElectionView denied(NodeId... members) {
        return new ElectionView(List.of(members), List.of(members), false, true);
    }

    private void allAgreeAsNew(long from) {
        for (int round = 0; round < 3; round++) {
            long now = from + 100L * round;
            answer(NEW_A, "a", true, now);
            answer(NEW_C, "c", true, now + 10);
            probe(SEATS, now + 20);
        }
    }

    private void lastOfTheThree() {
        record = record(B, OTHER, A, B, C);
        run(election.viewChanged(view(B), false, false, 0), 0);
        run(election.viewChanged(denied(B), true, false, 10), 10);
        done.clear();
        run(election.viewChanged(denied(B, NEW_A, NEW_C), false, false, 12_000), 12_000);
    }

    @Test
    @DisplayName("a side without the record gets it back when all seats are there and agree: the rest"
            + " of a majority that crashed")
    void allSeatsReviveASideThatWasDeniedTheRecord() {
        lastOfTheThree();
        runFrom(12_025, 16_025);
        assertTrue(done.isEmpty(), "a merge may still give the record to all: " + done);
        runFrom(16_025, 16_075);
        allAgreeAsNew(16_075);
        assertTrue(last(Revive.class).isPresent());
        assertFalse(hasClaimed(), "the record cannot be used yet");
        run(election.viewChanged(view(B, NEW_A, NEW_C), false, false, 16_600), 16_600);
        runFrom(16_625, 18_000);
        assertFalse(hasClaimed(), "B has given up its old cluster");
        runFrom(18_000, 18_050);
        allAgreeAsNew(18_050);
        runFrom(18_350, 19_000);
        assertTrue(last(Begin.class).orElseThrow().waitFrom() >= 18_270);
        assertFalse(OTHER.equals(record.charter().founding()));
    }

    @Test
    @DisplayName("a process that starts again and again does not delay the revival; a merge does, by two leases")
    void onlyAMergeDelaysTheRevival() {
        lastOfTheThree();
        for (long now = 12_500; now < 22_000; now += 1_000) {
            run(election.viewChanged(denied(B, NEW_A, NEW_C, D), false, false, now), now);
            run(election.viewChanged(denied(B, NEW_A, NEW_C), true, false, now + 500), now + 500);
        }
        assertTrue(last(AskSeats.class).isPresent());
        run(election.viewChanged(denied(B, NEW_A, NEW_C), false, true, 22_000), 22_000);
        done.clear();
        runFrom(22_025, 38_000);
        assertTrue(done.isEmpty(), "a merge may still give the record to all: " + done);
        runFrom(38_000, 38_050);
        allAgreeAsNew(38_050);
        assertTrue(last(Revive.class).isPresent());
    }

    @Test
    void aSideThatWasDeniedTheRecordWaitsForItsSeats() {
        lastOfTheThree();
        for (long now = 16_025; now < 100_000; now += 500) {
            runFrom(now, now + 500);
            answer(NEW_A, "a", true, now + 490);
            probe(SEATS, now + 495);
        }
        assertTrue(last(Revive.class).isEmpty());
        assertTrue(election.foundingWaits().orElseThrow().contains("[c]"));
    }

    @Test
    void aSeatOfAnAvailableSideDoesNotHelpToRevive() {
        record = record(B, OTHER, A, B, C);
        run(election.viewChanged(view(A, B), false, true, 0), 0);
        runFrom(25, 60_000);
        assertFalse(agrees(A, 80, 0, 60_000));
    }

    @Test
    void whoMetNewcomersNeedsTheMajorityOfTheEnrolled() {
        record = record(A, OTHER, A, B, C);
        run(election.viewChanged(view(B, D), false, true, 0), 0);
        runFrom(25, 60_000);
        assertFalse(hasClaimed(), "B was cut off from A and C, and D has just started");
        run(election.viewChanged(view(B, C, D), false, true, 60_000), 60_000);
        runFrom(60_025, 70_000);
        assertTrue(hasClaimed());
    }

    @Test
    void namesBothListsWhereTheyDiffer() {
        election = election(Seats.listed("b", Set.of("a", "b")));
        record = record(A, OTHER, A, B);
        run(election.viewChanged(view(B), false, false, 0), 0);
        runFrom(25, 60_000);
        assertFalse(hasClaimed());
        String text = election.misfit().orElseThrow();
        assertTrue(text.contains("[a, b, c]") && text.contains("[a, b]"), text);
    }

    @Test
    void eachNodeMayListTheOthers() {
        assertTrue(Seats.listedWithOwn("b", Set.of("a", "c")).fits(SEATS));
        assertTrue(Seats.listedWithOwn("d", SEATS).fits(SEATS), "a node that no other one lists is a guest");
        assertFalse(Seats.listedWithOwn("d", Set.of("a", "c")).fits(SEATS));
        assertFalse(Seats.listed("b", Set.of("b")).fits(SEATS));
    }

    private void probe(Set<String> occupied, boolean complete, long now) {
        SeatsAsked asked = last(AskSeats.class).orElseThrow().message();
        run(election.seatsProbed(asked.attempt(), asked.round(), occupied, complete, now), now);
    }

    /** B alone, or with A, founds on a host; each probe says whether it saw every process. */
    private Begin foundedOnAHost(boolean[] complete, boolean fresh) {
        election = election(Seats.ofHost("b"));
        run(election.viewChanged(view(B, A), false, false, 0), 0);
        for (int round = 0; round < 3; round++) {
            runFrom(100L * round, 100L * round + 50);
            SeatsAsked asked = last(AskSeats.class).orElseThrow().message();
            run(
                    election.seatAnswered(
                            new SeatAnswered(A, asked.attempt(), asked.round(), "a", true, fresh, Set.of()),
                            100L * round + 50),
                    100L * round + 50);
            probe(Set.of("a", "b"), complete[round], 100L * round + 60);
        }
        runFrom(300, 700);
        return last(Begin.class).orElseThrow();
    }

    @Test
    @DisplayName(
            "A host that shows every process that lives proves that no other one holds a lease: nothing is waited for")
    void noEarlierProcessLives() {
        Begin begin = foundedOnAHost(new boolean[] {true, true, true}, true);
        assertEquals(260 - TIMES.runOut(), begin.waitFrom());
        assertTrue(begin.confirmSent() >= begin.waitFrom() + TIMES.runOut(), "shards may have a home at once");
    }

    @Test
    void oneLookThatMayHaveMissedAProcessProvesNothing() {
        for (int round = 0; round < 3; round++) {
            boolean[] complete = {true, true, true};
            complete[round] = false;
            record = null;
            done.clear();
            assertEquals(-3_000, foundedOnAHost(complete, true).waitFrom(), "round " + round);
        }
    }

    @Test
    void aProcessThatKnowsATermMayHoldALease() {
        assertEquals(
                260, foundedOnAHost(new boolean[] {true, true, true}, false).waitFrom());
    }

    @Test
    void aHostThatShowsItsProcessesNeedNoWaitBeyondTheProcessStart() {
        election = election(Seats.ofHost("b"));
        run(election.viewChanged(view(B), false, false, 0), 0);
        for (int round = 0; round < 3; round++) {
            runFrom(100L * round, 100L * round + 50);
            probe(Set.of("b"), 100L * round + 60);
        }
        runFrom(300, 700);
        assertEquals(-3_000, last(Begin.class).orElseThrow().waitFrom());
    }

    @Test
    @DisplayName(
            "after the death of nodes that may have reigned meanwhile the next term is one that they cannot have had")
    void aTermAboveThoseOfTheDead() {
        record = record(A, OTHER, A, B, C);
        election.wallClock(5_000_000);
        election.recordMayBeOld();
        run(election.viewChanged(view(B, C), false, false, 0), 0);
        assertEquals(5_000_001, record.term());

        record = record(A, OTHER, A, B, C);
        election = election(Seats.listed("b", SEATS));
        election.wallClock(5_000_000);
        run(election.viewChanged(view(B, C), false, false, 0), 0);
        assertEquals(72, record.term(), "where the record is that of the last reign");

        record = record(A, OTHER, A, B, C);
        election = election(Seats.listed("b", SEATS));
        election.wallClock(365 * DAY);
        election.recordMayBeOld();
        run(election.viewChanged(view(B, C), false, false, 0), 0);
        assertEquals(72 + DAY, record.term(), "a clock that is a year ahead counts for a day");
    }

    @Test
    @DisplayName("a write of before that is seen only after the stop does not say that the record is the newest")
    void aLateWriteOfBeforeIsNoReignSince() {
        Charter charter = new Charter(OTHER, SEATS, Set.of(A, B, C));
        record = new TermRecord(71, C, 1, 8, 8_000, null, charter);
        election.wallClock(5_000_000);
        run(election.viewChanged(view(A, B, C), false, false, 0), 0);
        ElectionView stopped = new ElectionView(List.of(B, C), List.of(B, C), false);
        run(election.viewChanged(stopped, false, false, 100), 100);
        record = record.nextBeat();
        election.recordMayBeOld();
        run(election.viewChanged(view(B, C), false, false, 200), 200);
        record = record.nextBeat();
        runFrom(200, 3_000);
        run(election.viewChanged(view(B), false, false, 3_000), 3_000);
        runFrom(3_000, 20_000);
        assertEquals(5_000_001, record.term());
        assertTrue(last(Begin.class).orElseThrow().waitFrom() >= 3_000);
    }

    @Test
    @DisplayName("a reign that has begun since the stop is one whose term the dead cannot have reached")
    void aReignSinceTheStopIsTheNewest() {
        Charter charter = new Charter(OTHER, SEATS, Set.of(A, B, C));
        record = new TermRecord(71, A, 1, 8, 8_000, null, charter);
        election.wallClock(5_000_000);
        election.recordMayBeOld();
        ElectionView secondInRank = new ElectionView(List.of(C, B), List.of(C, B), true);
        run(election.viewChanged(secondInRank, false, false, 200), 200);
        record = new TermRecord(4_000_000, C, 1, 0, 8_000, null, charter);
        runFrom(200, 3_000);
        run(election.viewChanged(view(B), false, false, 3_000), 3_000);
        runFrom(3_000, 20_000);
        assertEquals(4_000_000, record.term() / 100_000 * 100_000, "it follows that reign");
    }

    private void foundFrom(int firstRound) {
        for (int round = firstRound; round < 3; round++) {
            runFrom(100L * round, 100L * round + 50);
            answer(A, "a", true, 100L * round + 50);
            answer(C, "c", true, 100L * round + 60);
            probe(SEATS, 100L * round + 70);
        }
        runFrom(300, 700);
    }

    @Test
    @DisplayName("a clock that is set right while the seats agree leaves nothing in the first term")
    void aClockThatIsSetRightInAnAttemptDoesNotCount() {
        election.wallClock(365 * DAY);
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        runFrom(0, 50);
        assertTrue(last(AskSeats.class).orElseThrow().message().attempt().number() > 364 * DAY);
        election.wallClock(5_000_000);
        foundFrom(0);
        assertEquals(5_000_001, record.term());
    }

    @Test
    @DisplayName("a record that is found while the seats agree bounds a clock that is a year ahead")
    void aRecordThatIsFoundInAnAttemptBoundsTheClock() {
        election.wallClock(365 * DAY);
        run(election.viewChanged(view(B, A, C), false, false, 0), 0);
        runFrom(0, 50);
        record = record(A, OTHER, A, D);
        run(election.readFailed(0, 60), 60);
        foundFrom(0);
        assertEquals(SEATS, record.charter().seats());
        assertFalse(OTHER.equals(record.charter().founding()));
        assertTrue(record.term() <= 72 + DAY + 1_000, "term " + record.term());
    }

    @Test
    @DisplayName("claims of unknown outcome follow a clock that is a year ahead for one day together")
    void unknownClaimsFollowTheClockForOneDay() {
        record = record(A, OTHER, A, B, C);
        election.wallClock(365 * DAY);
        election.recordMayBeOld();
        List<Long> terms = new ArrayList<>();
        List<ElectionCommand> commands = election.viewChanged(view(B, C), false, false, 0);
        for (long now = 0; terms.size() < 5 && now < 60_000; now += 25) {
            for (ElectionCommand each : commands) {
                if (each instanceof Replace replace) {
                    terms.add(replace.next().term());
                    commands = election.replaceCompleted(replace.operation(), Outcome.UNKNOWN, now);
                } else if (each instanceof Read read) {
                    commands = election.readCompleted(read.operation(), record, now);
                }
            }
        }
        assertEquals(72 + DAY, terms.get(0));
        assertEquals(terms.stream().sorted().distinct().toList(), terms, "each rises over those before");
        assertTrue(terms.get(4) < 72 + DAY + 1_000, "besides the time that passes: " + terms);
    }
}
