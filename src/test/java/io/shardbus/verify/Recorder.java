package io.shardbus.verify;

import io.shardbus.history.Exchange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What clients sent and what came of it, in one order: what an answer shows was begun before. */
final class Recorder {
    private final Object lock = new Object();
    private final Set<Request> underWay = new LinkedHashSet<>();
    private final List<Exchange> ended = new ArrayList<>();

    void begin(Request request) {
        synchronized (lock) {
            underWay.add(request);
        }
    }

    void end(Request request, Exchange exchange) {
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
            underWay.forEach(request -> all.add(request.silent(Long.MAX_VALUE, "no answer yet")));
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
