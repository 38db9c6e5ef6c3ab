package io.shardbus.runtime.entity;

import io.shardbus.model.EntityReport;
import io.shardbus.model.RestartPolicy;

/** The failures of one entity for operators; made with the first of them. */
final class Troubles {
    private static final int MOST_CHARACTERS = 500;

    private int restarts;
    private String kind = "";
    private String last = "";
    private long at;

    void treated(RestartPolicy.Action action, Throwable cause, long now) {
        if (action == RestartPolicy.Action.RESTARTED || action == RestartPolicy.Action.BACKING_OFF) {
            restarts++;
        }
        kind = cause.getClass().getName();
        String text = String.valueOf(cause.getMessage());
        last = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
        at = now;
    }

    int restarts() {
        return restarts;
    }

    EntityReport.Failure last(long now) {
        return new EntityReport.Failure(kind, last, now - at);
    }
}
