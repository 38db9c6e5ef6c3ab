package io.shardbus.options;

import io.shardbus.spi.SplitBrainArbiter;

/**
 * The check that a lease outlives what stalls its renewal: a freeze anywhere stops replicated writes until the view has
 * changed and the loss is decided. Then F + D + 4 store round trips pass before the next renewal can be confirmed, and
 * the last one may be a confirm interval c and a heartbeat interval h old, so L - c - h must be longer; c = h = L/10.
 */
final class LeaseCheck {
    private static final int ROUND_TRIPS = 4;

    private LeaseCheck() {}

    /** Skipped where no lease is awaited. */
    static void check(ShardingOptions options) {
        if (options.isAwaitPredecessorLeases()) {
            checkArbiter(options, options.getSplitBrain());
        }
        long lease = options.getLeaseDurationMs();
        long stall = stall(options);
        if (options.isAwaitPredecessorLeases() && 8 * lease <= 10 * stall) {
            throw new IllegalArgumentException(refusal(options, lease, stall));
        }
    }

    /**
     * The arbiter's lease must be kept until the other side has asked, however late that noticed the cut and decided.
     */
    private static void checkArbiter(ShardingOptions options, SplitBrainOptions split) {
        long decision = options.getDecisionTimeMs();
        long needed = split.latestAnswerMs(options.getFailureDetectionMs(), decision);
        if (!split.getArbiter().isEmpty() && split.getReleaseAfterMs() <= needed) {
            throw new IllegalArgumentException("option 'splitBrain.releaseAfterMs' = " + split.getReleaseAfterMs()
                    + " is too short: the other side may ask after failureDetectionMs "
                    + options.getFailureDetectionMs() + " + decisionTimeMs " + decision + " + "
                    + SplitBrainOptions.flappingMs(decision) + " of changes + minorityDelayMs "
                    + split.getMinorityDelayMs() + " + "
                    + SplitBrainArbiter.TIMEOUT_MS + " for an answer = " + needed + "; set it to " + (needed + 1)
                    + " or more");
        }
    }

    private static long stall(ShardingOptions options) {
        return options.getFailureDetectionMs()
                + options.getDecisionTimeMs()
                + ROUND_TRIPS * options.getStoreRoundTripMs();
    }

    private static String refusal(ShardingOptions options, long lease, long stall) {
        return "option 'leaseDurationMs' = " + lease + " is too short for the failure detection: failureDetectionMs "
                + options.getFailureDetectionMs() + " + decisionTimeMs " + options.getDecisionTimeMs() + " + "
                + ROUND_TRIPS + " x storeRoundTripMs " + options.getStoreRoundTripMs() + " = " + stall
                + " must be less than 0.8 x leaseDurationMs = " + tenths(8 * lease) + "; " + advice(stall)
                + " (after making the JGroups failure detection faster), decisionTimeMs or storeRoundTripMs";
    }

    private static String advice(long stall) {
        long needed = 10 * stall / 8 + 1;
        boolean possible = OptionKey.named("leaseDurationMs").accepts(needed);
        return (possible ? "set leaseDurationMs to " + needed + " or more, or lower" : "lower") + " failureDetectionMs";
    }

    private static String tenths(long value) {
        return value / 10 + (value % 10 == 0 ? "" : "." + value % 10);
    }
}
