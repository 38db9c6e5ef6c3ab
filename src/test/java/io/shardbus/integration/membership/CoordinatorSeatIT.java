package io.shardbus.integration.membership;

import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Place;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.PlacedBy;
import io.shardbus.integration.PlacedBy.Question;
import io.shardbus.integration.ReignLog;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.Future;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who coordinates while nodes come, and when the coordinator's node leaves. */
@Tag("slow")
class CoordinatorSeatIT {
    private final TestCluster cluster = new TestCluster();
    private final ReignLog reigns = new ReignLog();
    private final Census census = new Census();
    private final Queue<Question> questions = PlacedBy.questions();

    @AfterEach
    void close() {
        cluster.close();
        reigns.close();
    }

    private TestCluster.Node join(boolean mayCoordinate) {
        TestCluster.Node node = cluster.startNode(TestCluster.options().setCoordinator(mayCoordinate));
        await(node.sharding()
                .start(census.definition()
                        .withNumberOfShards(300)
                        .withAllocationStrategy(new PlacedBy(node.id(), questions))));
        return node;
    }

    private Set<NodeId> askedStrategies() {
        return questions.stream().map(Question::coordinator).collect(Collectors.toSet());
    }

    /** Every node asks for entities that were not asked for before. */
    private void everyNodeReachesTheCoordinator(String round) {
        List<Future<Place>> answers = IntStream.range(0, cluster.nodes().size())
                .mapToObj(i -> cluster.node(i).counter(round + i).ask(new Where()))
                .toList();
        answers.forEach(TestCluster::await);
    }

    @Test
    @DisplayName("COORD-07 COORD-08 COORD-09 COORD-10 COORD-14 one node coordinates, the first; it leaves,"
            + " it has stopped before the"
            + " next one begins, and all follow")
    void oneCoordinatorAtATime() {
        NodeId first = join(true).id();
        for (int i = 1; i < 6; i++) {
            join(true);
            assertEquals(first, cluster.coordinator());
        }
        NodeId observer = join(false).id();
        assertEquals(first, cluster.coordinator());
        everyNodeReachesTheCoordinator("a");
        everyNodeReachesTheCoordinator("b");
        assertEquals(Set.of(first), askedStrategies());
        assertEquals(1, reigns.begins(), "no second coordinator registered");

        NodeId second = cluster.node(1).id();
        cluster.leave(cluster.node(0));
        until(
                "the others list six members",
                () -> cluster.node(0).sharding().clusterState().nodes().size() == 6);
        until("the next one coordinates", () -> second.equals(cluster.agreedCoordinator()));
        questions.clear();
        everyNodeReachesTheCoordinator("c");
        everyNodeReachesTheCoordinator("d");
        assertEquals(Set.of(second), askedStrategies(), "the first answers no request again");
        assertEquals(List.of(), reigns.overlaps());
        assertEquals(2, reigns.begins(), () -> "the observer " + observer + " never reigned: " + reigns.events());
        assertEquals(List.of(), census.faults());
    }

    @Test
    @DisplayName("the coordinator's node leaves in good order: no ask fails, no entity is silent for"
            + " a second, its shards move")
    void coordinatorLeavesUnnoticed() {
        for (int i = 0; i < 3; i++) {
            TestCluster.Node node = cluster.startNode(TestCluster.options().setRebalanceIntervalMs(300));
            await(node.sharding().start(census.definition()));
        }
        NodeId leaver = cluster.coordinator();
        assertEquals(cluster.node(0).id(), leaver);
        Traffic.start(cluster.node(2), CounterMessage.COUNTER, Traffic.hundred("e"))
                .stop();
        until("the shards are even and at home", this::even);
        Traffic measured = Traffic.start(cluster.node(2), CounterMessage.COUNTER, Traffic.hundred("e"));

        cluster.leave(cluster.node(0));
        until("another coordinates", () -> cluster.node(0).id().equals(cluster.agreedCoordinator()));
        await(cluster.node(1).counter("never asked before").ask(new Where()));
        Traffic.Report report = measured.stop();
        Traffic.Report untouched = report.only(story -> !story.moved());
        Traffic.Report moved = report.only(Traffic.Story::moved);
        System.out.println("coordinator left in good order, home untouched: " + untouched);
        System.out.println("coordinator left in good order, moved: " + moved);
        assertEquals(List.of(), report.faults());
        assertFalse(untouched.stories().isEmpty());
        assertTrue(untouched.silence(1) < 1000, untouched::toString);
        Set<String> leavers = moved.stories().stream()
                .map(story -> story.first().node())
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(Set.of(leaver.value()), leavers, "only the leaver's shards moved");
        assertTrue(moved.silence(1) < 1000, moved::toString);
        assertEquals(List.of(), census.faults());
        assertEquals(List.of(), reigns.overlaps());
    }

    private boolean even() {
        TypeState state = await(cluster.node(1).sharding().typeState("counter"));
        LongSummaryStatistics shards =
                state.regions().stream().mapToLong(TypeState.Region::shards).summaryStatistics();
        return state.handoffs().isEmpty() && shards.getMax() - shards.getMin() <= 1;
    }
}
