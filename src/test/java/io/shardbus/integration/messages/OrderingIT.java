package io.shardbus.integration.messages;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.integration.TestCluster;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Numbered messages of several senders, by tell and ask, while shards move. */
class OrderingIT {
    private static final EntityType<Numbered> LOG = EntityType.of("log", Numbered.class);
    private static final int ENTITIES = 60;

    /** A message with its place in the order of its sender's messages to this entity. */
    sealed interface Numbered {}

    record Told(String sender, int number) implements Numbered {}

    record Asked(String sender, int number) implements Numbered, Ask<Integer> {}

    /** What all entities of this JVM took, outside of the entities because these forget when they move. */
    static final class Ledger {
        private final Map<String, Integer> last = new ConcurrentHashMap<>();
        private final List<String> faults = new CopyOnWriteArrayList<>();

        EntityDefinition<Numbered> definition() {
            return EntityDefinition.of(LOG, id -> (message, context) -> {
                if (message instanceof Told told) {
                    taken(id, told.sender(), told.number());
                    return Future.succeededFuture();
                }
                Asked asked = (Asked) message;
                taken(id, asked.sender(), asked.number());
                return Future.succeededFuture(asked.number());
            });
        }

        private void taken(String id, String sender, int number) {
            Integer before = last.put(id + "<" + sender, number);
            if (number != (before == null ? 1 : before + 1)) {
                faults.add(id + " of " + sender + ": " + number + " after " + before);
            }
        }
    }

    /** Sends round after round from one node until told to stop; asks answered late do not hold it up. */
    private static final class Sender implements Runnable {
        private final TestCluster.Node node;
        private final String name;
        private final AtomicBoolean stop;
        private final List<String> faults = new CopyOnWriteArrayList<>();
        private final AtomicInteger open = new AtomicInteger();
        private int number;

        Sender(TestCluster.Node node, AtomicBoolean stop) {
            this.node = node;
            this.name = node.id().value();
            this.stop = stop;
        }

        @Override
        public void run() {
            List<EntityRef<Numbered>> entities = new ArrayList<>();
            for (int i = 0; i < ENTITIES; i++) {
                entities.add(node.sharding().entityRef(LOG, "e" + i));
            }
            while (!stop.get()) {
                number++;
                for (EntityRef<Numbered> entity : entities) {
                    send(entity);
                }
                TestCluster.until("a window of asks", () -> open.get() < 3 * ENTITIES);
            }
        }

        private void send(EntityRef<Numbered> entity) {
            if (number % 2 == 0) {
                entity.tell(new Told(name, number));
                return;
            }
            int asked = number;
            open.incrementAndGet();
            entity.ask(new Asked(name, asked)).onComplete(answer -> {
                open.decrementAndGet();
                if (answer.failed() || answer.result() != asked) {
                    faults.add(entity + " " + asked + ": " + answer);
                }
            });
        }
    }

    static int shardsOn(TestCluster.Node node) {
        return await(node.sharding().region("log").orElseThrow().state()).shards();
    }

    private static ShardingOptions eager() {
        return TestCluster.options().setRebalanceIntervalMs(200).setRebalanceRelativeLimit(1.0);
    }

    private static int shardsOn(List<TestCluster.Node> nodes) {
        return nodes.stream().mapToInt(OrderingIT::shardsOn).sum();
    }

    /** Senders on these nodes send all the time while the story is told. */
    static void under(List<TestCluster.Node> from, Ledger ledger, Runnable story) throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        List<Sender> senders = from.stream().map(node -> new Sender(node, stop)).toList();
        List<Thread> threads = senders.stream().map(Thread::new).toList();
        threads.forEach(Thread::start);
        try {
            story.run();
        } finally {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        check(ledger, senders);
    }

    @Test
    void nothingIsLostDoubledOrReorderedWhileNodesJoinAndLeave() throws InterruptedException {
        Ledger ledger = new Ledger();
        try (TestCluster cluster = new TestCluster().start(2, eager())) {
            cluster.startType(ledger.definition());
            List<TestCluster.Node> staying = List.copyOf(cluster.nodes());
            under(staying, ledger, () -> {
                TestCluster.Node joined = cluster.startNode(eager());
                await(joined.sharding().start(ledger.definition()));
                TestCluster.until("the joined node has its share", () -> shardsOn(joined) >= 10);
                cluster.leave(joined);
                TestCluster.until("all shards are at the others", () -> shardsOn(staying) >= 30);
            });
        }
    }

    @Test
    void nothingIsLostDoubledOrReorderedWhileTheCoordinatorLeaves() throws InterruptedException {
        Ledger ledger = new Ledger();
        try (TestCluster cluster = new TestCluster().start(3, eager())) {
            cluster.startType(ledger.definition());
            TestCluster.Node coordinating = cluster.node(0);
            assertEquals(coordinating.id(), cluster.coordinator());
            List<TestCluster.Node> staying = List.of(cluster.node(1), cluster.node(2));
            under(staying, ledger, () -> {
                TestCluster.until("the coordinator hosts its share", () -> shardsOn(coordinating) >= 5);
                cluster.leave(coordinating);
                TestCluster.until("all shards are at the others", () -> shardsOn(staying) >= 30);
            });
        }
    }

    private static void check(Ledger ledger, List<Sender> senders) {
        TestCluster.until("all asks are answered", () -> senders.stream().allMatch(sender -> sender.open.get() == 0));
        for (Sender sender : senders) {
            assertEquals(List.of(), sender.faults);
            assertTrue(sender.number >= 10, "only " + sender.number + " rounds");
            for (int i = 0; i < ENTITIES; i++) {
                String line = "e" + i + "<" + sender.name;
                TestCluster.until("the last message of " + line, () -> ledger.last.get(line) == sender.number);
            }
        }
        assertEquals(List.of(), ledger.faults);
    }
}
