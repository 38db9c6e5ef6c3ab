package io.shardbus.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * What clients saw of counters, held against what may be. Of each counter: within an incarnation every acknowledged
 * amount was added once and nothing else, save amounts whose request failed, each at most once and where it fits; time
 * never runs backwards: an answer shows at least what was answered before its request was sent, and no incarnation
 * answers after a later one has; no two incarnations live at one time; and requests of one sender are executed in their
 * order.
 */
public final class CounterHistory {
    private static final Comparator<Exchange.State> BY_TOKEN =
            Comparator.comparingLong(Exchange.State::term).thenComparingLong(Exchange.State::sequence);

    /** From its first answer until it was last asked an incarnation was there for sure. */
    private record Life(String incarnation, long from, long to) {
        static Life of(List<Exchange> incarnation) {
            return new Life(
                    incarnation.get(0).state().incarnation(),
                    incarnation.stream().mapToLong(Exchange::answered).min().orElseThrow(),
                    incarnation.stream().mapToLong(Exchange::sent).max().orElseThrow());
        }

        boolean contains(Exchange exchange) {
            return from < exchange.sent() && exchange.answered() < to;
        }

        boolean overlaps(Life other) {
            return Math.max(from, other.from) < Math.min(to, other.to);
        }
    }

    private final List<String> wrong = new ArrayList<>();

    private CounterHistory() {}

    /** What is wrong with it; nothing if it is right. */
    public static List<String> wrongIn(Collection<Exchange> exchanges) {
        var history = new CounterHistory();
        exchanges.stream().collect(Collectors.groupingBy(Exchange::id)).forEach(history::checkCounter);
        return history.wrong;
    }

    private void checkCounter(String id, List<Exchange> all) {
        var doubtful = all.stream().filter(Exchange::isDoubtful).toList();
        var answered = all.stream().filter(exchange -> exchange.state() != null).toList();
        var incarnations = answered.stream()
                .collect(Collectors.groupingBy(exchange -> exchange.state().incarnation()));
        long explained = incarnations.values().stream()
                .mapToLong(incarnation -> new IncarnationSums(incarnation, doubtful, wrong).check())
                .sum();
        long inDoubt = doubtful.stream().mapToLong(Exchange::amount).sum();
        if (explained > inDoubt) {
            wrong.add(id + ": " + explained + " more than was acknowledged, but only " + inDoubt + " in doubt");
        }
        incarnations.values().forEach(this::checkValuesInTime);
        checkTokensInTime(answered);
        checkLives(incarnations);
        answered.stream()
                .filter(exchange -> exchange.number() > 0)
                .collect(Collectors.groupingBy(Exchange::sender))
                .values()
                .forEach(this::checkOrder);
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

    private void checkLives(Map<String, List<Exchange>> incarnations) {
        var lives = incarnations.values().stream()
                .map(Life::of)
                .filter(life -> life.from() < life.to())
                .sorted(Comparator.comparingLong(Life::from))
                .toList();
        for (int i = 1; i < lives.size(); i++) {
            if (lives.get(i - 1).overlaps(lives.get(i))) {
                wrong.add("two live at one time: " + lives.get(i - 1) + " and " + lives.get(i));
            }
        }
        for (var life : lives) {
            incarnations.values().forEach(exchanges -> checkNoneWithin(life, exchanges));
        }
    }

    private void checkNoneWithin(Life life, List<Exchange> incarnation) {
        for (var exchange : incarnation) {
            if (!exchange.state().incarnation().equals(life.incarnation()) && life.contains(exchange)) {
                wrong.add("while " + life + " was live came " + exchange);
            }
        }
    }

    private void checkOrder(List<Exchange> ofOneSender) {
        var inOrder = ofOneSender.stream()
                .sorted(Comparator.comparingLong(Exchange::number))
                .toList();
        for (int i = 1; i < inOrder.size(); i++) {
            var before = inOrder.get(i - 1);
            var next = inOrder.get(i);
            boolean back = BY_TOKEN.compare(next.state(), before.state()) < 0
                    || next.state().incarnation().equals(before.state().incarnation())
                            && next.state().value() < before.state().value() + next.amount();
            if (back) {
                wrong.add("sent after " + before + " and executed before it: " + next);
            }
        }
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

    /** How often which failure was met. */
    public static Map<String, Long> failures(List<Exchange> failed) {
        return failed.stream()
                .collect(Collectors.groupingBy(exchange -> exchange.failure().reason(), Collectors.counting()));
    }
}
