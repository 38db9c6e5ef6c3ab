package io.shardbus.daemon;

import io.shardbus.model.NodeId;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** Which workers of a test have started and stopped, and where; finds two lives of one worker at a time. */
final class RollCall {
    private final List<Entry> starts = new CopyOnWriteArrayList<>();
    private final List<String> stops = new CopyOnWriteArrayList<>();
    private final Map<String, Entry> running = new ConcurrentHashMap<>();
    private final Set<NodeId> dead = ConcurrentHashMap.newKeySet();
    private final List<String> doubles = new CopyOnWriteArrayList<>();

    record Entry(String id, NodeId node, String deployment, Deployable worker, long nanos) {}

    Deployable worker(WorkerContext told) {
        return new VerticleBase() {
            @Override
            public Future<?> start() {
                if (!dead.contains(told.node())) {
                    entered(new Entry(told.id().text(), told.node(), context.deploymentID(), this, System.nanoTime()));
                }
                return Future.succeededFuture();
            }

            @Override
            public Future<?> stop() {
                if (!dead.contains(told.node())) {
                    left(told.id().text());
                }
                return Future.succeededFuture();
            }
        };
    }

    void entered(Entry entry) {
        Entry other = running.put(entry.id(), entry);
        if (other != null) {
            doubles.add(entry.id() + " on " + other.node() + " and " + entry.node());
        }
        starts.add(entry);
    }

    void left(String id) {
        running.remove(id);
        stops.add(id);
    }

    /** The node dies now: what becomes of its workers does not count. */
    void forget(NodeId node) {
        dead.add(node);
        running.values().removeIf(entry -> entry.node().equals(node));
    }

    List<Entry> starts() {
        return starts;
    }

    List<String> stops() {
        return stops;
    }

    Set<String> running() {
        return new TreeSet<>(running.keySet());
    }

    Entry entry(String id) {
        return running.get(id);
    }

    Map<NodeId, Long> runningByNode() {
        return running.values().stream().collect(Collectors.groupingBy(Entry::node, Collectors.counting()));
    }

    Set<String> runningOn(NodeId node) {
        return running.values().stream()
                .filter(entry -> entry.node().equals(node))
                .map(Entry::id)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    List<String> doubles() {
        return doubles;
    }

    void clear() {
        starts.clear();
        stops.clear();
    }
}
