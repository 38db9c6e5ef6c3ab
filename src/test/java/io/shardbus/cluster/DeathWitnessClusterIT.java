package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Processes are killed where a refused connection counts as proof; seen from a node that hosts nothing. */
@Tag("slow")
class DeathWitnessClusterIT {
    private static final ShardingOptions OPTIONS = new ShardingOptions()
            .setDeathWitness("refused-connection")
            .setLanes(2)
            .setRebalanceIntervalMs(500);

    /** A lease and a margin are 8.8 s: a node that waited for them is far beyond this, on a loaded machine too. */
    private static final long LONGEST_SILENCE = 5_000;

    private final Processes processes = new Processes();
    private TestCluster here;

    @AfterEach
    void close() {
        try (processes) {
            if (here != null) {
                here.close();
            }
        }
    }

    private List<Processes.Host> start(int count) {
        List<Processes.Host> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(processes.start(1, OPTIONS));
            hosts.get(i).nodes();
        }
        here = processes.join();
        TestCluster.Node observer = here.startNode(new ShardingOptions(OPTIONS).setCoordinator(false));
        await(observer.sharding().start(Counter.definition().withRole(Processes.HOSTING)));
        here.untilMembers(count + 1);
        return hosts;
    }

    private TestCluster.Node observer() {
        return here.node(0);
    }

    private Traffic evenly() {
        Traffic.start(observer(), CounterMessage.COUNTER, Traffic.hundred("e")).stop();
        until("the shares are even", () -> {
            TypeState state = await(observer().sharding().typeState("counter"));
            LongSummaryStatistics shares = state.regions().stream()
                    .filter(region -> !region.proxy())
                    .mapToLong(TypeState.Region::shards)
                    .summaryStatistics();
            return state.handoffs().isEmpty() && shares.getMax() - shares.getMin() <= 1;
        });
        return Traffic.start(observer(), CounterMessage.COUNTER, Traffic.hundred("e"));
    }

    private void kill(String who, Processes.Host host, int left) {
        Traffic traffic = evenly();
        NodeId dead = host.node();
        host.crash();
        long start = System.nanoTime();
        here.untilMembers(left);
        long seen = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        Traffic.Report report = traffic.untilAllAnswer().report();
        traffic.stop();
        Traffic.Report own = report.only(story -> story.first().node().equals(dead.value()));
        Traffic.Report others = report.only(story -> !story.first().node().equals(dead.value()));
        System.out.println("witness: " + who + " killed, out of the view after " + seen + " ms, its own: " + own);
        System.out.println("witness: " + who + " killed, entities elsewhere: " + others);
        assertTrue(own.stories().stream().allMatch(Traffic.Story::moved), "new instances");
        assertTrue(own.silence(1) < LONGEST_SILENCE, own::toString);
        assertTrue(others.silence(1) < 1000, others::toString);
        assertEquals(List.of(), others.only(Traffic.Story::moved).stories(), "the very same instances as before");
    }

    @Test
    @DisplayName("FAIL-01 FAIL-02 where a refused connection counts as proof, the shards of a killed node"
            + " do not wait for its lease,"
            + " the coordinator's neither")
    void killedNodesFreeTheirShardsAtOnce() {
        List<Processes.Host> hosts = start(3);
        kill("a node", hosts.get(2), 3);
        assertEquals(hosts.get(0).node(), here.coordinator());
        kill("the coordinator", hosts.get(0), 2);
        assertEquals(hosts.get(1).node(), here.coordinator());
    }
}
