package io.shardbus.daemon;

import org.jspecify.annotations.Nullable;

/** Order of the keep-alives: selects the workers of a set one after the other, then again from the first. */
final class KeepAliveCircle {
    private @Nullable DaemonState last;
    private int next;

    /** The next worker of this state; the first one if the state differs from that of the last call. */
    WorkerId next(DaemonState state) {
        if (!state.equals(last)) {
            last = state;
            next = 0;
        }
        WorkerId worker = state.worker(next);
        next = (next + 1) % state.total();
        return worker;
    }

    /** Whether a round is complete: the next worker is the first of the set. */
    boolean isRound() {
        return next == 0;
    }
}
