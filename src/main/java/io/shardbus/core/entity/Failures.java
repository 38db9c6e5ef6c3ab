package io.shardbus.core.entity;

import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.RestartPolicy.Action;
import io.shardbus.model.StartReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failures of one entity that its restart policies still look at. Made with the first of them. */
final class Failures {
    /** Durations that say "for ever" have no number of milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** Moments of the failures that a policy with a limit dealt with: each policy counts its own. */
    private final Map<RestartPolicy, ArrayDeque<Long>> moments = new HashMap<>(2);

    private int inARow;

    int inARow() {
        return inARow;
    }

    /**
     * Applies the restart policy to one more failure: the instance resumes, is replaced at once or after a pause, or
     * stops.
     *
     * @param ofStart of an instance that could not start, and then of what waits for it, unless another one follows;
     *     null: the code threw at a message
     */
    void treat(EntityCell cell, EntityCode code, long now, @Nullable Failure ofStart, boolean isStopping) {
        RestartPolicy policy = code.restartPolicy();
        Action action = judge(policy, now, ofStart != null, isStopping);
        code.failureTreated(action, inARow);
        if (action == Action.GAVE_UP) {
            cell.forgetFailures();
        }
        if (action == Action.RESUMED) {
            return;
        }
        cell.drop();
        switch (action) {
            case RESTARTED -> cell.start(StartReason.RESTART);
            case BACKING_OFF -> cell.pause(pause(policy));
            default -> {
                if (ofStart != null) {
                    cell.failWaiting(ofStart);
                } else if (action == Action.GAVE_UP || policy.kind() == RestartPolicy.Kind.STOP) {
                    String text = "entity '" + cell.id() + "' stopped after a failure";
                    cell.failWaiting(Failure.of(FailureCode.ENTITY_STOPPED, text));
                }
                cell.end();
            }
        }
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
        long millis = millis(policy.minBackoff()) << Math.min(inARow - 1, 20);
        return Math.min(millis, millis(policy.maxBackoff()));
    }

    private static long millis(Duration pause) {
        return pause.compareTo(LONGEST) > 0 ? LONGEST.toMillis() : pause.toMillis();
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
