package io.shardbus.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What clients saw of counters, held against what may be. Of each counter:
 *
 * <ul>
 *   <li>Time never runs backwards: what had been answered when a request was sent is not undone by its answer, neither the
 *       token nor, within an incarnation, the value.
 *   <li>Incarnations live one after the other: if one answered before a request to another was sent, it answers no request
 *       that is sent after an answer of the other.
 *   <li>Within an incarnation each acknowledged amount was added once and nothing else, save amounts whose request failed:
 *       each of these at most once, in one place.
 *   <li>What one sender sends through one node is executed in the order of sending, or not at all.
 * </ul>
 *
 * A request is executed at some moment between its sending and its answer. One that failed may be executed at any moment
 * after it was sent.
 */
public final class CounterHistory {
    private static final Comparator<Exchange.State> BY_TOKEN =
            Comparator.comparingLong(Exchange.State::term).thenComparingLong(Exchange.State::sequence);

    private final List<String> wrong = new ArrayList<>();

    private CounterHistory() {}

    /** What is wrong with it; nothing if it is right. */
    public static List<String> wrongIn(Collection<Exchange> exchanges) {
        var history = new CounterHistory();
        exchanges.stream().collect(Collectors.groupingBy(Exchange::id)).forEach(history::checkCounter);
        return history.wrong;
    }

    /** The ids that did not answer a request sent at or after a moment. */
    public static Set<String> silentSince(long moment, Collection<String> ids, Collection<Exchange> exchanges) {
        var silent = new TreeSet<>(ids);
        exchanges.stream()
                .filter(exchange -> exchange.isAnswered() && exchange.sent() >= moment)
                .forEach(exchange -> silent.remove(exchange.id()));
        return silent;
    }

    private void checkCounter(String id, List<Exchange> all) {
        var doubtful = all.stream().filter(Exchange::isDoubtful).toList();
        var answered = all.stream().filter(Exchange::isAnswered).toList();
        var incarnations = List.copyOf(answered.stream()
                .collect(Collectors.groupingBy(exchange -> exchange.state().incarnation()))
                .values());
        long explained = 0;
        for (var incarnation : incarnations) {
            var sums = new IncarnationSums(incarnation, doubtful, wrong);
            explained += sums.check();
            checkValuesInTime(incarnation);
            checkSenders(incarnation);
        }
        long inDoubt = doubtful.stream().mapToLong(Exchange::amount).sum();
        if (explained > inDoubt) {
            wrong.add(id + ": " + explained + " more than was acknowledged, but only " + inDoubt + " in doubt");
        }
        checkTokensInTime(answered);
        checkLives(incarnations);
    }

    private void checkValuesInTime(List<Exchange> incarnation) {
        inTime(incarnation, Comparator.comparingLong(Exchange.State::value), (before, exchange) -> {
            if (exchange.state().value() < before.value() + exchange.amount()) {
                wrong.add(before + " was answered before this was sent: " + exchange);
            }
        });
    }

    private void checkTokensInTime(List<Exchange> answered) {
        inTime(answered, BY_TOKEN, (before, exchange) -> {
            if (BY_TOKEN.compare(exchange.state(), before) < 0) {
                wrong.add(before + " was answered before this was sent: " + exchange);
            }
        });
    }

    /** Gives each exchange with the largest state among those that had been answered when it was sent. */
    private static void inTime(
            List<Exchange> exchanges, Comparator<Exchange.State> order, BiConsumer<Exchange.State, Exchange> check) {
        var byAnswer = exchanges.stream()
                .sorted(Comparator.comparingLong(Exchange::answered))
                .toList();
        var bySending = exchanges.stream()
                .sorted(Comparator.comparingLong(Exchange::sent))
                .toList();
        Exchange.State largest = null;
        int next = 0;
        for (var exchange : bySending) {
            for (; byAnswer.get(next).answered() < exchange.sent(); next++) {
                var state = byAnswer.get(next).state();
                largest = largest == null || order.compare(state, largest) > 0 ? state : largest;
            }
            if (largest != null) {
                check.accept(largest, exchange);
            }
        }
    }

    /** The order of requests that were under way at the same time; of the others real time tells. */
    private void checkSenders(List<Exchange> incarnation) {
        incarnation.stream().collect(Collectors.groupingBy(Exchange::sender)).forEach((sender, exchanges) -> {
            Exchange largest = null;
            for (var exchange : exchanges.stream()
                    .sorted(Comparator.comparingLong(Exchange::sent))
                    .toList()) {
                if (largest != null
                        && largest.answered() >= exchange.sent()
                        && exchange.state().value() < largest.state().value() + exchange.amount()) {
                    wrong.add(largest + " was sent by the same before this: " + exchange);
                }
                largest = largest == null
                                || exchange.state().value() > largest.state().value()
                        ? exchange
                        : largest;
            }
        });
    }

    private void checkLives(List<List<Exchange>> incarnations) {
        var lives = incarnations.stream().map(Life::of).toList();
        for (int i = 0; i < lives.size(); i++) {
            for (int j = i + 1; j < lives.size(); j++) {
                var one = lives.get(i);
                var other = lives.get(j);
                if (one.wasBefore(other) && other.wasBefore(one)) {
                    wrong.add("two incarnations lived at the same time: " + one + " and " + other);
                }
            }
        }
    }

    /** An incarnation as far as its answers prove it: its first answer, and its last request. */
    private record Life(Exchange first, Exchange last) {
        static Life of(List<Exchange> incarnation) {
            return new Life(
                    incarnation.stream()
                            .min(Comparator.comparingLong(Exchange::answered))
                            .orElseThrow(),
                    incarnation.stream()
                            .max(Comparator.comparingLong(Exchange::sent))
                            .orElseThrow());
        }

        /** Whether something was executed here before something was executed there. */
        boolean wasBefore(Life other) {
            return first.answered() < other.last.sent();
        }
    }

    /** How often which failure was met. */
    public static Map<String, Long> failures(List<Exchange> failed) {
        return failed.stream()
                .collect(Collectors.groupingBy(exchange -> exchange.failure().reason(), Collectors.counting()));
    }
}
