package io.shardbus.simulation;

import io.shardbus.history.CounterHistory;
import io.shardbus.history.Exchange;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the senders of messages saw, and nothing else: when each request was sent, when it was answered, and what the
 * answer said. Judged like the history of a real cluster.
 */
final class Clients {
    /** What an entity answers. */
    record Reply(long letter, long value, long instance, FencingToken token) {}

    private record Sent(Letter letter, long moment) {}

    private final List<Exchange> exchanges = new ArrayList<>();
    private final Map<Long, Sent> open = new TreeMap<>();
    /** Finer than the simulated clock: two things at one moment have an order. */
    private long moment;

    void asked(Letter letter) {
        open.put(letter.id(), new Sent(letter, ++moment));
    }

    /** Its outcome stays unknown. */
    void told(Letter letter) {
        if (letter.amount() != 0) {
            exchanges.add(doubtful(new Sent(letter, ++moment), new Exchange.Failure(false, "told")));
        }
    }

    void answered(Letter letter, Reply reply) {
        Sent sent = open.remove(letter.id());
        FencingToken token = reply.token();
        // The incarnations of one term's owner share a number that is only compared within a term.
        Exchange.State state = new Exchange.State(
                reply.value(),
                Long.toString(reply.instance()),
                token.term(),
                token.incarnation() * 1_000_000_000L + token.sequence());
        exchanges.add(new Exchange(
                letter.sender(),
                letter.entity(),
                letter.amount(),
                letter.number(),
                sent.moment(),
                ++moment,
                state,
                null));
    }

    void failed(Letter letter, FailureCode code) {
        Sent sent = open.remove(letter.id());
        boolean certain = Ledger.NOT_EXECUTED.contains(code) || code == FailureCode.ENTITY_FAILED;
        exchanges.add(doubtful(sent, new Exchange.Failure(certain, code.name())));
    }

    private Exchange doubtful(Sent sent, Exchange.@Nullable Failure failure) {
        Letter letter = sent.letter();
        return new Exchange(
                letter.sender(),
                letter.entity(),
                letter.amount(),
                letter.number(),
                sent.moment(),
                ++moment,
                null,
                failure);
    }

    /** Holds all that they saw against what may be. */
    void check() {
        List<Exchange> all = new ArrayList<>(exchanges);
        open.values().forEach(sent -> all.add(doubtful(sent, new Exchange.Failure(false, "no answer yet"))));
        List<String> wrong = CounterHistory.wrongIn(all);
        if (!wrong.isEmpty()) {
            throw new Violation(
                    Violation.Kind.HISTORY, wrong.size() + " things are wrong: " + String.join("\n", wrong));
        }
    }
}
