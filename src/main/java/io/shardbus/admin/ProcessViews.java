package io.shardbus.admin;

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
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The process of this node as the Java runtime shows it, and the options that it runs with. Any thread. */
final class ProcessViews {
    /** Threads in an answer, those with the most processor time; the others are counted. */
    static final int MOST_THREADS = 200;

    private static final String NAME = "name";

    private ProcessViews() {}

    /**
     * The defaults of the options that have another value, by key; that of an option within another one has both names,
     * with a dot between.
     */
    static JsonObject defaultsOfChanged(ShardingOptions options) {
        var defaults = new JsonObject();
        compare("", options.toJson(), new ShardingOptions().toJson(), defaults);
        return defaults;
    }

    private static void compare(String prefix, JsonObject inUse, JsonObject defaults, JsonObject changed) {
        for (String key : defaults.fieldNames()) {
            Object value = inUse.getValue(key);
            Object usual = defaults.getValue(key);
            if (value instanceof JsonObject inner && usual instanceof JsonObject usualInner) {
                compare(prefix + key + ".", inner, usualInner, changed);
            } else if (!Objects.equals(value, usual)) {
                changed.put(prefix + key, usual);
            }
        }
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
