package io.shardbus.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.core.allocation.FixedSnapshot;
import io.shardbus.core.allocation.VirtualNodeRing;
import io.shardbus.integration.Await;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import io.shardbus.options.ShardingOptions;
import io.shardbus.store.DesiredHomesStore;
import io.shardbus.store.StandingOrdersStore;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of the options mean for each strategy what the reference says. */
class AllocationRulesTest {
    private static final int SHARDS = 64;
    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");

    @ParameterizedTest(name = "{0}: absolute {1}, relative {2}, at once {3}, in handoff {4} -> {5} shards")
    @CsvSource({
        "least-shards, 5, 1.0, 1, 0, 5",
        "least-shards, 50, 0.25, 1, 0, 16",
        "least-shards, 50, 1.0, 1, 0, 32",
        "slice-ranges, 5, 1.0, 1, 0, 5",
        "slice-ranges, 50, 0.25, 1, 0, 16",
        "slice-ranges, 50, 1.0, 1, 0, 31",
        "least-shards-threshold, 1, 0.01, 5, 0, 5",
        "least-shards-threshold, 1, 0.01, 5, 3, 2",
        "least-shards-threshold, 1, 0.01, 5, 5, 0",
    })
    @DisplayName("a round moves as many shards as the limits of its strategy allow")
    void limits(String strategy, int absolute, double relative, int atOnce, int inHandoff, int moved) {
        ShardingOptions options = options(absolute, relative, atOnce);
        assertEquals(moved, round(strategy, options, inHandoff).size());
    }

    @Test
    @DisplayName(
            "consistent hashing: a round moves as many shards as the absolute limit allows, and no other limit counts")
    void limitOfConsistentHashing() {
        int astray = (int) IntStream.range(0, SHARDS)
                .filter(shard ->
                        new VirtualNodeRing().among(Set.of(A, B)).apply(shard).equals(B))
                .count();
        assertEquals(3, round("consistent-hashing", options(3, 0.01, 1), 0).size());
        assertEquals(
                astray, round("consistent-hashing", options(64, 0.01, 1), 0).size());
    }

    @Test
    @DisplayName("the reference names the strategies of each limit")
    void theReferenceSaysSo() throws IOException {
        String reference = Files.readString(Path.of("docs", "reference", "options.md"));
        assertEquals(1, count(reference, "Least-shards, consistent-hashing and slice-ranges: shards of one round"));
        assertEquals(1, count(reference, "Least-shards and slice-ranges: share of a type's shards"));
        assertEquals(1, count(reference, "Least-shards-threshold: shards in handoff at once"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.String", "no.such.Strategy"})
    void refusesAClassThatIsNoStrategy(String name) {
        var vertx = Vertx.vertx();
        try {
            var options = new ShardingOptions().setAllocationStrategy(name);
            options.validate();
            var refused = assertThrows(
                    IllegalArgumentException.class,
                    () -> AllocationSources.of(
                            options, vertx, DesiredHomesStore.inMemory(), StandingOrdersStore.inMemory()));
            assertEquals(true, refused.getMessage().contains("allocationStrategy"), refused.getMessage());
        } finally {
            Await.result(vertx.close());
        }
    }

    private static int count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }

    private static ShardingOptions options(int absolute, double relative, int atOnce) {
        return new ShardingOptions()
                .setRebalanceAbsoluteLimit(absolute)
                .setRebalanceRelativeLimit(relative)
                .setRebalanceThreshold(10)
                .setMaxSimultaneousRebalance(atOnce);
    }

    private static Set<Integer> round(String strategy, ShardingOptions options, int inHandoff) {
        Set<Integer> shards = IntStream.range(0, SHARDS).boxed().collect(Collectors.toSet());
        FixedSnapshot snapshot = FixedSnapshot.builder()
                .region(RegionInfo.up(A, "1"), shards)
                .region(RegionInfo.up(B, "1"), Set.of())
                .inHandoff(IntStream.range(0, inHandoff).boxed().collect(Collectors.toSet()))
                .build();
        return AllocationRules.rule(strategy, () -> SHARDS, options).get().rebalance(snapshot);
    }
}
