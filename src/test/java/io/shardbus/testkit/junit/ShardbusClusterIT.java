package io.shardbus.testkit.junit;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster as an application's tests get it: nodes that answer, leave, are cut off and are killed. */
@ShardbusCluster(nodes = 3)
@Tag("slow")
class ShardbusClusterIT {
    sealed interface Message {}

    record Where() implements Message, Ask<String> {}

    private static final EntityType<Message> PLACE = EntityType.of("place", Message.class);

    private static final class Place implements Entity<Message> {
        @Override
        public Future<?> receive(Message message, EntityContext<Message> context) {
            return reply(context.node().value());
        }
    }

    @BeforeEach
    void start(ClusterTestKit cluster) {
        cluster.startType(EntityDefinition.of(PLACE, id -> new Place()).withNumberOfShards(12));
        cluster.nodes()
                .forEach(node ->
                        await(node.sharding().region("place").orElseThrow().ready()));
    }

    private static Future<String> ask(Node from, int id) {
        return from.sharding().entityRef(PLACE, "p" + id).ask(new Where(), Duration.ofSeconds(2));
    }

    private static boolean answersFromOthersThan(Node gone, Node from) {
        return IntStream.range(0, 10)
                .mapToObj(id -> ask(from, id).otherwise(gone.id().value()))
                .noneMatch(answer -> await(answer).equals(gone.id().value()));
    }

    @Test
    void everyNodeReachesEveryEntityAtItsOneHome(ClusterTestKit cluster) {
        assertEquals(3, cluster.nodes().size());
        for (int id = 0; id < 10; id++) {
            String home = await(ask(cluster.node(0), id));
            for (Node node : cluster.nodes()) {
                assertEquals(home, await(ask(node, id)));
            }
        }
    }

    @Test
    @ShardbusCluster(nodes = 1)
    void theMethodsNumberOfNodesCounts(ClusterTestKit cluster) {
        assertEquals(1, cluster.nodes().size());
        Node joined = cluster.startNode(ClusterTestKit.options());
        cluster.untilMembers(2);
        assertNotEquals(cluster.node(0).id(), joined.id());
        cluster.leave(joined);
        cluster.untilMembers(1);
    }

    @Test
    void anotherNodeAnswersForOneThatWasKilled(ClusterTestKit cluster) {
        Node asker = cluster.node(0);
        Node home = cluster.node(1);
        EntityRef<Message> place = placeAt(home, asker);
        cluster.kill(home);
        cluster.until("another node answers", () -> {
            String answer = await(place.ask(new Where(), Duration.ofSeconds(5)).otherwise(""));
            assertNotEquals(home.id().value(), answer); // no answer comes from the killed node
            return !answer.isEmpty();
        });
        cluster.untilMembers(2);
    }

    private static EntityRef<Message> placeAt(Node home, Node asker) {
        int id = IntStream.range(0, 100)
                .filter(number -> await(ask(asker, number)).equals(home.id().value()))
                .findFirst()
                .orElseThrow();
        return asker.sharding().entityRef(PLACE, "p" + id);
    }

    @Test
    void theMajorityGoesOnAfterACutAndAllOfThemWhenItIsHealed(ClusterTestKit cluster) {
        Node cutOff = cluster.node(0);
        List<Node> others = List.of(cluster.node(1), cluster.node(2));
        cluster.cut(Set.of(0));
        others.forEach(node -> cluster.untilMembers(2, node));
        cluster.until("the minority stops", () -> !cutOff.sharding().isReady());
        cluster.until(
                "the majority goes on", () -> others.stream().allMatch(node -> answersFromOthersThan(cutOff, node)));
        cluster.heal();
        cluster.untilMembers(3);
        cluster.until(
                "all are ready",
                () -> cluster.nodes().stream().allMatch(node -> node.sharding().isReady()));
        assertTrue(await(ask(cutOff, 1).map(true)));
    }
}
