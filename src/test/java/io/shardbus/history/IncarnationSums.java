package io.shardbus.history;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that one incarnation answered, as a chain: each is the one before and the amount that was acknowledged.
 * What is missing in between must be amounts of requests that failed and may yet have been executed at this place.
 */
final class IncarnationSums {
    private final List<Exchange> chain;
    private final List<Exchange> doubtful;
    private final List<String> wrong;
    private final Map<Exchange, Integer> lastPlaces = new HashMap<>();

    /**
     * @param incarnation all that it answered
     * @param doubtful failed requests to the same counter
     * @param wrong where to add what is wrong
     */
    IncarnationSums(List<Exchange> incarnation, List<Exchange> doubtful, List<String> wrong) {
        this.chain = incarnation.stream()
                .sorted(Comparator.<Exchange>comparingLong(
                                exchange -> exchange.state().value())
                        .thenComparing(
                                Comparator.comparingLong(Exchange::amount).reversed()))
                .toList();
        this.doubtful = doubtful;
        this.wrong = wrong;
    }

    /** How much of the values only failed requests explain. */
    long check() {
        long explained = 0;
        long value = 0;
        for (int place = 0; place < chain.size(); place++) {
            var exchange = chain.get(place);
            long gap = exchange.state().value() - exchange.amount() - value;
            if (gap < 0) {
                wrong.add("after " + value + " came " + exchange);
            } else if (gap > 0 && !isExplained(gap, place)) {
                wrong.add("after " + value + " came " + gap + " from nowhere, then " + exchange);
            } else {
                explained += gap;
            }
            value = exchange.state().value();
        }
        return explained;
    }

    private boolean isExplained(long gap, int place) {
        var amounts = doubtful.stream()
                .filter(failed -> mayHaveComeBefore(place, failed))
                .mapToLong(Exchange::amount)
                .toArray();
        long most = 0;
        for (long amount : amounts) {
            most += amount;
        }
        return gap <= most && isSumOfSome(amounts, Math.toIntExact(gap));
    }

    private static boolean isSumOfSome(long[] amounts, int sum) {
        var reachable = new BitSet(sum + 1);
        reachable.set(0);
        for (long amount : amounts) {
            for (int reached = reachable.previousSetBit(sum);
                    reached >= 0;
                    reached = reachable.previousSetBit(reached - 1)) {
                if (reached + amount <= sum) {
                    reachable.set((int) (reached + amount));
                }
            }
        }
        return reachable.get(sum);
    }

    private boolean mayHaveComeBefore(int place, Exchange failed) {
        return failed.sent() < chain.get(place).answered()
                && place <= lastPlaces.computeIfAbsent(failed, this::lastPlace);
    }

    /**
     * The last place where a failed request may have been executed: before what the same sender sent later, if its
     * requests are to be executed in their order.
     */
    private int lastPlace(Exchange failed) {
        for (int place = 0; failed.number() > 0 && place < chain.size(); place++) {
            var exchange = chain.get(place);
            if (exchange.sender().equals(failed.sender()) && exchange.number() > failed.number()) {
                return place;
            }
        }
        return chain.size();
    }
}
