package io.shardbus.membership;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** A daemon thread for work that may block and must not on an event loop. */
final class OwnThread {
    private OwnThread() {}

    static ScheduledExecutorService named(String name) {
        return Executors.newSingleThreadScheduledExecutor(task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
