package purchases;

import static io.shardbus.testkit.ClusterTestKit.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.shardbus.Ask;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.projection.Projection;
import io.shardbus.projection.Projections;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.shardbus.testkit.junit.ShardbusCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stored events of a type on a topic of a real broker. */
@ShardbusCluster(nodes = 1)
class KafkaFeedTest {
    private static final EntityType<Message> TYPE = EntityType.of("ledger", Message.class);
    private static final EventCodec<Event> CODEC = EventCodec.json(Event.class);

    sealed interface Message {}

    record Book(long cents) implements Message, Ask<Long> {}

    record Drop() implements Message, Ask<Void> {}

    sealed interface Event {}

    record Booked(long cents) implements Event {}

    private static final class Ledger implements EventSourcedEntity<Message, Event, Long> {
        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public Effect<Event, Long> handle(Long sum, Message message, PersistenceContext<Message> context) {
            return message instanceof Book book
                    ? persist((Event) new Booked(book.cents())).thenReply(now -> now)
                    : delete();
        }

        @Override
        public Long apply(Long sum, Event event) {
            return sum + ((Booked) event).cents();
        }
    }

    private static String header(ConsumerRecord<String, byte[]> record, String name) {
        var header = record.headers().lastHeader(name);
        return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
    }

    private static List<ConsumerRecord<String, byte[]>> read(
            ClusterTestKit cluster, KafkaConsumer<String, byte[]> consumer, int records) {
        List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();
        cluster.until(records + " records", () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(read::add);
            return read.size() >= records;
        });
        return read;
    }

    @Test
    void eventsOfAnEntityAreOnTheTopicInOrderAndADeletionHasNoValue(ClusterTestKit cluster, @TempDir Path directory)
            throws Exception {
        var store = MemoryStore.create();
        var ledgers = EventSourced.of(TYPE, id -> new Ledger(), CODEC);
        try (var broker = Broker.start(directory, Broker.freePort());
                var admin = Admin.create(Map.of("bootstrap.servers", broker.servers()));
                var producer = new KafkaProducer<>(
                        Map.<String, Object>of("bootstrap.servers", broker.servers(), "acks", "all"),
                        new StringSerializer(),
                        new ByteArraySerializer());
                var consumer = new KafkaConsumer<>(
                        Map.<String, Object>of(
                                "bootstrap.servers",
                                broker.servers(),
                                "group.id",
                                "g",
                                "auto.offset.reset",
                                "earliest"),
                        new StringDeserializer(),
                        new ByteArrayDeserializer())) {
            // the broker makes none by itself
            admin.createTopics(List.of(new NewTopic("ledger", 1, (short) 1)))
                    .all()
                    .get(40, TimeUnit.SECONDS);
            var node = cluster.node(0);
            cluster.startType(ledgers.on(store));
            var feed = Projection.of("feed", ledgers, new KafkaFeed<>(node.vertx(), producer, "ledger", CODEC));
            var projections = Projections.create(node.vertx(), node.sharding(), store);
            await(projections.start(feed));

            var ann = node.sharding().entityRef(TYPE, "ann");
            await(ann.ask(new Book(5)));
            await(ann.ask(new Book(7)));

            consumer.subscribe(List.of("ledger"));
            var records = read(cluster, consumer, 2);
            // a deletion drops the events that no projection has begun to follow
            await(ann.ask(new Drop()));
            records.addAll(read(cluster, consumer, 1));
            assertEquals(
                    List.of("ann", "ann", "ann"),
                    records.stream().map(ConsumerRecord::key).toList());
            assertEquals("{\"cents\":5}", new String(records.get(0).value(), StandardCharsets.UTF_8));
            assertEquals("{\"cents\":7}", new String(records.get(1).value(), StandardCharsets.UTF_8));
            assertNull(records.get(2).value());
            assertEquals(
                    List.of("1", "2", "3"),
                    records.stream().map(record -> header(record, "position")).toList());
            assertEquals("Booked", header(records.get(0), "name"));

            cluster.until("the feed is at the end", () -> await(projections.lag(feed)) == 0);
        } finally {
            await(store.close());
        }
    }
}
