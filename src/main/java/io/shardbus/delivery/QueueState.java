package io.shardbus.delivery;

import java.util.ArrayList;
import java.util.List;

/**
 * Deduplication state of a partition of a delivery queue: the number of the last stored batch of each session, the
 * session that was used last at the end of the list. It shows whether a batch was stored before.
 */
record QueueState(List<Session> sessions) {
    /**
     * Limit of the sessions. One more replaces the least recently used session, whose sender then begins another one.
     */
    static final int MOST_SESSIONS = 1_024;

    static final QueueState EMPTY = new QueueState(List.of());

    /** @param number of the last batch that was stored */
    record Session(long id, long number) {}

    QueueState {
        sessions = List.copyOf(sessions);
    }

    /** The number of the session's last stored batch; 0 for a session that is not known. */
    long last(long session) {
        // sessions of busy senders are at the end
        for (int i = sessions.size() - 1; i >= 0; i--) {
            if (sessions.get(i).id() == session) {
                return sessions.get(i).number();
            }
        }
        return 0;
    }

    QueueState after(QueuedCommand command) {
        if (last(command.session()) == command.number()) {
            return this;
        }
        List<Session> next = new ArrayList<>(sessions);
        next.removeIf(session -> session.id() == command.session());
        if (next.size() == MOST_SESSIONS) {
            next.remove(0);
        }
        next.add(new Session(command.session(), command.number()));
        return new QueueState(next);
    }
}
