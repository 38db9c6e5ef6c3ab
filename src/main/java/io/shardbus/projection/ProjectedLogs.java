package io.shardbus.projection;

import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The logs that a worker has claimed, and what there is to read in them. Used on one event loop. */
final class ProjectedLogs {
    private final Map<Integer, ProjectedLog> logs = new HashMap<>();
    private final int batch;

    /** @param batch events of one log that are handled together, at most */
    ProjectedLogs(int batch) {
        this.batch = batch;
    }

    /** New rows of a log: the position to read from, and how many rows at most. */
    record News(From from, int rows) {}

    void claimed(int log, long position) {
        logs.put(log, new ProjectedLog(position));
    }

    void remove(int log) {
        logs.remove(log);
    }

    boolean has(int log) {
        return logs.containsKey(log);
    }

    @Nullable
    ProjectedLog get(int log) {
        return logs.get(log);
    }

    /** Logs without an offset in the store are claimed anew: the projection was reset. */
    void dropReset(Map<Integer, Long> positions, IntPredicate isUnderWay) {
        logs.keySet().removeIf(log -> !isUnderWay.test(log) && !positions.containsKey(log));
    }

    boolean isReady(int number, long nowMs) {
        ProjectedLog log = logs.get(number);
        return log != null && log.isReady(nowMs);
    }

    /**
     * The number of positions between the worker's offsets and the ends of its logs.
     *
     * @param positions of the logs that are not claimed
     */
    long lag(List<LogInfo> owned, Map<Integer, Long> positions) {
        return owned.stream()
                .mapToLong(info -> {
                    ProjectedLog log = logs.get(info.log());
                    long position = log == null ? positions.getOrDefault(info.log(), 0L) : log.position();
                    return Math.max(0, info.end() - position);
                })
                .sum();
    }

    /**
     * The logs of the oldest layout that is not handled to its end: so the events of an entity whose log changed keep
     * their order.
     */
    static List<LogInfo> inTurn(List<LogInfo> all, Map<Integer, Long> positions) {
        int layout = all.stream()
                .filter(log -> !log.sealed() || positions.getOrDefault(log.log(), 0L) < log.end())
                .mapToInt(LogInfo::layout)
                .min()
                .orElse(0);
        return all.stream().filter(log -> log.layout() == layout).toList();
    }

    /** The rows to read in the logs that are ready, the smallest parts first. */
    List<News> news(List<LogInfo> infos, IntPredicate isReady) {
        List<News> news = new ArrayList<>();
        for (LogInfo info : infos) {
            ProjectedLog log = logs.get(info.log());
            if (log != null && log.position() < info.end() && isReady.test(info.log())) {
                int rows = (int) Math.min(log.batch(batch), info.end() - log.position());
                news.add(new News(new From(info.log(), log.position()), rows));
            }
        }
        news.sort(Comparator.comparingInt(News::rows));
        return news;
    }

    /**
     * The rows to read where the ends of the logs may have moved since they were looked up: for each log an equal share
     * of {@code mostRows}.
     */
    List<News> unknown(List<LogInfo> infos, IntPredicate isReady, int mostRows) {
        int rows = Math.max(1, Math.min(batch, mostRows / Math.max(1, infos.size())));
        List<News> news = new ArrayList<>();
        for (LogInfo info : infos) {
            ProjectedLog log = logs.get(info.log());
            if (log != null && isReady.test(info.log())) {
                news.add(new News(new From(info.log(), log.position()), rows));
            }
        }
        return news;
    }
}
