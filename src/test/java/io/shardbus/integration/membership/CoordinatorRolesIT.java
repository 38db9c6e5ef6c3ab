package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ShardingException;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Crash;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.ReignLog;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which nodes coordinate and which host, where their roles differ. */
@Tag("slow")
class CoordinatorRolesIT {
    private static final String HOSTING = "hosting";

    private final TestCluster cluster = new TestCluster();
    private final ReignLog reigns = new ReignLog();
    private final Census census = new Census();

    @AfterEach
    void close() {
        cluster.close();
        reigns.close();
    }

    private static ShardingOptions coordinating() {
        return TestCluster.options().addRole("coordinating");
    }

    private static ShardingOptions hosting() {
        return TestCluster.options().addRole(HOSTING).setCoordinator(false);
    }

    private TestCluster.Node join(TestCluster.Node node) {
        await(node.sharding().start(census.definition().withRole(HOSTING)));
        return node;
    }

    private Set<String> homes(String prefix) {
        Set<String> homes = new TreeSet<>();
        for (int i = 0; i < 24; i++) {
            Place place = await(cluster.node(i % cluster.nodes().size())
                    .counter(prefix + i)
                    .ask(new Where(), Duration.ofSeconds(20)));
            homes.add(place.node());
        }
        return homes;
    }

    @Test
    @DisplayName("COORD-01 COORD-17 COORD-18 two nodes coordinate and two host; the coordinator leaves; the"
            + " next leaves while the one in"
            + " line restarts on the same port")
    void coordinatorsHostNothingAndHostsCoordinateNothing() {
        TestCluster.Node first = join(cluster.startNode(coordinating()));
        TestCluster.Node second = join(cluster.startNode(coordinating()));
        Set<String> hosts = new TreeSet<>();
        for (int i = 0; i < 2; i++) {
            hosts.add(join(cluster.startNode(hosting())).id().value());
        }
        assertEquals(hosts, homes("a"));
        assertTrue(first.sharding().region("counter").orElseThrow().isProxy());
        assertEquals(
                0, census.liveOn(first.id().value()) + census.liveOn(second.id().value()));
        assertEquals(first.id(), cluster.coordinator());

        cluster.leave(first);
        assertEquals(List.of(), reigns.overlaps());
        cluster.untilMembers(3);
        until("the second coordinates", () -> second.id().equals(cluster.agreedCoordinator()));
        assertEquals(hosts, homes("b"));

        TestCluster.Node next = join(cluster.startNode(coordinating()));
        Future<Void> restart = cluster.leaving(next);
        Future<Void> gone = cluster.leaving(second);
        await(restart);
        TestCluster.Node restarted = join(cluster.startNode(coordinating(), next.port()));
        await(gone);
        until("the restarted one coordinates", () -> restarted.id().equals(cluster.agreedCoordinator()));
        assertEquals(hosts, homes("c"));
        assertEquals(List.of(), reigns.overlaps());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName(
            "COORD-02 two nodes coordinate, a third hosts: a remembered entity whose instance crashes is back in its"
                    + " shard without a message")
    void aCrashedRememberedEntityIsBackWithoutAMessage() {
        for (int i = 0; i < 2; i++) {
            remember(cluster.startNode(coordinating()));
        }
        TestCluster.Node host = remember(cluster.startNode(hosting()));
        var counter = cluster.node(0).counter("a");
        Place before = await(counter.ask(new Where()));
        assertEquals(host.id().value(), before.node());
        assertThrows(ShardingException.class, () -> await(counter.ask(new Crash())));
        until(
                "another instance lives",
                () -> census.live().values().stream()
                        .anyMatch(life -> !life.incarnation().equals(before.incarnation())));
        Census.Life after = census.live().get("counter/a");
        assertEquals(host.id().value(), after.node());
        assertEquals(before.shard(), after.shard());
    }

    private TestCluster.Node remember(TestCluster.Node node) {
        await(node.sharding()
                .start(census.definition()
                        .withRole(HOSTING)
                        .withRememberEntities(true)
                        .withRestartPolicy(RestartPolicy.stop())));
        return node;
    }

    @Test
    @DisplayName("minimumMembers: a coordinator is there, but no shard is given away before so many host it;"
            + " afterwards fewer will do")
    void waitsForMinimumMembers() {
        ShardingOptions three = TestCluster.options().setMinimumMembers(3);
        TestCluster.Node first = cluster.startNode(three);
        TestCluster.Node second = cluster.startNode(three);
        await(first.sharding().start(census.definition()));
        await(second.sharding().start(census.definition()));
        until("both know both, and a coordinator", () -> members(first) == 2 && cluster.agreedCoordinator() != null);
        Future<Place> early = first.counter("early").ask(new Where());
        assertFalse(early.isComplete());

        TestCluster.Node third = cluster.startNode(three);
        until("the third one is a member", () -> members(first) == 3);
        assertFalse(early.isComplete());
        await(third.sharding().start(census.definition()));
        NodeId home = new NodeId(await(early).node());
        assertTrue(Set.of(first.id(), second.id(), third.id()).contains(home));

        cluster.leave(first);
        until("another coordinates, with fewer members", () -> cluster.agreedCoordinator() != null);
        for (int i = 0; i < 20; i++) {
            await(third.counter("late" + i).ask(new Where()));
        }
    }

    @Test
    @DisplayName("minimumMembers: two hosts were there once; the coordinating one leaves before the type has a"
            + " shard, and the other gets it")
    void theMinimumIsMetForTheLifeOfTheCluster() {
        for (List<String> roles : List.of(List.of(HOSTING), List.of(HOSTING), List.<String>of())) {
            cluster.startNode(TestCluster.options().setMinimumMembers(2).setRoles(roles));
        }
        TestCluster.Node first = cluster.node(0);
        TestCluster.Node second = cluster.node(1);
        TestCluster.Node third = cluster.node(2);
        await(first.sharding().start(census.definition().withRole(HOSTING)));
        await(third.sharding().start(census.definition().withRole(HOSTING)));
        var region = third.sharding().region(CounterMessage.COUNTER.name()).orElseThrow();
        until("the type waits for another host", () -> region.missingMembers() == 1);
        await(second.sharding().start(census.definition().withRole(HOSTING)));
        await(region.ready());
        assertEquals(0, region.missingMembers());
        assertEquals(first.id(), cluster.coordinator());

        cluster.leave(first);
        until("another coordinates", () -> cluster.agreedCoordinator() != null);
        assertEquals(
                second.id().value(),
                await(third.counter("first of all").ask(new Where())).node());
    }

    private static int members(TestCluster.Node node) {
        return node.sharding().clusterState().nodes().size();
    }
}
