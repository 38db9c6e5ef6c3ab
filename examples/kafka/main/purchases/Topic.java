package purchases;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * The topic of purchases: the key is the customer, the value what the purchase costs, in cents.
 *
 * @param servers of Kafka, as in bootstrap.servers
 */
record Topic(String servers) {
    static final String NAME = "purchases";
    private static final String GROUP = "customers";
    private static final int PARTITIONS = 12;
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private Properties properties(Map<String, Object> more) {
        var all = new Properties();
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        all.putAll(more);
        return all;
    }

    /**
     * Creates the topic where it is missing. Blocks for at most 40 seconds.
     *
     * @return how many partitions it has
     * @throws IllegalStateException if no broker answers
     */
    int create() throws InterruptedException {
        try (var admin = Admin.create(properties(Map.of()))) {
            try {
                admin.createTopics(List.of(new NewTopic(NAME, PARTITIONS, (short) 1)))
                        .all()
                        .get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
            return admin.describeTopics(List.of(NAME))
                    .allTopicNames()
                    .get(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
                    .get(NAME)
                    .partitions()
                    .size();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("no topic " + NAME + " at " + servers + ": " + e, e);
        }
    }

    /** A member of the group of consumers, which commits by itself. */
    KafkaConsumer<String, Long> consumer() {
        return new KafkaConsumer<>(
                properties(Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        GROUP,
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false,
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        10_000,
                        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                        1_000,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        500,
                        // Partitions that stay with their consumer are not taken from it
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName())),
                new StringDeserializer(),
                new LongDeserializer());
    }

    KafkaProducer<String, Long> producer() {
        return new KafkaProducer<>(
                properties(Map.of(
                        ProducerConfig.ACKS_CONFIG, "all", ProducerConfig.MAX_BLOCK_MS_CONFIG, LONGEST.toMillis())),
                new StringSerializer(),
                new LongSerializer());
    }
}
