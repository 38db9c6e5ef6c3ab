package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.coordinator.CoordinatorCommand.Report;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.GetShardHomes;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.LeaseGranted;
import io.shardbus.core.protocol.ToRegion.Refused;
import io.shardbus.core.protocol.ToRegion.RegisterAgain;
import io.shardbus.core.protocol.ToRegion.Registered;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a new reign learns from regions of the reigns before: which profile is the cluster's, and that the minimum was
 * there.
 */
class FoundedTypeTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final RegionProfile CLUSTERS = profile(100);
    private static final RegionProfile NEWCOMERS = profile(50);
    private static final List<ShardReport> SHARD = List.of(new ShardReport(3, new FencingToken(6, 1, 1)));
    private static final long OPEN = 1_100;

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 0),
            0,
            0,
            Set.of(A, B, C));
    private long now;

    /** Two hosting regions are wanted. */
    private static RegionProfile profile(int shards) {
        return new RegionProfile(false, shards, "1", "1", 1, 2);
    }

    private List<CoordinatorCommand> hear(NodeId node, ToCoordinator message) {
        return coordinator.step(new CoordinatorEvent.Received(node, message), now);
    }

    private List<CoordinatorCommand> register(NodeId node, RegionProfile profile, boolean founded) {
        return hear(node, new Register(1, profile, List.of(), 1, founded, List.of()));
    }

    private static List<ToRegion> to(NodeId node, List<CoordinatorCommand> commands) {
        List<ToRegion> messages = new ArrayList<>();
        for (CoordinatorCommand command : commands) {
            if (command instanceof Send send && send.to().equals(node)) {
                messages.add(send.message());
            }
        }
        return messages;
    }

    /** Passes the time until the reign is open, with heartbeats of these; what was commanded meanwhile. */
    private List<CoordinatorCommand> open(NodeId... nodes) {
        List<CoordinatorCommand> commands = new ArrayList<>();
        for (long beat = 2; now <= OPEN; beat++) {
            now += 100;
            commands.addAll(coordinator.step(new CoordinatorEvent.Confirmed(now), now));
            for (NodeId node : nodes) {
                commands.addAll(hear(node, new Heartbeat(1, beat, beat - 1, List.of())));
            }
        }
        return commands;
    }

    @Test
    @DisplayName(
            "a newcomer that registers first in a reign does not define the profile: the region that runs shards does")
    void aRegionWithShardsWins() {
        register(B, NEWCOMERS, false);
        List<CoordinatorCommand> answers = hear(A, new Register(9, CLUSTERS, SHARD, 1));
        assertEquals(new Registered(9, Set.of(3)), to(A, answers).get(0));
        assertEquals(List.of(new RegisterAgain(1)), to(B, answers));
        ToRegion refused =
                to(B, hear(B, new Register(2, NEWCOMERS, List.of(), 2))).get(0);
        assertTrue(assertInstanceOf(Refused.class, refused).reason().contains("50 here and 100 in the cluster"));
    }

    @Test
    void aRegionOfAFoundedTypeWinsWithoutShardsToo() {
        register(B, NEWCOMERS, false);
        assertInstanceOf(Registered.class, to(A, register(A, CLUSTERS, true)).get(0));
    }

    @Test
    void noNodeIsRefusedWhileTheProfileIsANewcomers() {
        register(B, NEWCOMERS, false);
        assertEquals(List.of(), register(C, CLUSTERS, false), "C may be right: it repeats its registration");
        register(A, CLUSTERS, true);
        assertInstanceOf(Registered.class, to(C, register(C, CLUSTERS, false)).get(0));
    }

    @Test
    void onceNoEarlierLeaseLastsTheFirstDecides() {
        register(B, NEWCOMERS, false);
        open(B);
        assertInstanceOf(Refused.class, to(A, register(A, CLUSTERS, false)).get(0));
    }

    @Test
    void ofTwoThatWereFoundedApartTheFirstStays() {
        register(A, CLUSTERS, true);
        assertInstanceOf(Refused.class, to(B, register(B, NEWCOMERS, true)).get(0));
    }

    private List<CoordinatorCommand> wants() {
        return hear(A, new GetShardHomes(1, List.of(5)));
    }

    @Test
    @DisplayName("the minimum of hosting regions was there in a reign before: one of them is enough in this")
    void theMinimumIsMetOnce() {
        register(A, CLUSTERS, true);
        open(A);
        assertEquals(0, coordinator.missingMembers());
        assertTrue(wants().contains(new PlaceShard(5, A)));
    }

    @Test
    void aTypeThatWasNeverFoundedWaitsAndSaysSoOnce() {
        register(A, CLUSTERS, false);
        wants();
        List<String> reports = open(A).stream()
                .filter(Report.class::isInstance)
                .map(command -> ((Report) command).text())
                .toList();
        assertEquals(
                List.of("1 of minimumMembers 2 are here: messages wait until 1 more node hosts the type; start it"
                        + " there, or lower its minimum"),
                reports);
        assertEquals(1, coordinator.missingMembers());
    }

    @Test
    void regionsAreToldOnceTheMinimumIsThereAndEarlierLeasesAreOver() {
        register(A, CLUSTERS, false);
        register(B, CLUSTERS, false);
        List<CoordinatorCommand> early = hear(A, new Heartbeat(1, 2, 1, List.of()));
        assertFalse(to(A, early).contains(new LeaseGranted(1, 2, 1_000, true)));
        open(A, B);
        assertEquals(
                new LeaseGranted(1, 99, 1_000, true),
                to(A, hear(A, new Heartbeat(1, 99, 98, List.of()))).get(0));
    }
}
