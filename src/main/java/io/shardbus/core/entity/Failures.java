package io.shardbus.core.entity;

import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failures of one entity that its restart policies still look at. Made with the first of them. */
final class Failures {
    /** Moments of the failures that a policy with a limit dealt with: each policy counts its own. */
    private final Map<RestartPolicy, ArrayDeque<Long>> moments = new HashMap<>(2);

    private int inARow;

    int inARow() {
        return inARow;
    }

    /** The verdict of the code's policy about one more failure, which the code is told. */
    Action judge(EntityCode code, long now, boolean isStart, boolean isStopping) {
        Action action = judge(code.restartPolicy(), now, isStart, isStopping);
        code.failureTreated(action, inARow);
        return action;
    }

    /**
     * The policy's verdict about one more failure. An instance that is to stop anyway is not replaced, and one that
     * could not start is replaced only after a pause.
     */
    Action judge(RestartPolicy policy, long now, boolean isStart, boolean isStopping) {
        inARow++;
        if (isTooMuch(policy, now)) {
            return Action.GAVE_UP;
        }
        return switch (policy.kind()) {
            case RESUME -> isStart ? Action.STOPPED : Action.RESUMED;
            case RESTART -> isStart || isStopping ? Action.STOPPED : Action.RESTARTED;
            case STOP -> Action.STOPPED;
            case STOP_WITH_BACKOFF -> isStopping ? Action.STOPPED : Action.BACKING_OFF;
        };
    }

    private boolean isTooMuch(RestartPolicy policy, long now) {
        if (!policy.isLimited()) {
            return false;
        }
        ArrayDeque<Long> counted = moments.computeIfAbsent(policy, first -> new ArrayDeque<>(2));
        counted.addLast(now);
        long within = policy.within().toMillis();
        while (now - counted.getFirst() >= within) {
            counted.removeFirst();
        }
        return counted.size() > policy.maxRestarts();
    }

    /** Time in milliseconds that messages wait after the last failure. */
    long pause(RestartPolicy policy) {
        long millis = policy.minBackoff().toMillis() << Math.min(inARow - 1, 20);
        return Math.min(millis, policy.maxBackoff().toMillis());
    }

    /** The failures to remember after a message went well. */
    static @Nullable Failures afterSuccess(@Nullable Failures before) {
        if (before == null || before.moments.isEmpty()) {
            return null;
        }
        before.inARow = 0;
        return before;
    }
}
