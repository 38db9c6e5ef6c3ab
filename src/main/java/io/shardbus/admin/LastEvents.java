package io.shardbus.admin;

import io.shardbus.ClusterOperations;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.EventPage;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The last events of a kind that the nodes keep: pages begin with the oldest, so all are read. For one request. */
final class LastEvents {
    private static final int PAGE = 5_000;
    /** The events of 1,250 nodes, which keep 4,000 each. */
    private static final int MOST_PAGES = 1_000;

    private final ClusterOperations operations;
    private final Predicate<ClusterEvent> wanted;
    private final int most;
    private final Deque<ClusterEvent> last = new ArrayDeque<>();
    private final Map<NodeId, Long> missed = new HashMap<>();

    private LastEvents(ClusterOperations operations, Predicate<ClusterEvent> wanted, int most) {
        this.operations = operations;
        this.wanted = wanted;
        this.most = most;
    }

    /**
     * As a page that nothing follows, with what was missed on all pages.
     *
     * @param most events on it, the last ones
     */
    static Future<EventPage> of(ClusterOperations operations, Predicate<ClusterEvent> wanted, int most) {
        return new LastEvents(operations, wanted, most).readOn("", 1);
    }

    private Future<EventPage> readOn(String cursor, int number) {
        return operations.events(cursor, PAGE).compose(page -> {
            page.events().stream().filter(wanted).forEach(this::add);
            page.missed().forEach((node, count) -> missed.merge(node, count, Long::sum));
            return page.more() && number < MOST_PAGES
                    ? readOn(page.cursor(), number + 1)
                    : Future.succeededFuture(whole(page.cursor(), page.silent()));
        });
    }

    private void add(ClusterEvent event) {
        last.add(event);
        if (last.size() > most) {
            last.remove();
        }
    }

    private EventPage whole(String cursor, Set<NodeId> silent) {
        return new EventPage(List.copyOf(last), cursor, false, missed, silent);
    }
}
