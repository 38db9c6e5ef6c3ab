package io.shardbus.verify;

import io.shardbus.history.CounterHistory;
import io.shardbus.history.Exchange;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What clients met in a span of time.
 *
 * @param ok requests that were answered
 * @param failed requests that were not
 * @param silenceMs the longest time that a counter gave no client an answer
 * @param failures how often which failure was met
 */
public record Seen(long ok, long failed, long silenceMs, Map<String, Long> failures) {
    /** @param from in nanoseconds of this JVM, as {@code to} */
    public static Seen of(Collection<String> ids, Collection<Exchange> exchanges, long from, long to) {
        var ended = exchanges.stream()
                .filter(exchange -> exchange.answered() >= from && exchange.answered() <= to)
                .toList();
        var failed = ended.stream().filter(exchange -> !exchange.isAnswered()).toList();
        return new Seen(
                ended.size() - failed.size(),
                failed.size(),
                silence(ids, ended, from, to),
                CounterHistory.failures(failed));
    }

    private static long silence(Collection<String> ids, List<Exchange> ended, long from, long to) {
        var last = new HashMap<String, Long>();
        ids.forEach(id -> last.put(id, from));
        long longest = 0;
        for (var exchange : ended.stream()
                .filter(Exchange::isAnswered)
                .sorted(Comparator.comparingLong(Exchange::answered))
                .toList()) {
            longest = Math.max(longest, exchange.answered() - last.put(exchange.id(), exchange.answered()));
        }
        for (long answered : last.values()) {
            longest = Math.max(longest, to - answered);
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }
}
