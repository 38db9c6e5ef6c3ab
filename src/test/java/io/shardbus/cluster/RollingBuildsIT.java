package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.DirectOptions;
import io.shardbus.options.ShardingOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes of this build and of {@link NextBuild}, or {@link PreviousBuild}, in one cluster, rolled both ways under
 * traffic of both.
 */
@Timeout(300)
@Tag("slow")
class RollingBuildsIT {
    /** Nothing here is about speed. */
    private static final int PATIENCE_MS = 60_000;

    private static final List<String> IDS =
            IntStream.range(0, 20).mapToObj(number -> "here-" + number).toList();

    private final Processes processes = new Processes();
    private final Census census = new Census();
    private TestCluster here;

    @AfterEach
    void close() {
        if (here != null) {
            here.close();
        }
        processes.close();
    }

    private static ShardingOptions options(boolean direct) {
        return TestCluster.options()
                .setNumberOfShards(20)
                .setAskTimeoutMs(PATIENCE_MS)
                .setQueryTimeoutMs(PATIENCE_MS)
                .setDirect(new DirectOptions().setEnabled(direct));
    }

    private TestCluster.Node startHere(boolean direct) {
        var node = here.startNode(options(direct).addRole(Processes.HOSTING));
        await(node.sharding().start(census.definition().withRole(Processes.HOSTING)));
        return node;
    }

    private TypeState state() {
        return await(here.node(0).sharding().typeState(CounterMessage.COUNTER.name()));
    }

    private void untilAtHomeOn(NodeId node) {
        until(
                "shards are at home on " + node,
                () -> state().shards().stream()
                                .filter(shard -> shard.home().equals(node))
                                .count()
                        > 2);
    }

    private static void assertFlawless(Processes.Host host) {
        var report = host.report();
        assertTrue(report.endsWith("; 0 faults []"), report);
    }

    /** What this build counts as not known to it. */
    private long unknownHere() {
        return state().regions().stream()
                .filter(region -> region.node().equals(here.node(0).id()))
                .mapToLong(region -> region.counters().getOrDefault("incompatible", 0L))
                .sum();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("this build joins the next one, takes over, and the next one joins it: planned moves lose nothing")
    void theNextBuildIsRolledBothWays(boolean direct) {
        roll(List.of(NextBuild.classes()), direct, true);
    }

    @Test
    @DisplayName("this build joins the previous one, takes over, and that joins it: planned moves lose nothing")
    void thePreviousBuildIsRolledBothWays() {
        var previous = PreviousBuild.classes();
        assumeTrue(previous.isPresent(), "no history here, or the wire was broken with the last commit");
        roll(previous.get(), false, false);
    }

    private void roll(List<Path> other, boolean direct, boolean saysMore) {
        var first = processes.startBuild(other, options(direct), List.of());
        assertEquals(1, first.nodes().size());
        here = processes.join();
        var node = startHere(direct);
        assertEquals(first.node(), here.coordinator());
        var traffic = Traffic.start(node, CounterMessage.COUNTER, IDS);
        untilAtHomeOn(node.id());
        startHere(direct);
        traffic.untilAllAnswer();
        if (saysMore) {
            until("the first sends what is not known here", () -> unknownHere() > 0);
        }

        assertFlawless(first);
        first.leave();
        assertEquals(0, first.exitCode(60));
        until("this build coordinates", () -> node.id().equals(here.agreedCoordinator()));
        traffic.untilAllAnswer();

        var second = processes.startBuild(other, options(direct), here.peers());
        untilAtHomeOn(second.node());
        traffic.untilAllAnswer();
        assertFlawless(second);
        second.leave();
        assertEquals(0, second.exitCode(60));

        var report = traffic.stop();
        assertEquals(List.of(), report.faults(), Objects.toString(report));
        assertEquals(List.of(), census.faults());
    }
}
