package io.shardbus.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The highest token of the workers that a rescaling stops")
class HighestTokenTest {
    private static final FencingToken LOW = new FencingToken(1, 1, 4);
    private static final FencingToken HIGH = new FencingToken(1, 1, 9);

    private static TypeState state(TypeState.Shard... shards) {
        return new TypeState("workers", 8, List.of(shards), List.of(), List.of(), Set.of(), 0);
    }

    private static TypeState.Shard shard(int number, FencingToken token) {
        return new TypeState.Shard(
                number, new NodeId("a"), token, TypeState.ShardStatus.ACTIVE, null, null, null, null, null, null);
    }

    @Test
    @DisplayName("is that of the shard that was assigned last")
    void highest() {
        assertEquals(
                Optional.of(HIGH),
                ShardedDaemonProcess.highestToken(state(shard(0, LOW), shard(1, HIGH), shard(2, LOW)), 3));
    }

    @Test
    @DisplayName("is not known while the coordinator does not know the home of one of their shards")
    void unknown() {
        Stream.of(state(), state(shard(0, LOW), shard(2, LOW)))
                .forEach(
                        incomplete -> assertEquals(Optional.empty(), ShardedDaemonProcess.highestToken(incomplete, 3)));
    }
}
