package io.shardbus.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge itself: it must accept what is right and find what is wrong. */
class CounterHistoryTest {
    private static Exchange answer(long amount, long sent, long answered, long value, String incarnation) {
        return new Exchange(
                "n",
                "a",
                amount,
                0,
                sent,
                answered,
                new Exchange.State(value, incarnation, 1, incarnation.length()),
                null);
    }

    private static Exchange failure(long amount) {
        return new Exchange("n", "a", amount, 0, 0, 1, null, new Exchange.Failure(false, "lost"));
    }

    private static int faults(Exchange... exchanges) {
        return CounterHistory.wrongIn(List.of(exchanges)).size();
    }

    @Test
    void acceptsWhatIsRight() {
        assertEquals(
                0,
                faults(
                        answer(3, 0, 10, 8, "x"),
                        answer(5, 1, 5, 5, "x"),
                        answer(0, 11, 12, 8, "x"),
                        answer(4, 20, 21, 4, "xx")));
    }

    @Test
    void acceptsWhatARequestInDoubtMayHaveAdded() {
        assertEquals(0, faults(answer(3, 0, 1, 7, "x"), failure(4)));
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(3)));
    }

    private static Exchange silent(long amount, long sent) {
        return new Exchange("n", "a", amount, 0, sent, sent + 1, null, new Exchange.Failure(false, "lost"));
    }

    @Test
    void acceptsWhatOnlyAQuestionShowsOfARequestInDoubt() {
        assertEquals(0, faults(answer(0, 2, 3, 4, "x"), failure(4), answer(1, 4, 5, 5, "x")));
        assertEquals(1, faults(answer(0, 2, 3, 4, "x"), failure(5), answer(1, 4, 5, 5, "x")));
    }

    @Test
    void findsThatNoRequestsInDoubtAddUpToWhatIsThere() {
        assertEquals(0, faults(answer(3, 0, 1, 10, "x"), failure(4), failure(3), failure(5)));
        assertEquals(1, faults(answer(3, 0, 1, 9, "x"), failure(4), failure(3), failure(7)));
    }

    @Test
    void findsARequestInDoubtThatCountsTwice() {
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(4), answer(3, 2, 3, 14, "x")));
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(4), answer(3, 2, 3, 7, "xx")));
    }

    @Test
    void findsWhatWasThereBeforeItWasSent() {
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), silent(4, 2)));
    }

    @Test
    void findsWhatIsCertainNotToHaveBeenExecuted() {
        var refused = new Exchange("n", "a", 4, 0, 0, 1, null, new Exchange.Failure(true, "refused"));
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), refused));
    }

    @Test
    void findsAFailedRequestThatWasOvertaken() {
        var next = numbered(2, answer(1, 2, 3, 1, "x"));
        var last = numbered(3, answer(1, 4, 5, 6, "x"));
        assertEquals(
                1, faults(new Exchange("n", "a", 4, 1, 0, 1, null, new Exchange.Failure(false, "lost")), next, last));
        assertEquals(0, faults(silent(4, 0), next, last), "no order is expected of it");
    }

    @Test
    void findsATokenThatWentBack() {
        assertEquals(1, faults(under(2, answer(1, 0, 1, 1, "x")), under(1, answer(1, 2, 3, 1, "y"))));
    }

    @Test
    void findsALostAmount() {
        assertEquals(2, faults(answer(3, 0, 1, 3, "x"), answer(4, 2, 3, 4, "x")));
    }

    @Test
    void findsAnAmountAddedTwice() {
        assertEquals(1, faults(answer(3, 0, 1, 3, "x"), answer(4, 2, 3, 11, "x")));
    }

    @Test
    void findsAStaleValue() {
        assertEquals(1, faults(answer(3, 0, 1, 3, "x"), answer(0, 2, 3, 0, "x")));
    }

    @Test
    void findsAnIncarnationThatOutlivedTheNext() {
        // by its token, and as one that was live on both sides of the other's answer
        assertEquals(2, faults(answer(1, 0, 1, 1, "x"), answer(1, 2, 3, 1, "xx"), answer(1, 4, 5, 2, "x")));
    }

    @Test
    void findsTwoThatLiveAtOneTime() {
        var first = under(1, answer(0, 0, 1, 0, "x"));
        var between = under(1, answer(0, 2, 3, 0, "y"));
        assertEquals(1, faults(first, between, under(1, answer(0, 4, 5, 0, "x"))));
        assertEquals(2, faults(first, between, under(1, answer(0, 4, 9, 0, "x")), under(1, answer(0, 6, 7, 0, "y"))));
    }

    @Test
    void acceptsOneThatFollowsTheOther() {
        assertEquals(
                0,
                faults(
                        under(1, answer(0, 0, 1, 0, "x")),
                        under(1, answer(0, 2, 9, 0, "x")),
                        under(1, answer(0, 3, 8, 0, "y")),
                        under(1, answer(0, 10, 11, 0, "y"))));
    }

    @Test
    void findsWhatOvertook() {
        assertEquals(0, faults(numbered(1, answer(3, 0, 9, 3, "x")), numbered(2, answer(4, 0, 8, 7, "x"))));
        assertEquals(1, faults(numbered(2, answer(3, 0, 9, 3, "x")), numbered(1, answer(4, 0, 8, 7, "x"))));
        assertEquals(1, faults(numbered(2, answer(3, 0, 9, 3, "x")), numbered(1, answer(4, 0, 8, 4, "xx"))));
    }

    private static Exchange numbered(long number, Exchange of) {
        return new Exchange(
                of.sender(), of.id(), of.amount(), number, of.sent(), of.answered(), of.state(), of.failure());
    }

    private static Exchange under(long sequence, Exchange of) {
        Exchange.State state = new Exchange.State(of.state().value(), of.state().incarnation(), 1, sequence);
        return new Exchange(of.sender(), of.id(), of.amount(), 0, of.sent(), of.answered(), state, null);
    }
}
