package io.shardbus.store;

import io.shardbus.model.NodeId;
import io.shardbus.spi.RecordStore;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that may coordinate and are about to leave, in one record that all nodes share: if two nodes want to leave
 * at the same moment, the later one knows of the other. Threads and time limits are those of a {@link RecordStore}.
 */
public final class DepartingSeats {
    /** Number of times that a write may be overtaken by other writers before it fails. */
    static final int TRIES = 16;

    /** More than leave at one time; the oldest are forgotten. */
    static final int MOST = 256;

    private static final String NAME = "departing-seats";

    private final RecordStore records;

    public DepartingSeats(RecordStore records) {
        this.records = records;
    }

    /**
     * Records that this node is about to leave, unless others would have to stop then.
     *
     * @param dependents the nodes that stop if this one leaves together with the given ones
     * @return these nodes; empty if there are none, and the record names this node
     */
    public Future<List<NodeId>> leave(NodeId self, Function<Set<NodeId>, List<NodeId>> dependents) {
        return leave(self, dependents, TRIES);
    }

    private Future<List<NodeId>> leave(NodeId self, Function<Set<NodeId>, List<NodeId>> dependents, int tries) {
        if (tries == 0) {
            return Future.failedFuture(
                    new IllegalStateException(NAME + ": " + TRIES + " times another writer was quicker"));
        }
        return records.read(NAME).compose(found -> {
            Set<NodeId> departing = decode(found);
            List<NodeId> stopping = departing.contains(self) ? List.of() : dependents.apply(Set.copyOf(departing));
            if (!stopping.isEmpty() || !departing.add(self)) {
                return Future.succeededFuture(stopping);
            }
            return records.replace(NAME, found, encode(departing))
                    .compose(written ->
                            written ? Future.succeededFuture(List.of()) : leave(self, dependents, tries - 1));
        });
    }

    private static String encode(Set<NodeId> nodes) {
        return nodes.stream()
                .skip(Math.max(0, nodes.size() - MOST))
                .map(NodeId::value)
                .collect(Collectors.joining("\n"));
    }

    private static Set<NodeId> decode(@Nullable String text) {
        return text == null
                ? new LinkedHashSet<>()
                : Arrays.stream(text.split("\n", -1))
                        .map(NodeId::new)
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
