package io.shardbus.core.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.LeaseGranted;
import io.shardbus.core.protocol.ToRegion.RegisterAgain;
import io.shardbus.core.protocol.ToRegion.Registered;
import io.shardbus.core.region.RegionCommand.HostShard;
import io.shardbus.core.region.RegionCommand.Send;
import io.shardbus.core.region.RegionCommand.StopAll;
import io.shardbus.core.region.RegionCommand.StopShard;
import io.shardbus.core.region.RegionCommand.WantLease;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A region whose shards need an outside lease. */
class RegionLeaseTest {
    private static final TermId TERM = new TermId(7, 1);
    private static final FencingToken T1 = new FencingToken(7, 1, 1);
    private static final FencingToken T2 = new FencingToken(7, 1, 2);

    private final Region region =
            new Region(new RegionProfile(false, 10, "1", "1", 1, 1), new LeaseTimes(1_000, 300, true), 400, 0);

    private List<RegionCommand> hear(ToRegion message, long now) {
        return region.received(TERM, message, now);
    }

    private List<RegionCommand> order(FencingToken token) {
        return hear(new ToRegion.HostShard(1, 5, token), 20);
    }

    @BeforeEach
    void register() {
        region.requireLeases();
        region.termSeen(TERM, 0);
        hear(new Registered(1, Set.of()), 10);
        hear(new LeaseGranted(1, 1, 1_000), 10);
        hear(new LeaseGranted(1, 2, 990), 10);
    }

    @Test
    void saysThatItHostsOnceTheLeaseIsHeld() {
        assertEquals(List.of(new WantLease(5, true)), order(T1));
        assertEquals(List.of(), order(T1), "the lease is wanted already");
        assertEquals(Map.of(), region.hosted());
        assertEquals(
                List.of(new HostShard(5, T1), new Send(new ShardHosted(1, 5, T1, 2))),
                region.leaseChanged(5, true, 30));
        assertEquals(Map.of(5, T1), region.hosted());
    }

    @Test
    void hostsUnderTheLastOrder() {
        order(T1);
        order(T2);
        assertEquals(new HostShard(5, T2), region.leaseChanged(5, true, 30).get(0));
    }

    @Test
    void givesALeaseBackThatCameTooLate() {
        order(T1);
        hear(new RegisterAgain(1), 30);
        assertEquals(List.of(new WantLease(5, false)), region.leaseChanged(5, true, 40), "the order is of attempt 1");
        assertEquals(Map.of(), region.hosted());
    }

    @Test
    void aLostLeaseStopsTheShardWhichThenNeedsAHomeAgain() {
        order(T1);
        region.leaseChanged(5, true, 30);
        assertEquals(List.of(new StopShard(5, T1)), region.leaseChanged(5, false, 40));
        assertEquals(List.of(), region.leaseChanged(5, false, 41), "it stops already");
        assertEquals(List.of(new Send(new ShardStopped(5, T1))), region.shardStopped(5, T1, false, 50));
        assertEquals(List.of(new WantLease(5, true)), order(T2), "the coordinator gives it here again");
    }

    @Test
    void aRepeatedOrderDoesNotBringBackALifeThatIsOver() {
        order(T1);
        region.leaseChanged(5, true, 30);
        region.leaseChanged(5, false, 40);
        region.shardStopped(5, T1, false, 50);
        assertEquals(List.of(), order(T1), "it came late: under T1 the shard has ended here");
        hear(new ToRegion.StopRecorded(5, T1), 60);
        assertEquals(List.of(new WantLease(5, true)), order(T2));
        region.leaseChanged(5, true, 70);
        assertEquals(Map.of(5, T2), region.hosted());
    }

    @Test
    void aLateOrderDoesNotReplaceTheOneThatWaits() {
        order(T1);
        region.leaseChanged(5, true, 30);
        region.leaseChanged(5, false, 40);
        region.shardStopped(5, T1, false, 50);
        hear(new ToRegion.StopRecorded(5, T1), 60);
        order(T2);
        assertEquals(List.of(), order(T1));
        assertEquals(new HostShard(5, T2), region.leaseChanged(5, true, 70).get(0));
    }

    @Test
    void aLostRegistrationIsAlsoTheEndOfWaiting() {
        order(T1);
        List<RegionCommand> lapse = region.tick(1_000);
        assertTrue(lapse.contains(new WantLease(5, false)));
        assertTrue(lapse.contains(new StopAll(StopReason.LEASE_LOST)));
        assertEquals(List.of(new WantLease(5, false)), region.leaseChanged(5, true, 1_010));
    }

    @Test
    void aRegionThatLeavesGivesBackWhatWaits() {
        order(T1);
        List<RegionCommand> leave = region.leaveRequested(30);
        assertTrue(leave.contains(new WantLease(5, false)));
        assertTrue(leave.contains(new Send(new ShardStopped(5, T1))));
        assertEquals(List.of(), order(T1), "and takes no more");
    }
}
