package io.shardbus.cluster;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.ShardHash;
import io.shardbus.model.TypeState;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The coordinator's process freezes and crashes; seen from a node that hosts nothing. */
@Tag("long-fault")
class CoordinatorCrashClusterIT {
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

    /** Three hosts, the first of which coordinates, and a node here that hosts nothing and never coordinates. */
    private List<Processes.Host> start(ShardingOptions options) {
        Processes.Host first = processes.start(1, options);
        first.nodes();
        List<Processes.Host> hosts = List.of(first, processes.start(1, options), processes.start(1, options));
        hosts.forEach(Processes.Host::nodes);
        here = processes.join();
        TestCluster.Node observer = here.startNode(new ShardingOptions(options).setCoordinator(false));
        await(observer.sharding().start(Counter.definition().withRole(Processes.HOSTING)));
        here.untilMembers(4);
        assertEquals(first.node(), here.coordinator());
        return hosts;
    }

    private TestCluster.Node observer() {
        return here.node(0);
    }

    /** Begins the traffic once the hosts have even shares: later moves have other reasons. */
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

    private static long since(long start) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @Test
    @DisplayName("COORD-04 COORD-05 COORD-11 FAIL-01 FAIL-02 the coordinator freezes for three seconds, then is"
            + " killed, with the default"
            + " options: no entity runs twice, others never notice, its own are back")
    void freezesAndCrashesWithDefaults() {
        List<Processes.Host> hosts = start(new ShardingOptions().setRebalanceIntervalMs(500));
        Traffic traffic = evenly();
        freeze(hosts.get(0), traffic);
        crash(hosts, traffic, 15_000);
    }

    @Test
    @DisplayName("the coordinator is killed, with a lease of four seconds")
    void crashesWithAShortLease() {
        List<Processes.Host> hosts =
                start(TestCluster.options().setRebalanceIntervalMs(500).setLeaseDurationMs(4000));
        crash(hosts, evenly(), 10_000);
    }

    private void freeze(Processes.Host coordinator, Traffic traffic) {
        String frozen = coordinator.node().value();
        String unknown = newShard();
        coordinator.freeze();
        long start = System.nanoTime();
        Future<Place> pending = observer().counter(unknown).ask(new Where(), Duration.ofSeconds(20));
        until("three seconds have passed", () -> since(start) > 3000);
        assertFalse(pending.isComplete(), "a new shard waits");
        coordinator.thaw();
        await(pending);
        Traffic.Report report = traffic.untilAllAnswer().report();
        Traffic.Report others = report.only(story -> !story.first().node().equals(frozen));
        System.out.println("coordinator frozen for 3 s, entities elsewhere: " + others);
        System.out.println("coordinator frozen for 3 s, its own: "
                + report.only(story -> story.first().node().equals(frozen)));
        assertTrue(others.silence(1) < 1000, others::toString);
        assertEquals(List.of(), report.faults());
    }

    /** An id in a shard that has no home. */
    private String newShard() {
        Set<Integer> known = await(observer().sharding().typeState("counter")).shards().stream()
                .map(TypeState.Shard::shard)
                .collect(Collectors.toSet());
        return IntStream.range(0, 10_000)
                .mapToObj(i -> "new" + i)
                .filter(id -> !known.contains(ShardHash.shard(id, 100)))
                .findFirst()
                .orElseThrow();
    }

    private void crash(List<Processes.Host> hosts, Traffic before, long limit) {
        before.stop();
        Traffic traffic = Traffic.start(observer(), CounterMessage.COUNTER, Traffic.hundred("e"));
        Set<NodeId> survivors = Set.of(hosts.get(1).node(), hosts.get(2).node());
        NodeId dead = here.coordinator();
        assertEquals(hosts.get(0).node(), dead);
        String unknown = newShard();
        hosts.get(0).crash();
        long start = System.nanoTime();
        Future<Place> fresh = observer().counter(unknown).ask(new Where(), Duration.ofSeconds(20));
        until(
                "a survivor coordinates",
                () -> here.agreedCoordinator() != null && !dead.equals(here.agreedCoordinator()));
        long elected = since(start);
        here.untilMembers(3);
        traffic.untilAllAnswer();
        long back = since(start);
        assertTrue(survivors.contains(new NodeId(await(fresh).node())));
        Traffic.Report report = traffic.stop();
        Traffic.Report others = report.only(story -> !story.first().node().equals(dead.value()));
        Traffic.Report own = report.only(story -> story.first().node().equals(dead.value()));
        System.out.println("coordinator killed: next one after " + elected + " ms, all answer after " + back + " ms");
        System.out.println("coordinator killed, entities elsewhere: " + others);
        System.out.println("coordinator killed, its own: " + own);
        assertTrue(others.silence(1) < 1000, others::toString);
        assertEquals(List.of(), others.only(Traffic.Story::moved).stories(), "the very same instances as before");
        assertTrue(own.stories().stream().allMatch(Traffic.Story::moved), "new instances");
        assertTrue(own.silence(1) < limit, own::toString);
        Set<String> lost = own.stories().stream().map(Traffic.Story::id).collect(Collectors.toSet());
        List<String> unexpected = report.faults().stream()
                .filter(fault -> !(lost.contains(fault.substring(0, fault.indexOf(':')))
                        && (fault.contains(": OUTCOME_UNKNOWN ") || fault.contains(": TIMED_OUT "))))
                .toList();
        assertEquals(List.of(), unexpected);
    }
}
