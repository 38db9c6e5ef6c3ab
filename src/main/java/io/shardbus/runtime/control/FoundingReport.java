package io.shardbus.runtime.control;

import io.shardbus.core.control.Seats;
import io.shardbus.model.NodeId;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports a cluster that waits for its seats, and a node that is configured for other seats. */
final class FoundingReport {
    private static final Logger LOG = LoggerFactory.getLogger(FoundingReport.class);
    /** A cluster whose nodes start together is founded sooner. */
    private static final long FIRST_AFTER = 5_000;

    private static final long PAUSE = 10_000;

    private final LongSupplier clock;
    private volatile @Nullable String misfit;
    private volatile @Nullable String waiting;
    private long waitingSince;
    private long nextWarning;

    FoundingReport(NodeId self, Seats seats, LongSupplier clock) {
        this.clock = clock;
        if (seats.kind() == Seats.Kind.LISTED) {
            LOG.info(
                    "{} holds {} of the cluster's seats {}",
                    self,
                    seats.own().isEmpty() ? "none" : seats.own(),
                    seats.names());
        }
    }

    /** Takes note of how things stand. */
    void look(Optional<String> nowMisfit, Optional<String> nowWaiting) {
        String before = misfit;
        misfit = nowMisfit.orElse(null);
        if (misfit != null && !misfit.equals(before)) {
            LOG.error("this node does not take part in the cluster: {}", misfit);
        }
        note(nowWaiting.orElse(null));
    }

    private void note(@Nullable String text) {
        long now = clock.getAsLong();
        if (text != null && waiting == null) {
            waitingSince = now;
            nextWarning = now + FIRST_AFTER;
        }
        if (text != null && now >= nextWarning) {
            nextWarning = now + PAUSE;
            LOG.warn("{}; since {} s", text, (now - waitingSince) / 1_000);
        }
        waiting = text;
    }

    /** The reason why the regions of this node must not act; null if they may. */
    @Nullable
    String misfit() {
        return misfit;
    }

    /** The present problem, or what the founding waits for, as a text for operators; null if none. Any thread. */
    @Nullable
    String complaint() {
        return misfit != null ? misfit : waiting;
    }
}
