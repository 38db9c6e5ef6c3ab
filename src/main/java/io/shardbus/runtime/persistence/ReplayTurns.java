package io.shardbus.runtime.persistence;

import io.shardbus.runtime.entity.EntityLane;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Recoveries of a lane in turns with its other work: after 256 events, or 5 ms, the rest waits until the event loop has
 * done what came before. Recoveries are carried out one after the other, in the order in which they were added. Used on
 * the lane.
 */
final class ReplayTurns {
    private static final int EVENTS = 256;
    private static final int MICROS = 5_000;
    private final EntityLane lane;
    private final Deque<Replay> waiting = new ArrayDeque<>();
    private boolean isRunning;
    private boolean isTurnBegun;
    private boolean isTurnOver;
    private int events;
    private int from;

    ReplayTurns(EntityLane lane) {
        this.lane = lane;
    }

    /** What is to be done for an entity that has been read. */
    interface Replay {
        /** Does one part, such as applying an event; false if no further one is left. */
        boolean next();
    }

    /** Carries it out at once, as far as the turn allows and nothing was added before. */
    void add(Replay replay) {
        waiting.add(replay);
        run();
    }

    private void run() {
        if (isRunning) {
            return;
        }
        isRunning = true;
        try {
            while (!waiting.isEmpty() && hasTime()) {
                runNext(waiting.element());
            }
        } finally {
            isRunning = false;
        }
    }

    private void runNext(Replay first) {
        boolean more = false;
        try {
            more = first.next();
        } finally {
            if (!more) {
                waiting.remove();
            }
        }
    }

    private boolean hasTime() {
        if (!isTurnBegun) {
            isTurnBegun = true;
            isTurnOver = false;
            events = 0;
            from = lane.micros();
            lane.afterwards(() -> lane.execute((hosting, now) -> nextTurn()));
        }
        events++;
        // an event may be large, and its handler slow: the clock costs less than either
        isTurnOver |= events > EVENTS || lane.microsSince(from) >= MICROS;
        return !isTurnOver;
    }

    private void nextTurn() {
        isTurnBegun = false;
        run();
    }
}
