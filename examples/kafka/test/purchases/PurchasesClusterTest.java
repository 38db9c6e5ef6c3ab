package purchases;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.junit.ShardbusCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import purchases.CustomerMessage.Read;

/** Customers on three real nodes, with a consumer each, and a real broker. */
@ShardbusCluster
class PurchasesClusterTest {
    private static final List<String> CUSTOMERS =
            IntStream.range(0, 60).mapToObj(number -> "customer-" + number).toList();

    private final List<PurchaseConsumer> consumers = new ArrayList<>();

    private static void buy(KafkaProducer<String, Long> producer, long cents) {
        CUSTOMERS.forEach(customer -> producer.send(new ProducerRecord<>(Topic.NAME, customer, cents)));
        producer.flush();
    }

    private static CustomerState read(ClusterTestKit cluster, String customer) {
        return await(
                cluster.node(0).sharding().entityRef(Customer.TYPE, customer).ask(new Read(customer)));
    }

    private static void untilAllHave(ClusterTestKit cluster, long purchases, long cents) {
        for (var customer : CUSTOMERS) {
            cluster.until(
                    customer + " has " + purchases + " purchases",
                    () -> read(cluster, customer).purchases() >= purchases);
            assertEquals(purchases, read(cluster, customer).purchases(), customer);
            assertEquals(cents, read(cluster, customer).cents(), customer);
        }
    }

    /** The node of each partition's consumer. */
    private Map<Integer, String> consumersByPartition(ClusterTestKit cluster) {
        var found = new TreeMap<Integer, String>();
        for (int i = 0; i < cluster.nodes().size(); i++) {
            var node = cluster.node(i).id().value();
            consumers.get(i).partitions().forEach(partition -> found.put(partition, node));
        }
        return found;
    }

    private static Map<Integer, String> homes(ClusterTestKit cluster) {
        var homes = new HashMap<Integer, String>();
        CUSTOMERS.forEach(customer -> {
            var state = read(cluster, customer);
            homes.put(state.partition(), state.node());
        });
        return homes;
    }

    private void untilHomesAreThoseOfThePartitions(ClusterTestKit cluster, int partitions) {
        cluster.until(
                "each partition has a consumer",
                () -> consumersByPartition(cluster).size() == partitions);
        cluster.until(
                "each shard is where its partition is consumed",
                () -> consumersByPartition(cluster).equals(homes(cluster)));
    }

    private long sum(ToLongFunction<PurchaseConsumer> of) {
        return consumers.stream().mapToLong(of).sum();
    }

    @Test
    void theHomesOfPartitionsAreTheHomesOfShards(ClusterTestKit cluster, @TempDir Path directory) throws Exception {
        try (var broker = Broker.start(directory, Broker.freePort())) {
            var topic = new Topic(broker.servers());
            int partitions = topic.create();
            assertEquals(partitions, topic.create());
            cluster.startType(Customer.definition(partitions));
            cluster.nodes().forEach(node -> consumers.add(PurchaseConsumer.start(node.sharding(), topic)));
            try (var producer = topic.producer()) {
                untilHomesAreThoseOfThePartitions(cluster, partitions);
                assertEquals(
                        3,
                        consumersByPartition(cluster).values().stream()
                                .collect(Collectors.toSet())
                                .size());
                buy(producer, 5);
                untilAllHave(cluster, 1, 5);
                assertEquals(CUSTOMERS.size(), sum(PurchaseConsumer::here));
                assertEquals(0, sum(PurchaseConsumer::elsewhere), "purchases that crossed the network");

                var leaving = consumers.remove(2);
                assertNotEquals(0, leaving.partitions().size());
                leaving.close();
                cluster.leave(cluster.node(2));
                buy(producer, 7);
                untilAllHave(cluster, 2, 12);
                untilHomesAreThoseOfThePartitions(cluster, partitions);

                long elsewhere = sum(PurchaseConsumer::elsewhere);
                buy(producer, 1);
                untilAllHave(cluster, 3, 13);
                assertEquals(elsewhere, sum(PurchaseConsumer::elsewhere));
                assertTrue(sum(PurchaseConsumer::here) >= 2 * CUSTOMERS.size());
            } finally {
                consumers.forEach(PurchaseConsumer::close);
            }
        }
    }
}
