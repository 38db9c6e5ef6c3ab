package io.shardbus.integration.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.integration.ReignLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Isolated("others' reigns are logged in the same way")
class ReignLogTest {
    private final Logger elections = LoggerFactory.getLogger("io.shardbus.runtime.control.ElectionRunner");
    private final Logger coordinators = LoggerFactory.getLogger("io.shardbus.runtime.control.CoordinatorCommandRunner");
    private final ReignLog reigns = new ReignLog();

    @AfterEach
    void close() {
        reigns.close();
    }

    private void begin(long term) {
        elections.info("term={}: coordinating", term);
    }

    private void open(long term) {
        coordinators.debug(
                "type={} term={}: shards may be assigned, all leases of earlier terms have expired", "counter", term);
    }

    private void end(long term) {
        elections.info("term={}: no longer coordinating: {}", term, "this node leaves");
    }

    @Test
    void aClaimMayComeBeforeTheEndOfTheReignBeforeIt() {
        begin(7);
        open(7);
        begin(8);
        open(7);
        end(7);
        open(8);
        assertEquals(List.of(), reigns.openedTooEarly());
        assertEquals(List.of("term 8 began while term 7 went on"), reigns.overlaps());
    }

    @Test
    void itGivesNoShardsAwayBeforeThatEnd() {
        begin(7);
        begin(8);
        open(8);
        end(7);
        assertEquals(List.of("term 8 gave shards away while [7, 8] went on, after [8]"), reigns.openedTooEarly());
    }

    @Test
    void anEarlierReignGivesNoShardsAwayAfterALaterOne() {
        begin(7);
        end(7);
        begin(8);
        open(8);
        open(7);
        assertEquals(List.of("term 7 gave shards away while [8] went on, after [7, 8]"), reigns.openedTooEarly());
    }
}
