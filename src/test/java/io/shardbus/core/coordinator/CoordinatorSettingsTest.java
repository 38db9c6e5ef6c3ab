package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.model.TermId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The settings of a type's coordinator in one reign. */
class CoordinatorSettingsTest {
    private static final LeaseTimes SPARED = new LeaseTimes(2_000, 250, false);
    private static final TermId FORMER = new TermId(1, 1);

    @Test
    @DisplayName("a coordinator repeats its messages within the margin of a lease, or sooner if it is to")
    void retries() {
        CoordinatorSettings slow = new CoordinatorSettings(SPARED, 3_000, 400, 1_000, 2);
        assertEquals(SPARED.margin(), slow.after(FORMER).retryInterval());
        CoordinatorSettings quick = new CoordinatorSettings(SPARED, 3_000, 100, 1_000, 2);
        assertEquals(100, quick.after(FORMER).retryInterval());
        assertEquals(2, quick.after(FORMER).movesAtOnce());
    }

    @Test
    @DisplayName("only the first term of a cluster may be spared the wait for earlier leases")
    void earlierLeases() {
        CoordinatorSettings settings = new CoordinatorSettings(SPARED, 3_000, 100, 1_000, 2);
        assertFalse(settings.after(TermId.NONE).times().awaitPredecessors());
        assertTrue(settings.after(FORMER).times().awaitPredecessors());
    }
}
