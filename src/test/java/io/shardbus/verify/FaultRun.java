package io.shardbus.verify;

import java.util.List;
import java.util.Locale;

/**
 * What came of one fault.
 *
 * @param onCoordinator whether it happened to the coordinator
 * @param seen what clients met from its beginning until all was well again
 * @param backMs the longest time in which some counter gave no answer, from the moment at which the fault was over
 * @param wrong what the history shows that must not be, from the start of the cluster on
 * @param silent ids that did not answer again, each with the node through which they were asked
 * @param whole whether all nodes are one cluster again
 * @param shards how many shards the node has at the end
 */
public record FaultRun(
        Fault fault,
        int target,
        boolean onCoordinator,
        Seen seen,
        long backMs,
        List<String> wrong,
        List<String> silent,
        boolean whole,
        int shards) {
    public boolean isGood() {
        return wrong.isEmpty() && silent.isEmpty() && whole;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "fault=%s target=%d coordinator=%s ok=%d failed=%d silence_ms=%d back_ms=%d violations=%d"
                        + " silent=%d whole=%s shards=%d",
                fault.text(),
                target,
                onCoordinator ? "yes" : "no",
                seen.ok(),
                seen.failed(),
                seen.silenceMs(),
                backMs,
                wrong.size(),
                silent.size(),
                whole ? "yes" : "no",
                shards);
    }
}
