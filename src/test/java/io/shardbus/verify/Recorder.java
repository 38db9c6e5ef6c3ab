package io.shardbus.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What clients sent and what came of it, in one order: whatever an answer shows was begun before. */
final class Recorder {
    private final Object lock = new Object();
    private final Set<Exchange.Request> underWay = new LinkedHashSet<>();
    private final List<Exchange> ended = new ArrayList<>();

    void begin(Exchange.Request request) {
        synchronized (lock) {
            underWay.add(request);
        }
    }

    void end(Exchange.Request request, Exchange exchange) {
        synchronized (lock) {
            underWay.remove(request);
            ended.add(exchange);
        }
    }

    boolean isQuiet() {
        synchronized (lock) {
            return underWay.isEmpty();
        }
    }

    List<Exchange> exchanges() {
        synchronized (lock) {
            var all = new ArrayList<>(ended);
            underWay.forEach(request ->
                    all.add(Exchange.failed(request, Long.MAX_VALUE, Exchange.Loss.SILENT, "no answer yet")));
            return all;
        }
    }

    /** The senders that have had an answer to a request sent at or after a moment. */
    Set<String> answeredSince(long moment) {
        Collection<Exchange> present;
        synchronized (lock) {
            int from = ended.size();
            while (from > 0 && ended.get(from - 1).answered() >= moment) {
                from--;
            }
            present = List.copyOf(ended.subList(from, ended.size()));
        }
        return present.stream()
                .filter(exchange -> exchange.isAnswered() && exchange.sent() >= moment)
                .map(Exchange::sender)
                .collect(Collectors.toCollection(HashSet::new));
    }
}
