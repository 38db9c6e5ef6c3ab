package io.shardbus.runtime.region;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The asks that ended in one burst of a lane and whose callers are on other event loops: each of those is woken once, not once for
 * each ask. Owned by the lane.
 */
final class CallerAnswers {
    private final IdentityHashMap<ContextInternal, List<FutureAsk>> byCaller = new IdentityHashMap<>();

    /** The ask's future completes when the burst is over. */
    void add(ContextInternal caller, FutureAsk ended) {
        byCaller.computeIfAbsent(caller, key -> new ArrayList<>()).add(ended);
    }

    /** Gives the callers what there is for them. */
    void flush() {
        if (byCaller.isEmpty()) {
            return;
        }
        byCaller.forEach((caller, ended) -> caller.runOnContext(ignored -> ended.forEach(FutureAsk::completeFuture)));
        byCaller.clear();
    }
}
