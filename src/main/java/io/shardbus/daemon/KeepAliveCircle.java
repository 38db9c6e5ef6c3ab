package io.shardbus.daemon;

import org.jspecify.annotations.Nullable;

/**
 * Round of the keep-alives: it selects the worker that is next told to run, one after the other, then again from
 * the first.
 */
final class KeepAliveCircle {
    private @Nullable DaemonState last;
    private int next;

    /** The next worker of this state; the first one of a state that is another than the last. */
    WorkerId next(DaemonState state) {
        if (!state.equals(last)) {
            last = state;
            next = 0;
        }
        WorkerId worker = state.worker(next);
        next = (next + 1) % state.total();
        return worker;
    }

    /** Whether the next one is the first. */
    boolean isRound() {
        return next == 0;
    }
}
