package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.delivery.Purse.Event;
import io.shardbus.delivery.Purse.Put;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.spi.EventReader.From;
import io.shardbus.persistence.spi.EventReader.LogInfo;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.ClusterTestKit.Node;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Commands that are delivered in a cluster")
class DeliveryIT {
    private static final Duration DEADLINE = Duration.ofSeconds(40);

    private final HeldStore store = new HeldStore();

    @Test
    @DisplayName("DELIV-06 take effect once when their home dies between effect and answer, and from bus clients")
    void takeEffectOnce() {
        try (var cluster = ClusterTestKit.start(3)) {
            cluster.startType(EventSourced.of(Purse.TYPE, id -> new Purse(), EventCodec.json(Event.class))
                    .on(store));
            Node asker = cluster.node(0);
            String away = idAtHomeElsewhere(asker);
            Node home = node(cluster, home(asker, away));
            DeliveryRef<Purse.Command> purse =
                    Delivery.create(asker.vertx(), asker.sharding()).ref(Purse.TYPE, away);
            assertEquals(1, ClusterTestKit.await(purse.ask(new Put(1), new CommandId("first", 1000), DEADLINE)));

            Future<Void> stored = store.holdNext();
            Future<Long> answer = purse.ask(new Put(5), new CommandId("crash", 2000), DEADLINE);
            ClusterTestKit.await(stored);
            assertFalse(answer.isComplete());
            cluster.kill(home);
            assertEquals(6, ClusterTestKit.await(answer), "the first answer, from the next home");
            assertEquals(2, events());
            store.release();

            busClient(cluster, asker, away);
            assertEquals(3, events());
            otherKeys(asker, away);
            assertEquals(3, events());
        }
    }

    /** A bus client that guesses a trusted sender's id neither reads its answer nor takes its key: it is refused. */
    private static void otherKeys(Node node, String id) {
        var put = JsonObject.of("type", "Put", "amount", 1);
        var guessed = new DeliveryOptions().addHeader("entity-id", id).addHeader("command-id", "1000:first");
        for (int i = 0; i < 2; i++) {
            assertEquals(FailureCode.COMMAND_TOO_OLD.number(), refusal(node, put, guessed));
        }
        var delivery = Delivery.create(node.vertx(), node.sharding());
        var again = delivery.ref(Purse.TYPE, id).ask(new Put(1), new CommandId("first", 1000), DEADLINE);
        assertEquals(1, ClusterTestKit.await(again), "the first answer to its own sender");
        long late = System.currentTimeMillis() + 2 * CommandId.MOST_AHEAD_MS;
        var early = new DeliveryOptions().addHeader("entity-id", id).addHeader("command-id", late + ":early");
        assertEquals(FailureCode.COMMAND_TOO_EARLY.number(), refusal(node, put, early));
    }

    private static int refusal(Node node, JsonObject body, DeliveryOptions to) {
        var refused = assertThrows(
                ReplyException.class,
                () -> ClusterTestKit.await(node.vertx().eventBus().request("shardbus.purse", body, to)));
        return refused.failureCode();
    }

    private static void busClient(ClusterTestKit cluster, Node node, String id) {
        var put = JsonObject.of("type", "Put", "amount", 7);
        DeliveryOptions to = new DeliveryOptions()
                .addHeader("entity-id", id)
                .addHeader("command-id", "3000:bus")
                .setSendTimeout(DEADLINE.toMillis());
        Node other = cluster.node(cluster.nodes().size() - 1);
        for (Node each : List.of(node, other)) {
            Object answered = ClusterTestKit.await(each.vertx().eventBus().request("shardbus.purse", put, to))
                    .body();
            assertEquals(13L, ((Number) answered).longValue());
        }
        var wrong = new DeliveryOptions().addHeader("entity-id", id).addHeader("command-id", "no moment");
        assertEquals(FailureCode.INVALID_MESSAGE.number(), refusal(node, put, wrong));
    }

    private static String idAtHomeElsewhere(Node asker) {
        for (int i = 0; i < 100; i++) {
            String id = "p" + i;
            if (!home(asker, id).equals(asker.id())) {
                return id;
            }
        }
        throw new AssertionError("all shards are at home on one of three nodes");
    }

    private static NodeId home(Node asker, String id) {
        return ClusterTestKit.await(asker.sharding().entityRef(Purse.TYPE, id).start())
                .node();
    }

    private static Node node(ClusterTestKit cluster, NodeId named) {
        return cluster.nodes().stream()
                .filter(node -> node.id().equals(named))
                .findFirst()
                .orElseThrow();
    }

    private int events() {
        int type = ClusterTestKit.await(store.reader().type(Purse.TYPE.name()));
        List<From> all = ClusterTestKit.await(store.reader().logs(type)).stream()
                .map(LogInfo::log)
                .map(log -> new From(log, 0))
                .toList();
        return ClusterTestKit.await(store.reader().read(all, 100)).values().stream()
                .mapToInt(List::size)
                .sum();
    }
}
