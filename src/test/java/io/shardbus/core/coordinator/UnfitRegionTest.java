package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.Report;
import io.shardbus.core.coordinator.CoordinatorCommand.Send;
import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.SharedStore;
import io.shardbus.model.TermId;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnfitRegionTest {
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final RegionProfile CLUSTERS =
            profile(10, "1", "keep-majority", 8000, "replicated").storedIn(new SharedStore("1", "file a"));

    private final Coordinator coordinator = new Coordinator(
            new TermId(7, 1),
            new CoordinatorSettings(new LeaseTimes(1_000, 300, true), 2_000, 400, 0),
            0,
            0,
            Set.of(A, B));

    @BeforeEach
    void registerOne() {
        hear(A, new Register(1, CLUSTERS, List.of(), 1, true, List.of()));
    }

    private List<CoordinatorCommand> register(NodeId node, RegionProfile profile) {
        return hear(node, new Register(1, profile, List.of(), 1));
    }

    private List<CoordinatorCommand> hear(NodeId node, ToCoordinator message) {
        return coordinator.step(new CoordinatorEvent.Received(node, message), 0);
    }

    private static RegionProfile profile(int shards, String extractor, String splitBrain, long lease, String store) {
        return profile(shards, extractor, splitBrain, lease, store, "backend");
    }

    private static RegionProfile profile(
            int shards, String extractor, String splitBrain, long lease, String store, @Nullable String role) {
        var safety = new RegionProfile.Safety(splitBrain, lease);
        var memory = new RegionProfile.Memory(false, store);
        return new RegionProfile(false, shards, extractor, "1", 1, 1, safety, memory, role, null);
    }

    static Stream<Arguments> unfit() {
        return Stream.of(
                Arguments.of(
                        profile(20, "1", "keep-majority", 8000, "replicated"),
                        "numberOfShards is 20 here and 10 in the cluster"),
                Arguments.of(
                        profile(10, "2", "keep-majority", 8000, "replicated"),
                        "extractor's version is '2' here and '1' in the cluster"),
                Arguments.of(
                        profile(10, "1", "keep-majority", 8000, "replicated", "front"),
                        "the role is 'front' here and 'backend' in the cluster"),
                Arguments.of(
                        profile(10, "1", "keep-majority", 8000, "replicated", ""),
                        "the role is none here and 'backend' in the cluster"),
                Arguments.of(
                        profile(10, "1", "down-all", 8000, "replicated"),
                        "splitBrain is 'down-all' here and 'keep-majority' in the cluster"),
                Arguments.of(
                        profile(10, "1", "keep-majority", 4000, "replicated"),
                        "leaseDurationMs is 4000 here and 8000 in the cluster"),
                Arguments.of(
                        profile(10, "1", "keep-majority", 8000, "durable"),
                        "stateStoreMode is 'durable' here and 'replicated' in the cluster"),
                Arguments.of(
                        CLUSTERS.storedIn(new SharedStore("2", "file b")),
                        "stored in file b (id 2) here and in file a (id 1) in the cluster"));
    }

    @ParameterizedTest
    @MethodSource("unfit")
    @DisplayName("CONF-01 a region that does not fit the others is refused, with both values in the reason")
    void refuses(RegionProfile other, String why) {
        var commands = register(B, other);
        assertEquals(2, commands.size(), commands::toString);
        var refused = assertInstanceOf(
                ToRegion.Refused.class,
                assertInstanceOf(Send.class, commands.get(0)).message());
        assertTrue(refused.reason().contains(why), refused::reason);
        assertInstanceOf(Report.class, commands.get(1));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "backend")
    void takesOneThatFitsAndOneThatDoesNotSayItsRole(@Nullable String role) {
        assertTaken(register(B, profile(10, "1", "keep-majority", 8000, "replicated", role)));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"file a", "file a by another name"})
    void takesOneWithTheSameStoreAndOneThatDoesNotSayIt(@Nullable String name) {
        assertTaken(register(B, CLUSTERS.storedIn(name == null ? null : new SharedStore("1", name))));
    }

    @Test
    void comparesTheStoreThatALaterRegionSaysFirst() {
        var unsaid = new UnfitRegionTest();
        unsaid.hear(A, new Register(1, CLUSTERS.storedIn(null), List.of(), 1, true, List.of()));
        unsaid.assertTaken(unsaid.register(B, CLUSTERS));
        var commands = unsaid.register(B, CLUSTERS.storedIn(new SharedStore("2", "file b")));
        assertInstanceOf(
                ToRegion.Refused.class,
                assertInstanceOf(Send.class, commands.get(0)).message());
    }

    private static List<CoordinatorCommand> exceeding(List<CoordinatorCommand> commands) {
        return commands.stream()
                .filter(CoordinatorCommand.ExceedTerm.class::isInstance)
                .toList();
    }

    @Test
    void wantsATermAboveThatOfARegionsStoreWhileNoShardHasAHome() {
        var same = CLUSTERS.storedIn(new SharedStore("1", "file a", 7));
        assertEquals(List.of(), exceeding(register(B, same)));
        var ahead = new Register(2, CLUSTERS.storedIn(new SharedStore("1", "file a", 8)), List.of(), 2);
        assertEquals(List.of(new CoordinatorCommand.ExceedTerm(8, "file a")), exceeding(hear(B, ahead)));
        var token = new FencingToken(7, 1, 1);
        hear(A, new Register(2, CLUSTERS, List.of(new ShardReport(3, token)), 2));
        var again = new Register(3, ahead.profile(), List.of(), 3);
        assertEquals(List.of(), exceeding(hear(B, again)), "another cluster writes to the store");
    }

    private void assertTaken(List<CoordinatorCommand> commands) {
        assertTrue(
                commands.stream()
                        .anyMatch(command ->
                                command instanceof Send send && send.message() instanceof ToRegion.Registered),
                commands::toString);
    }
}
