package io.shardbus.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.core.coordinator.CoordinatorCommand.Refuse;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ToCoordinator.Register;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.core.protocol.ToRegion.StopRecorded;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A coordinator that receives forged messages")
class ForgedMessagesTest extends CoordinatorFixture {
    private static final NodeId STRANGER = new NodeId("x");

    private static long refused(List<CoordinatorCommand> commands) {
        return commands.stream().filter(Refuse.class::isInstance).count();
    }

    private static RegionProfile ofShards(int numberOfShards) {
        return new RegionProfile(false, numberOfShards, "1", "1", 1, 1);
    }

    @Test
    @DisplayName("refuses and counts a stopped shard beyond those that its type has")
    void refusesAStopOfAShardThatDoesNotExist() {
        open(A);
        List<CoordinatorCommand> commands = from(B, new ShardStopped(10, token(1)));
        assertEquals(List.of(), to(B, commands), "of 10 shards");
        assertEquals(1, refused(commands));
        ToRegion recorded = new StopRecorded(9, token(1));
        assertEquals(List.of(recorded), to(B, from(B, new ShardStopped(9, token(1)))), "the last one");
    }

    @Test
    @DisplayName("believes a stop of a shard beyond those of a newcomer that spoke first")
    void believesAStopBeforeTheProfileIsSettled() {
        from(A, new Register(1, ofShards(4), List.of(), 1));
        List<CoordinatorCommand> commands = from(B, new ShardStopped(9, token(1)));
        assertEquals(0, refused(commands));
        assertEquals(List.of(new StopRecorded(9, token(1))), to(B, commands));
    }

    @Test
    @DisplayName("refuses and counts a stopped shard that no type has, before a region has registered")
    void refusesAStopOfAnImpossibleShard() {
        List<CoordinatorCommand> commands = from(A, new ShardStopped(Integer.MAX_VALUE, token(1)));
        assertEquals(List.of(), to(A, commands));
        assertEquals(1, refused(commands));
    }

    @Test
    @DisplayName("refuses and counts a stopped shard under a token of a later term")
    void refusesAStopUnderATokenOfALaterTerm() {
        open(A);
        List<CoordinatorCommand> commands = from(A, new ShardStopped(3, new FencingToken(8, 1, 1)));
        assertEquals(List.of(), to(A, commands));
        assertEquals(1, refused(commands));
    }

    @Test
    @DisplayName("keeps nothing of a node that is no member, and answers nothing, so that a member to be repeats it")
    void keepsNoStopOfANodeThatIsNoMember() {
        for (int shard = 0; shard < RegionProfile.MOST_SHARDS; shard++) {
            assertEquals(List.of(), from(STRANGER, new ShardStopped(shard, token(1))));
        }
        List<CoordinatorCommand> commands = from(A, new ShardStopped(1, token(1)));
        assertEquals(0, refused(commands), "there is room for what members report");
        assertEquals(List.of(new StopRecorded(1, token(1))), to(A, commands));
    }

    @Test
    @DisplayName("keeps a bounded number of stops for regions that have not registered, and counts the others")
    void keepsABoundedNumberOfStops() {
        int kept = 0;
        for (NodeId node : List.of(A, B, C)) {
            for (int shard = 0; shard < RegionProfile.MOST_SHARDS; shard++) {
                kept += to(node, from(node, new ShardStopped(shard, token(1)))).size();
            }
        }
        assertEquals(RegionProfile.MOST_SHARDS, kept, "in place of three times as many");
        List<CoordinatorCommand> repeated = from(A, new ShardStopped(0, token(1)));
        assertEquals(0, refused(repeated), "one that is kept may be repeated");
        assertEquals(1, refused(from(C, new ShardStopped(0, token(1)))));
    }

    @Test
    @DisplayName("refuses and counts a region with a number of shards that no type can have")
    void refusesARegionWithAnImpossibleNumberOfShards() {
        for (int number : new int[] {0, -1, RegionProfile.MOST_SHARDS + 1, Integer.MAX_VALUE}) {
            List<CoordinatorCommand> commands = from(A, new Register(1, ofShards(number), List.of(), 1));
            assertEquals(List.of(), to(A, commands), number + " shards");
            assertEquals(1, refused(commands), number + " shards");
        }
        assertTrue(!to(A, from(A, new Register(1, ofShards(RegionProfile.MOST_SHARDS), List.of(), 1)))
                .isEmpty());
    }
}
