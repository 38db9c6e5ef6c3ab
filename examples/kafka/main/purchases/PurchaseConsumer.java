package purchases;

import io.shardbus.ClusterSharding;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import purchases.CustomerMessage.Purchase;

/**
 * A member of the consumer group: passes the purchases of its partitions on to their customers, and asks for the shards
 * of these partitions to live on its node. Runs a thread of its own, on which it uses the consumer. A purchase is
 * committed when its customer has answered; one that failed is read again, with all behind it in its partition.
 */
final class PurchaseConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PurchaseConsumer.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_POLL = Duration.ofMillis(500);
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

    private final ClusterSharding sharding;
    private final KafkaConsumer<String, Long> consumer;
    private final Thread thread = new Thread(this::run, "purchases");
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongAdder here = new LongAdder();
    private final LongAdder elsewhere = new LongAdder();
    private volatile Set<Integer> partitions = Set.of();
    private volatile boolean homesSet = true;

    private PurchaseConsumer(ClusterSharding sharding, KafkaConsumer<String, Long> consumer) {
        this.sharding = sharding;
        this.consumer = consumer;
    }

    /** @param sharding on which the type of customers was started */
    static PurchaseConsumer start(ClusterSharding sharding, Topic topic) {
        var started = new PurchaseConsumer(sharding, topic.consumer());
        started.thread.start();
        return started;
    }

    /** The partitions of this consumer. */
    Set<Integer> partitions() {
        return partitions;
    }

    /** How many purchases were answered by customers on this node. */
    long here() {
        return here.sum();
    }

    /** How many were answered on other nodes: those that were read while the shard was still on its way. */
    long elsewhere() {
        return elsewhere.sum();
    }

    private void run() {
        try (consumer) {
            consumer.subscribe(List.of(Topic.NAME), new Homes());
            while (closing.getCount() > 0) {
                tryRound();
            }
        } catch (WakeupException e) {
            LOG.info("left the group of consumers");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was not committed is read again by the next consumer of the partition; customers pass it over. */
    private void tryRound() throws InterruptedException {
        try {
            round();
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("a round of purchases failed, tried again: {}", e.toString());
            closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void round() throws InterruptedException {
        var records = consumer.poll(LONGEST_POLL);
        if (!homesSet) {
            setHomes();
        }
        var under = new TreeMap<Integer, Progress>();
        for (var partition : records.partitions()) {
            under.put(partition.partition(), new Progress(partition, records.records(partition)));
        }
        under.values().forEach(Progress::begin);
        for (var progress : under.values()) {
            progress.await();
        }
        under.values().forEach(Progress::goBack);
        under.values().forEach(Progress::commit);
    }

    /** The purchases of one partition in a round, one after the other. */
    private final class Progress {
        private final TopicPartition partition;
        private final List<ConsumerRecord<String, Long>> records;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile long next;

        Progress(TopicPartition partition, List<ConsumerRecord<String, Long>> records) {
            this.partition = partition;
            this.records = records;
            this.next = records.get(0).offset();
        }

        void begin() {
            Future<?> all = Future.succeededFuture();
            for (var record : records) {
                all = all.compose(before -> pass(record));
            }
            all.onComplete(done -> ended.countDown())
                    .onFailure(
                            failure -> LOG.warn("{} offset={}: tried again: {}", partition, next, failure.toString()));
        }

        private Future<?> pass(ConsumerRecord<String, Long> record) {
            if (record.key() == null || record.value() == null || record.value() < 1) {
                LOG.warn("{} offset={}: is no purchase, passed over", partition, record.offset());
                next = record.offset() + 1;
                return Future.succeededFuture();
            }
            return sharding.entityRef(Customer.TYPE, record.key())
                    .ask(new Purchase(record.key(), record.offset(), record.value()))
                    .onSuccess(customer -> {
                        (customer.node().equals(sharding.self().value()) ? here : elsewhere).increment();
                        next = record.offset() + 1;
                    });
        }

        void await() throws InterruptedException {
            if (!ended.await(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} offset={}: no answer yet, tried again", partition, next);
            }
        }

        /** The next round begins at the first purchase that was not answered. */
        void goBack() {
            if (next <= records.get(records.size() - 1).offset()) {
                consumer.seek(partition, next);
            }
        }

        void commit() {
            long answered = next;
            if (answered > records.get(0).offset()) {
                consumer.commitSync(Map.of(partition, new OffsetAndMetadata(answered)));
            }
        }
    }

    /** Sets the homes of the shards of all partitions that this consumer has. */
    private void setHomes() throws InterruptedException {
        var homes = new TreeMap<Integer, NodeId>();
        partitions.forEach(partition -> homes.put(partition, sharding.self()));
        try {
            if (!homes.isEmpty()) {
                sharding.externalAllocation(Customer.TYPE.name())
                        .setHomes(homes)
                        .toCompletionStage()
                        .toCompletableFuture()
                        .get(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            }
            homesSet = true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("homes of shards {} not set, tried again: {}", homes.keySet(), e.toString());
        }
    }

    /** What the group decides becomes the desired homes of shards. Called on the consumer's thread, within a poll. */
    private final class Homes implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            change(assigned, true);
            // The next round writes them: a rebalancing of the group does not wait for the cluster
            homesSet = false;
        }

        /** The consumer that gets them sets their homes. */
        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            change(revoked, false);
        }

        private void change(Collection<TopicPartition> changed, boolean added) {
            var now = new TreeSet<>(partitions);
            var numbers = new ArrayList<>(
                    changed.stream().map(TopicPartition::partition).toList());
            if (added) {
                now.addAll(numbers);
            } else {
                numbers.forEach(now::remove);
            }
            partitions = now;
        }
    }

    /** Leaves the group, which gives its partitions to others at once. Blocks while a round is under way. */
    @Override
    public void close() {
        closing.countDown();
        consumer.wakeup();
        try {
            thread.join(LONGEST_ANSWER.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
