package io.shardbus.runtime.region;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after lanes whose event loop is blocked, by code of an entity or of anything else that runs on it: their asks
 * fail at their deadlines, and answers that have come are given out. One daemon thread for all regions of the process,
 * which ends with the last of them.
 */
final class LaneWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LaneWatch.class);
    private static final long PERIOD = 50;
    private static final ScheduledThreadPoolExecutor THREAD = thread();

    private final Future<?> looks;

    private LaneWatch(Future<?> looks) {
        this.looks = looks;
    }

    private static ScheduledThreadPoolExecutor thread() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "shardbus-lane-watch");
            thread.setDaemon(true);
            return thread;
        });
        executor.setKeepAliveTime(10 * PERIOD, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
        return executor;
    }

    /** Looks after the lane from now on. */
    static LaneWatch over(LaneQueue lane) {
        return new LaneWatch(THREAD.scheduleWithFixedDelay(() -> look(lane), PERIOD, PERIOD, TimeUnit.MILLISECONDS));
    }

    private static void look(LaneQueue lane) {
        try {
            lane.expireIfBehind();
        } catch (RuntimeException e) {
            LOG.error("checking the ask deadlines of a lane failed, retrying", e);
        }
    }

    void end() {
        looks.cancel(false);
    }

    /** Number of lanes that are looked after in this process. */
    static int watched() {
        return THREAD.getQueue().size();
    }
}
