package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.PlaceShard;
import io.shardbus.core.coordinator.CoordinatorCommand.ReadRememberedShards;
import io.shardbus.core.coordinator.CoordinatorEvent.RememberedShardsRead;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator.Heartbeat;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RememberedShardsTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 0),
            0,
            0,
            Set.of(A, B));
    private final List<CoordinatorCommand> commands = new ArrayList<>();
    private long now;
    private long beats = 1;

    private static RegionProfile profile(boolean remembers) {
        return new RegionProfile(
                false,
                10,
                "1",
                "1",
                1,
                1,
                new RegionProfile.Safety("keep-majority", 8000),
                new RegionProfile.Memory(remembers, "durable"));
    }

    private void step(CoordinatorEvent event) {
        commands.addAll(coordinator.step(event, now));
    }

    private void register(NodeId node, boolean remembers) {
        step(new CoordinatorEvent.Received(node, new Register(1, profile(remembers), List.of(), 1)));
    }

    private void until(long moment) {
        for (; now < moment; now += 10) {
            step(new CoordinatorEvent.Confirmed(now));
            beats++;
            step(new CoordinatorEvent.Received(A, new Heartbeat(1, beats, beats - 1, List.of())));
            step(new CoordinatorEvent.Ticked());
        }
    }

    private long reads() {
        return commands.stream().filter(ReadRememberedShards.class::isInstance).count();
    }

    private List<Integer> placed() {
        return commands.stream()
                .filter(PlaceShard.class::isInstance)
                .map(command -> ((PlaceShard) command).shard())
                .toList();
    }

    @Test
    void placesShardsWithRememberedEntitiesUnasked() {
        register(A, true);
        until(1_100);
        assertEquals(0, reads(), "earlier leases have not run out");
        until(1_200);
        assertEquals(1, reads());
        step(new RememberedShardsRead(Set.of(3, 5)));
        assertEquals(List.of(3, 5), placed().stream().sorted().toList());
    }

    @Test
    @DisplayName("REM-12: which shards have remembered entities is read again when the store did not answer")
    void readsAgain() {
        register(A, true);
        until(1_150);
        step(new RememberedShardsRead(null));
        until(1_190);
        assertEquals(1, reads());
        until(1_220);
        assertEquals(2, reads());
        step(new RememberedShardsRead(null));
        until(1_300);
        assertEquals(2, reads(), "the pause doubles");
        until(1_350);
        assertEquals(3, reads());
        step(new RememberedShardsRead(Set.of(1)));
        assertEquals(List.of(1), placed());
        until(3_000);
        assertEquals(3, reads());
    }

    @Test
    @DisplayName("what was read before the whole cluster was to stop places nothing, and is read again if it goes on")
    void placesNothingWhileAllStops() {
        register(A, true);
        until(1_200);
        assertEquals(1, reads());
        step(new CoordinatorEvent.ShutdownPrepared(true));
        step(new RememberedShardsRead(Set.of(3)));
        until(1_300);
        assertEquals(List.of(), placed());
        assertEquals(1, reads());
        step(new CoordinatorEvent.ShutdownPrepared(false));
        assertEquals(2, reads());
        step(new RememberedShardsRead(Set.of(3)));
        assertEquals(List.of(3), placed());
    }

    @Test
    @DisplayName("they are read again when the coordinator's node starts the type, whose store may be another one")
    void readsTheStoreOfTheDefinition() {
        register(A, true);
        until(1_200);
        step(new RememberedShardsRead(Set.of()));
        until(1_300);
        assertEquals(1, reads());
        step(new CoordinatorEvent.SettingsChanged(
                new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 0)));
        until(1_320);
        assertEquals(2, reads());
        step(new RememberedShardsRead(Set.of(4)));
        assertEquals(List.of(4), placed());
        until(3_000);
        assertEquals(2, reads());
    }

    @Test
    @DisplayName("REM-21: where entities are not remembered, nothing is read and no shard is placed unasked")
    void readsNothingForOtherTypes() {
        register(A, false);
        until(1_500);
        assertEquals(0, reads());
        assertEquals(List.of(), placed());
    }

    @Test
    @DisplayName("Of a time with more shards, those that see to their ids get a home")
    void placesThoseThatSeeToFormerShards() {
        register(A, true);
        until(1_150);
        step(new RememberedShardsRead(Set.of(3, 10, 23)));
        assertEquals(List.of(0, 3), placed().stream().sorted().toList());
        assertTrue(commands.stream().anyMatch(CoordinatorCommand.Report.class::isInstance));
    }

    @Test
    @DisplayName("CONF-01: a region that remembers otherwise than the others is refused with a hint")
    void refusesARegionThatRemembersOtherwise() {
        register(A, true);
        until(1_150);
        commands.clear();
        register(B, false);
        CoordinatorCommand.Send send = (CoordinatorCommand.Send) commands.get(0);
        ToRegion.Refused refused = (ToRegion.Refused) send.message();
        assertTrue(
                refused.reason().contains("rememberEntities is false here and true in the cluster"), refused.reason());
    }
}
