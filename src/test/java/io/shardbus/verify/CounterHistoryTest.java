package io.shardbus.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The judge itself: it must accept what is right and find what is wrong. */
class CounterHistoryTest {
    private static Exchange answer(long amount, long sent, long answered, long value, String incarnation) {
        return answer("n", amount, sent, answered, new Exchange.State(value, incarnation, 1, incarnation.length()));
    }

    private static Exchange answer(String sender, long amount, long sent, long answered, Exchange.State state) {
        return Exchange.answered(new Exchange.Request(sender, "a", amount, sent), answered, state);
    }

    private static Exchange.State state(long value, String incarnation) {
        return new Exchange.State(value, incarnation, 1, 1);
    }

    private static Exchange failure(long amount, long sent, long answered, Exchange.Loss loss) {
        return Exchange.failed(new Exchange.Request("n", "a", amount, sent), answered, loss, "lost");
    }

    private static Exchange failure(long amount) {
        return failure(amount, 0, 1, Exchange.Loss.SILENT);
    }

    private static int faults(Exchange... exchanges) {
        return CounterHistory.wrongIn(List.of(exchanges)).size();
    }

    @Test
    void acceptsWhatIsRight() {
        assertEquals(
                0,
                faults(
                        answer("m", 3, 0, 10, state(8, "x")),
                        answer("n", 5, 1, 5, state(5, "x")),
                        answer("n", 0, 11, 12, state(8, "x")),
                        answer(4, 20, 21, 4, "xx")));
    }

    @Test
    void acceptsWhatARequestInDoubtMayHaveAdded() {
        assertEquals(0, faults(answer(3, 0, 1, 7, "x"), failure(4)));
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(3)));
    }

    @Test
    void acceptsWhatOnlyAQuestionShowsOfARequestInDoubt() {
        assertEquals(0, faults(answer(0, 2, 3, 4, "x"), failure(4), answer(1, 4, 5, 5, "x")));
        assertEquals(1, faults(answer(0, 2, 3, 4, "x"), failure(5), answer(1, 4, 5, 5, "x")));
    }

    @Test
    void findsThatNoRequestsInDoubtAddUpToWhatIsThere() {
        assertEquals(0, faults(answer(3, 0, 1, 10, "x"), failure(4), failure(3), failure(5)));
        assertEquals(1, faults(answer(3, 0, 1, 9, "x"), failure(4), failure(3), failure(5)));
    }

    @Test
    void findsARequestInDoubtThatCountsTwice() {
        assertEquals(
                1, faults(answer(3, 0, 1, 7, "x"), failure(4, 0, 9, Exchange.Loss.SILENT), answer(3, 2, 3, 14, "x")));
        assertEquals(
                1, faults(answer(3, 0, 1, 7, "x"), failure(4, 0, 9, Exchange.Loss.SILENT), answer(3, 2, 3, 7, "xx")));
    }

    @Test
    void findsWhatWasThereBeforeItWasSent() {
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(4, 2, 3, Exchange.Loss.SILENT)));
    }

    @Test
    void findsWhatWasNotSentAndAddedYet() {
        assertEquals(1, faults(answer(3, 0, 1, 7, "x"), failure(4, 0, 1, Exchange.Loss.NOT_SENT)));
    }

    @Test
    void findsAFailedRequestThatOvertookALaterOneOfItsSender() {
        var first = answer(1, 2, 3, 1, "x");
        var second = answer(1, 4, 5, 6, "x");
        assertEquals(1, faults(failure(4, 0, 1, Exchange.Loss.REPLIED), first, second));
        assertEquals(0, faults(failure(4, 0, 1, Exchange.Loss.SILENT), first, second));
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
    void findsTheWrongOrderOfASendersRequestsUnderWay() {
        var first = state(5, "x");
        var second = state(2, "x");
        assertEquals(1, faults(answer("n", 3, 0, 10, first), answer("n", 2, 1, 9, second)));
        assertEquals(0, faults(answer("n", 3, 0, 10, first), answer("m", 2, 1, 9, second)));
    }

    @Test
    void findsATokenThatWentBack() {
        assertEquals(
                1,
                faults(
                        answer("n", 1, 0, 1, new Exchange.State(1, "x", 2, 1)),
                        answer("n", 1, 2, 3, new Exchange.State(1, "y", 1, 9))));
    }

    @Test
    void findsAnIncarnationThatOutlivedTheNext() {
        assertEquals(
                2,
                faults(answer(1, 0, 1, 1, "x"), answer(1, 2, 3, 1, "xx"), answer(1, 4, 5, 2, "x")),
                "by its token and by its life");
        assertEquals(
                1,
                faults(
                        answer("n", 1, 0, 1, state(1, "x")),
                        answer("n", 1, 2, 3, state(1, "y")),
                        answer("n", 1, 4, 5, state(2, "x"))),
                "the token is the same");
    }

    @Test
    void acceptsIncarnationsWhoseRequestsOverlap() {
        assertEquals(
                0,
                faults(
                        answer("n", 1, 0, 1, state(1, "x")),
                        answer("m", 1, 2, 9, state(2, "x")),
                        answer("n", 1, 3, 4, state(1, "y"))));
    }

    @Test
    void namesTheIdsThatDoNotAnswer() {
        var exchanges = List.of(answer(1, 5, 6, 1, "x"), failure(1));
        assertEquals(Set.of("b"), CounterHistory.silentSince(5, List.of("a", "b"), exchanges));
        assertEquals(Set.of("a", "b"), CounterHistory.silentSince(6, List.of("a", "b"), exchanges));
    }
}
