package io.shardbus.core.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("External leases")
class ExternalLeasesTest {
    private static final int SHARD = 7;
    private static final long PAUSE = 500;
    private static final LeaseCommand ACQUIRE = new LeaseCommand.Acquire(SHARD);
    private static final LeaseCommand RELEASE = new LeaseCommand.Release(SHARD);
    private static final LeaseCommand HELD = new LeaseCommand.Held(SHARD);
    private static final LeaseCommand LOST = new LeaseCommand.Lost(SHARD);
    private static final LeaseCommand ENDED = new LeaseCommand.Ended(SHARD);
    private static final LeaseCommand CLOSED = new LeaseCommand.Closed();

    private final ExternalLeases leases = new ExternalLeases(PAUSE);

    private static LeaseCommand later(String reason) {
        return new LeaseCommand.RetryLater(SHARD, PAUSE, reason);
    }

    /** The shard runs under its lease. */
    private void hold() {
        leases.want(SHARD);
        leases.acquired(SHARD, true);
        leases.heldTold(SHARD);
    }

    @Test
    @DisplayName("are requested when a shard wants them, and told when they are held")
    void acquired() {
        assertEquals(List.of(ACQUIRE), leases.want(SHARD));
        assertEquals(List.of(HELD), leases.acquired(SHARD, true));
        assertEquals(List.of(), leases.heldTold(SHARD));
    }

    @Test
    @DisplayName("are requested once while a request is under way")
    void oneRequest() {
        leases.want(SHARD);
        assertEquals(List.of(), leases.want(SHARD));
        assertEquals(List.of(), leases.retryDue(SHARD));
    }

    @Test
    @DisplayName("that another owner holds are requested again after a pause")
    void refused() {
        leases.want(SHARD);
        assertEquals(List.of(later("another owner holds it")), leases.acquired(SHARD, false));
        assertEquals(List.of(ACQUIRE), leases.retryDue(SHARD));
    }

    @Test
    @DisplayName("that another owner holds are not requested again when the shard does not want them any more")
    void refusedAndCancelled() {
        leases.want(SHARD);
        leases.acquired(SHARD, false);
        assertEquals(List.of(), leases.cancel(SHARD));
        assertEquals(List.of(), leases.retryDue(SHARD));
    }

    @Test
    @DisplayName("are released when they come after the shard has given them up")
    void cancelledTooEarly() {
        leases.want(SHARD);
        assertEquals(List.of(), leases.cancel(SHARD));
        assertEquals(List.of(RELEASE), leases.acquired(SHARD, true));
    }

    @Test
    @DisplayName("are released when the region does not start the shard for which they are held")
    void heldInVain() {
        leases.want(SHARD);
        leases.acquired(SHARD, true);
        assertEquals(List.of(RELEASE), leases.cancel(SHARD));
        leases.heldTold(SHARD);
        assertEquals(List.of(), leases.released(SHARD, true));
    }

    @Test
    @DisplayName("are released before the end of the shard is told")
    void releasedAtTheEnd() {
        hold();
        assertEquals(List.of(RELEASE), leases.ended(SHARD));
        assertEquals(List.of(ENDED), leases.released(SHARD, true));
    }

    @Test
    @DisplayName("that cannot be released do not keep the end of the shard from being told")
    void releaseFails() {
        hold();
        leases.ended(SHARD);
        assertEquals(List.of(ENDED), leases.released(SHARD, false));
    }

    @Test
    @DisplayName("that could not be released are released again at the next end")
    void releasedAgain() {
        hold();
        leases.ended(SHARD);
        leases.released(SHARD, false);
        assertEquals(List.of(RELEASE), leases.ended(SHARD));
        assertEquals(List.of(ENDED), leases.released(SHARD, true));
        assertEquals(List.of(ENDED), leases.ended(SHARD));
    }

    @Test
    @DisplayName("that are being released delay an end that comes meanwhile")
    void endDuringTheRelease() {
        leases.want(SHARD);
        leases.cancel(SHARD);
        leases.acquired(SHARD, true);
        assertEquals(List.of(), leases.ended(SHARD));
        assertEquals(List.of(ENDED), leases.released(SHARD, true));
    }

    @Test
    @DisplayName("of shards that never wanted one delay no end")
    void neverWanted() {
        assertEquals(List.of(ENDED), leases.ended(SHARD));
    }

    @Test
    @DisplayName("are kept while a shard still ends, though its next life gives up its wait")
    void laterLifeGivesUp() {
        hold();
        leases.want(SHARD);
        assertEquals(List.of(), leases.cancel(SHARD));
        assertEquals(List.of(RELEASE), leases.ended(SHARD));
    }

    @Test
    @DisplayName("that the next life of a shard wants are requested after the release")
    void wantedDuringTheRelease() {
        hold();
        leases.ended(SHARD);
        assertEquals(List.of(), leases.want(SHARD));
        assertEquals(List.of(ENDED, ACQUIRE), leases.released(SHARD, true));
    }

    @Test
    @DisplayName("that are lost are told with their reason, and released when the shard has ended")
    void lost() {
        assertEquals("", leases.loss(SHARD));
        hold();
        assertEquals(List.of(LOST), leases.lost(SHARD, "expired"));
        assertEquals("expired", leases.loss(SHARD));
        assertEquals(List.of(RELEASE), leases.ended(SHARD));
    }

    @Test
    @DisplayName("that are lost before the answer count as not obtained")
    void lostEarly() {
        leases.want(SHARD);
        assertEquals(List.of(), leases.lost(SHARD, "expired"));
        assertEquals(List.of(later("expired")), leases.acquired(SHARD, true));
        assertEquals(List.of(ACQUIRE), leases.retryDue(SHARD));
        assertEquals(List.of(HELD), leases.acquired(SHARD, true));
    }

    @Test
    @DisplayName("that are lost while they are released, or are not held, tell nothing")
    void lostTooLate() {
        hold();
        leases.ended(SHARD);
        assertEquals(List.of(), leases.lost(SHARD, "expired"));
        leases.released(SHARD, true);
        assertEquals(List.of(), leases.lost(SHARD, "expired"));
        assertEquals(List.of(), leases.lost(SHARD + 1, "expired"));
    }

    @Test
    @DisplayName("are released after a failed request that may have obtained them")
    void doubtful() {
        leases.want(SHARD);
        assertEquals(List.of(later("timeout")), leases.acquireFailed(SHARD, "timeout"));
        assertEquals(List.of(RELEASE), leases.cancel(SHARD));
        leases.released(SHARD, true);
        assertEquals(List.of(ENDED), leases.ended(SHARD));
    }

    @Test
    @DisplayName("are all released when the region ends, which is told after the last")
    void closed() {
        hold();
        leases.want(SHARD + 1);
        assertEquals(List.of(RELEASE), leases.close());
        assertEquals(List.of(), leases.released(SHARD, true));
        assertEquals(List.of(new LeaseCommand.Release(SHARD + 1)), leases.acquired(SHARD + 1, true));
        assertEquals(List.of(CLOSED), leases.released(SHARD + 1, false));
    }

    @Test
    @DisplayName("of a region that has none do not delay its end")
    void closedWithNone() {
        assertEquals(List.of(CLOSED), leases.close());
    }
}
