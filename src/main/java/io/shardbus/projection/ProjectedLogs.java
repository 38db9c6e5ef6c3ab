package io.shardbus.projection;

import io.shardbus.core.persistence.PageSize;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.persistence.spi.EventReader.ReadRow;
import io.shardbus.persistence.spi.ReadBytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The logs that a worker has claimed, and the rows that it should read next. Used on one event loop. */
final class ProjectedLogs {
    /** Limit of the rows of one read, of all logs together. */
    private static final int MOST_ROWS = 2000;

    private final Map<Integer, ProjectedLog> logs = new HashMap<>();
    private final int batch;
    private final PageSize pageSize = new PageSize(MOST_ROWS);

    /** @param batch limit of the rows of one log that are handled together */
    ProjectedLogs(int batch) {
        this.batch = batch;
    }

    /** New rows of a log: the position after which they are read, and the limit of their number. */
    record News(From from, int rows) {}

    /** Limit of the rows of the next read, of all logs together. */
    int mostRows() {
        return pageSize.rows();
    }

    /** @param rows null if the read failed */
    void pageRead(@Nullable Map<Integer, List<ReadRow>> rows) {
        if (rows == null) {
            pageSize.failed();
        } else if (2 * rows.values().stream().mapToInt(List::size).sum() >= pageSize.rows()) {
            pageSize.filled();
        }
    }

    /** Whether a log may have more rows than these, which were asked for without knowledge of its end. */
    static boolean haveMore(Map<Integer, List<ReadRow>> rows, int limit) {
        ReadBytes answer = new ReadBytes();
        rows.values().forEach(of -> of.forEach(row -> answer.add(row.payload(), row.meta())));
        return answer.isFull() || rows.values().stream().anyMatch(of -> of.size() >= limit);
    }

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

    /** Drops the logs that have no offset in the store, so that they are claimed again: the projection was reset. */
    void dropReset(Map<Integer, Long> positions, IntPredicate isUnderWay) {
        logs.keySet().removeIf(log -> !isUnderWay.test(log) && !positions.containsKey(log));
    }

    boolean isReady(int number, long nowMs) {
        ProjectedLog log = logs.get(number);
        return log != null && log.isReady(nowMs);
    }

    /**
     * Number of positions between the worker's offsets and the ends of its logs.
     *
     * @param positions stored offsets, used for logs that are not claimed
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
     * The logs of the oldest layout that is not handled to its end. So events stay in order if their entity has changed
     * its log with the number of shards.
     */
    static List<LogInfo> inTurn(List<LogInfo> all, Map<Integer, Long> positions) {
        int layout = all.stream()
                .filter(log -> !log.sealed() || positions.getOrDefault(log.log(), 0L) < log.end())
                .mapToInt(LogInfo::layout)
                .min()
                .orElse(0);
        return all.stream().filter(log -> log.layout() == layout).toList();
    }

    /** The rows to read in the logs that are ready, logs with few rows first. */
    List<News> news(List<LogInfo> infos, IntPredicate isReady) {
        List<News> news = new ArrayList<>();
        for (LogInfo info : infos) {
            ProjectedLog log = logs.get(info.log());
            if (log != null && log.position() < info.end() && isReady.test(info.log())) {
                int rows = (int) Math.min(log.batch(Math.min(batch, mostRows())), info.end() - log.position());
                news.add(new News(new From(info.log(), log.position()), rows));
            }
        }
        news.sort(Comparator.comparingInt(News::rows));
        return news;
    }

    /**
     * The rows to ask for while the ends of the logs are unknown, as they were looked up a moment ago: for each ready
     * log an equal share of {@link #mostRows}.
     */
    List<News> unknown(List<LogInfo> infos, IntPredicate isReady) {
        int rows = Math.max(1, Math.min(batch, mostRows() / Math.max(1, infos.size())));
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
