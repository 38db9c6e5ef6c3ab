package io.shardbus.runtime.entity;

import io.shardbus.EntityDefinition;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.model.EntityReport;
import io.shardbus.model.RestartPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The failures of one entity: the one that its restart policy is asked about, and what operators see of those before.
 * Made with the first of them.
 */
final class Supervision {
    private static final int MOST_CHARACTERS = 500;

    /** Null unless the policy is being asked. */
    private @Nullable Throwable asked;

    private int restarts;
    private String kind = "";
    private String last = "";
    private long at;

    /** The policy is asked about this failure while the cell is told of it. */
    void ask(Throwable failure, Runnable tell) {
        asked = failure;
        try {
            tell.run();
        } finally {
            asked = null;
        }
    }

    RestartPolicy policy(EntityDefinition<?> definition) {
        Throwable cause = asked;
        return cause == null ? definition.restartPolicy() : definition.restartPolicy(cause);
    }

    /** Records how the policy treats the failure, and returns it. */
    Throwable treated(RestartPolicy.Action action, long now) {
        Throwable known = asked;
        Throwable cause = known == null ? new IllegalStateException("a call of its code has thrown") : known;
        if (action == RestartPolicy.Action.RESTARTED || action == RestartPolicy.Action.BACKING_OFF) {
            restarts++;
        }
        kind = cause.getClass().getName();
        String text = FaultText.message(cause);
        last = text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) : text;
        at = now;
        return cause;
    }

    int restarts() {
        return restarts;
    }

    /** Null before the policy was asked about any. */
    EntityReport.@Nullable Failure last(long now) {
        return kind.isEmpty() ? null : new EntityReport.Failure(kind, last, now - at);
    }
}
