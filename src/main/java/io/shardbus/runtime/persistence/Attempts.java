package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.CommitSettings;
import io.shardbus.runtime.entity.CodedFailure;
import java.util.function.Consumer;

/** Failed reads of one item. It is read again after longer and longer pauses, until it waits no longer. */
final class Attempts {
    private static final int MOST_DOUBLINGS = 6;

    private int failures;
    private long waited;

    int failures() {
        return failures;
    }

    /** Reads it again later or, after the patience, refuses it. */
    void failed(LaneLogs<?, ?> logs, Throwable cause, Consumer<CodedFailure> refuse, Runnable again) {
        CommitSettings settings = logs.settings();
        if (waited >= settings.patience()) {
            refuse.accept(logs.unread(cause));
            return;
        }
        long pause = Math.min(settings.maxPause(), settings.minPause() << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        waited += pause;
        logs.after(pause, again);
    }
}
