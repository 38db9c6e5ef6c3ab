package io.shardbus.admin;

import io.shardbus.logging.RecentWarnings;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.options.ChangedOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The process of this node as the Java runtime shows it, and the options that it runs with. Any thread. */
final class ProcessViews {
    /** Threads in an answer, those with the most processor time; the others are counted. */
    static final int MOST_THREADS = 200;

    private static final String NAME = "name";

    private ProcessViews() {}

    /**
     * The defaults of the options that have another value, by name as in {@link ChangedOptions}.
     */
    static JsonObject defaultsOfChanged(ShardingOptions options) {
        var defaults = new JsonObject();
        ChangedOptions.of(options).forEach((name, change) -> defaults.put(name, change.usual()));
        return defaults;
    }

    /**
     * The options whose values differ between nodes, by name, each with the value of each node as JSON text; null where
     * a node has its default. Nodes of an earlier build do not tell theirs, and are left out.
     */
    static JsonObject differences(Map<NodeId, NodeStatus> nodes) {
        var told = new TreeMap<NodeId, Map<String, String>>();
        nodes.forEach((node, status) -> Optional.ofNullable(status.options()).ifPresent(own -> told.put(node, own)));
        var differences = new JsonObject();
        told.values().stream()
                .flatMap(options -> options.keySet().stream())
                .sorted()
                .distinct()
                .forEach(name -> {
                    var values = new JsonObject();
                    told.forEach((node, options) -> values.put(node.value(), options.get(name)));
                    if (values.stream().map(Map.Entry::getValue).distinct().count() > 1) {
                        differences.put(name, values);
                    }
                });
        return differences;
    }

    /** The last warnings and errors in the log, the oldest first; null where Logback does not write it. */
    static @Nullable JsonArray warnings() {
        return RecentWarnings.last()
                .map(lines -> new JsonArray(lines.stream()
                        .map(line -> new JsonObject()
                                .put("at", line.at())
                                .put("level", line.level())
                                .put("logger", line.logger())
                                .put("text", line.text()))
                        .toList()))
                .orElse(null);
    }

    /** Reads the states of all threads: not for an event loop. */
    static JsonObject runtime() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] infos = threads.getThreadInfo(threads.getAllThreadIds(), 0);
        return new JsonObject()
                .put("pid", ProcessHandle.current().pid())
                .put("startedAt", ManagementFactory.getRuntimeMXBean().getStartTime())
                .put("processors", Runtime.getRuntime().availableProcessors())
                .put("collections", collections(ManagementFactory.getGarbageCollectorMXBeans()))
                .put("threadCount", infos.length)
                .put("threads", threads(threads, infos));
    }

    private static JsonArray collections(Collection<GarbageCollectorMXBean> collectors) {
        var views = new JsonArray();
        collectors.forEach(one -> views.add(new JsonObject()
                .put(NAME, one.getName())
                .put("count", one.getCollectionCount())
                .put("totalMs", one.getCollectionTime())));
        return views;
    }

    private static JsonArray threads(ThreadMXBean threads, ThreadInfo[] infos) {
        var views = new JsonArray();
        Arrays.stream(infos)
                .filter(Objects::nonNull) // has ended
                .map(info -> thread(info, cpuMs(threads, info.getThreadId())))
                .sorted(Comparator.comparingLong((JsonObject view) -> view.getLong("cpuMs"))
                        .reversed())
                .limit(MOST_THREADS)
                .forEach(views::add);
        return views;
    }

    /** Negative where the Java runtime does not tell. */
    private static long cpuMs(ThreadMXBean threads, long id) {
        return threads.isThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()
                ? TimeUnit.NANOSECONDS.toMillis(threads.getThreadCpuTime(id))
                : -1;
    }

    private static JsonObject thread(ThreadInfo info, long cpuMs) {
        return new JsonObject()
                .put(NAME, info.getThreadName())
                .put("state", info.getThreadState().name())
                .put("cpuMs", cpuMs)
                .put("waitsFor", info.getLockName());
    }
}
