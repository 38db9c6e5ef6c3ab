package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.Goodbye;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardHosted;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.core.protocol.ToRegion.StopRecorded;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * A reign whose shard 5 stopped under the one before, of which it hears now: who has the states is said to the next
 * home.
 */
class FormerHomesTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final NodeId C = new NodeId("c");
    private static final NodeId D = new NodeId("d");
    private static final int LANES = 3;

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 0),
            0,
            0,
            Set.of(A, B, C, D));
    private final Map<NodeId, Long> beats = new HashMap<>();
    private long now;

    /** The token of a life under the reign before. */
    private static FencingToken before(long sequence) {
        return new FencingToken(6, 1, sequence);
    }

    private static FencingToken token(long sequence) {
        return new FencingToken(7, 1, sequence);
    }

    private List<CoordinatorCommand> step(CoordinatorEvent event) {
        return coordinator.step(event, now);
    }

    private List<CoordinatorCommand> from(NodeId node, ToCoordinator message) {
        return step(new CoordinatorEvent.Received(node, message));
    }

    private List<CoordinatorCommand> stopped(NodeId node, FencingToken token, boolean states) {
        return from(node, new ShardStopped(5, token, states));
    }

    @BeforeEach
    void open() {
        for (NodeId node : List.of(A, B, C)) {
            RegionProfile profile = new RegionProfile(node.equals(C), 10, "1", "1", LANES, 1);
            from(node, new Register(1, profile, List.of(), beats.merge(node, 1L, Long::sum)));
        }
        for (now = 100; now <= 1_100; now += 100) {
            step(new CoordinatorEvent.Confirmed(now));
            beat();
        }
    }

    private void beat(ShardReport... ofB) {
        for (NodeId node : List.of(A, B, C)) {
            long number = beats.merge(node, 1L, Long::sum);
            from(node, new Heartbeat(1, number, number - 1, node.equals(B) ? List.of(ofB) : List.of()));
        }
    }

    /** The former home that the new one is told of. */
    private @Nullable ShardHome formerOfNext(NodeId home) {
        for (CoordinatorCommand command : step(new CoordinatorEvent.ShardPlaced(5, home))) {
            if (command instanceof Send send && send.message() instanceof HostShard order) {
                assertEquals(home, send.to());
                return order.former();
            }
        }
        throw new AssertionError("shard 5 was not hosted");
    }

    private static ShardHome former(NodeId home, FencingToken token) {
        return new ShardHome(5, token, token, home, LANES);
    }

    @Test
    @DisplayName("A shard that stopped with states under the reign before is placed unasked, and"
            + " its next home asks for them")
    void hostsWithTheFormerHome() {
        assertEquals(
                List.of(new Send(A, new StopRecorded(5, before(9))), new PlaceShard(5, A)),
                stopped(A, before(9), true));
        assertEquals(former(A, before(9)), formerOfNext(B));
    }

    @Test
    @DisplayName("A region says what it has stopped before it registers: the shard is not given"
            + " away without its former home")
    void knowsWhatStoppedBeforeItGivesAway() {
        assertEquals(List.of(new Send(D, new StopRecorded(5, before(9)))), stopped(D, before(9), true));
        List<CoordinatorCommand> registered =
                from(D, new Register(1, new RegionProfile(false, 10, "1", "1", LANES, 1), List.of(), 1));
        assertTrue(registered.contains(new PlaceShard(5, D)), registered.toString());
        assertEquals(former(D, before(9)), formerOfNext(B));
    }

    @Test
    void whatAnUnregisteredNodeHasSaidGoesWithIt() {
        stopped(D, before(9), true);
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B, C)));
        step(new CoordinatorEvent.ViewChanged(Set.of(A, B, C, D)));
        from(D, new Register(1, new RegionProfile(false, 10, "1", "1", LANES, 1), List.of(), 1));
        assertNull(formerOfNext(B));
    }

    @Test
    void aRepeatedStopChangesNothing() {
        stopped(A, before(9), true);
        assertEquals(List.of(new Send(A, new StopRecorded(5, before(9)))), stopped(A, before(9), true));
        assertEquals(former(A, before(9)), formerOfNext(B));
    }

    @Test
    void withoutStatesNoHomeIsAskedAndNothingPlaced() {
        assertEquals(List.of(new Send(A, new StopRecorded(5, before(9)))), stopped(A, before(9), false));
        assertNull(formerOfNext(B));
    }

    @Test
    void anOlderLifeDoesNotReplaceANewerOne() {
        stopped(A, before(9), true);
        stopped(B, before(8), true);
        stopped(B, before(7), false);
        assertEquals(former(A, before(9)), formerOfNext(B));
    }

    @Test
    void aNewerLifeReplacesAnOlderOne() {
        stopped(A, before(8), true);
        stopped(B, before(9), true);
        assertEquals(former(B, before(9)), formerOfNext(A));
    }

    @Test
    @DisplayName("States are outdated when a newer life has ended without any")
    void aNewerLifeWithoutStatesEndsThem() {
        stopped(A, before(8), true);
        stopped(B, before(9), false);
        assertNull(formerOfNext(B));
    }

    @Test
    @DisplayName("A stop that is heard of when the shard has a home, or has had one since, names no former home")
    void aLaterHomeEndsThem() {
        assertNull(formerOfNext(B));
        assertEquals(List.of(new Send(A, new StopRecorded(5, before(9)))), stopped(A, before(9), true));
        from(B, new ShardHosted(1, 5, token(1), beats.getOrDefault(B, 0L)));
        beat(new ShardReport(5, token(1)));
        from(B, new Goodbye(1));
        stopped(A, before(9), true);
        assertNull(formerOfNext(A));
    }

    @Test
    void aHomeThatIsReportedEndsThem() {
        stopped(A, before(8), true);
        RegionProfile profile = new RegionProfile(false, 10, "1", "1", LANES, 1);
        from(B, new Register(2, profile, List.of(new ShardReport(5, before(9))), beats.merge(B, 1L, Long::sum)));
        stopped(B, before(9), false);
        assertNull(formerOfNext(A));
    }

    @Test
    @DisplayName("States are for the next home, and not for the one after it")
    void onlyTheNextHomeAsks() {
        stopped(A, before(9), true);
        assertEquals(former(A, before(9)), formerOfNext(B));
        from(B, new Goodbye(1));
        stopped(A, before(9), true);
        assertNull(formerOfNext(A));
    }

    @Test
    @DisplayName("Who has left the cluster is not asked; who has only said goodbye still is there")
    void whoHasLeftIsNotAsked() {
        stopped(A, before(9), true);
        from(A, new Goodbye(1));
        assertEquals(former(A, before(9)), formerOfNext(B));
        from(B, new ShardStopped(5, token(1), true));
        step(new CoordinatorEvent.ViewChanged(Set.of(A, C)));
        RegionProfile profile = new RegionProfile(false, 10, "1", "1", LANES, 1);
        from(A, new Register(2, profile, List.of(), beats.merge(A, 1L, Long::sum)));
        long number = beats.merge(A, 1L, Long::sum);
        from(A, new Heartbeat(2, number, number - 1, List.of()));
        assertNull(formerOfNext(A));
    }

    @Test
    void whoCannotHaveHadTheShardIsNotBelieved() {
        stopped(C, before(9), true);
        assertNull(formerOfNext(B));
        assertTrue(from(A, new ShardStopped(10, before(9), true)).stream().noneMatch(PlaceShard.class::isInstance));
        assertTrue(from(A, new ShardStopped(-1, before(9), true)).stream().noneMatch(PlaceShard.class::isInstance));
    }
}
