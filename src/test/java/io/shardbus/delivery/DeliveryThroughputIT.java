package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.Ask;
import io.shardbus.EntityRef;
import io.shardbus.EntityType;
import io.shardbus.persistence.Effect;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.persistence.EventSourcedEntity;
import io.shardbus.persistence.PersistenceContext;
import io.shardbus.store.memory.MemoryStore;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@DisplayName("Numbered deliveries in great number, on three nodes")
@Tag("slow")
class DeliveryThroughputIT {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryThroughputIT.class);
    private static final EntityType<Job> TYPE = EntityType.of("worker", Job.class);
    /** Jobs of a worker that are under way; the producer sends 16 of them at once. */
    private static final int WINDOW = 50;

    private static final long MINUTE_S = 60;
    private static final long LONGEST_MIN = 2;

    private final MemoryStore store = MemoryStore.create();
    private ClusterTestKit cluster;
    private NumberedProducer producer;
    private long number;

    /** @param number negative: asks for the number of jobs that were done */
    record Job(long number) implements Ask<Integer> {}

    record Done(long number) {}

    /** Does jobs, each an event. */
    static final class Worker implements EventSourcedEntity<Job, Done, Integer> {
        @Override
        public Integer emptyState() {
            return 0;
        }

        @Override
        public Effect<Done, Integer> handle(Integer count, Job job, PersistenceContext<Job> context) {
            return job.number() < 0
                    ? reply(count)
                    : persist(new Done(job.number())).thenReply(now -> now);
        }

        @Override
        public Integer apply(Integer count, Done event) {
            return count + 1;
        }
    }

    @BeforeEach
    void start() {
        cluster = ClusterTestKit.start(3);
        cluster.startType(EventSourced.of(TYPE, id -> new Worker(), EventCodec.json(Done.class))
                .on(store));
        cluster.untilMembers(3);
        producer = Delivery.create(cluster.node(0).vertx(), cluster.node(0).sharding())
                .producer("throughput");
    }

    @AfterEach
    void end() {
        producer.close();
        cluster.close();
    }

    @Test
    @DisplayName("DELIV-11 are complete: to one entity from a single producer, and to 1, 2, 4 and 10 entities")
    void toEntities() throws TimeoutException {
        toEntities(1_000, 400, Long.MAX_VALUE);
    }

    @Test
    @Tag("long-fault")
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    @DisplayName("DELIV-11 are complete in a minute each: 500,000 to one, 200,000 to each of 1, 2, 4 and 10 entities")
    void allToEntities() throws TimeoutException {
        toEntities(500_000, 200_000, MINUTE_S);
    }

    private void toEntities(int pointToPoint, int each, long mostSeconds) throws TimeoutException {
        measured("point to point", new int[] {pointToPoint}, mostSeconds);
        for (int entities : new int[] {1, 2, 4, 10}) {
            int[] jobs =
                    IntStream.generate(() -> each / entities).limit(entities).toArray();
            measured(entities + " entities", jobs, mostSeconds);
        }
    }

    @Test
    @DisplayName("DELIV-12 are complete where 1, 2, 4 and 10 workers take the next one when one is done")
    void workPulling() throws TimeoutException {
        workPulling(new int[] {400, 600, 800, 800}, Long.MAX_VALUE);
    }

    @Test
    @Tag("long-fault")
    @Timeout(value = 12, unit = TimeUnit.MINUTES)
    @DisplayName("DELIV-12 are complete in a minute each where 1, 2, 4 and 10 workers take 200,000 to 400,000")
    void allWorkPulling() throws TimeoutException {
        workPulling(new int[] {200_000, 300_000, 400_000, 400_000}, MINUTE_S);
    }

    private void workPulling(int[] jobs, long mostSeconds) throws TimeoutException {
        int[] workers = {1, 2, 4, 10};
        for (int i = 0; i < workers.length; i++) {
            String name = workers[i] + " workers";
            List<EntityRef<Job>> refs = refs(name, workers[i]);
            int[] left = {jobs[i]};
            long begin = System.nanoTime();
            await(refs.stream().map(ref -> pull(ref, left)));
            tell(name, jobs[i], begin, mostSeconds);
            assertEquals(
                    jobs[i], refs.stream().mapToInt(DeliveryThroughputIT::done).sum(), name);
        }
    }

    /** Delivers so many jobs to each entity. */
    private void measured(String name, int[] jobs, long mostSeconds) throws TimeoutException {
        List<EntityRef<Job>> refs = refs(name, jobs.length);
        long begin = System.nanoTime();
        await(IntStream.range(0, jobs.length).mapToObj(i -> pull(refs.get(i), new int[] {jobs[i]})));
        tell(name, IntStream.of(jobs).sum(), begin, mostSeconds);
        for (int i = 0; i < jobs.length; i++) {
            assertEquals(jobs[i], done(refs.get(i)), refs.get(i).toString());
        }
    }

    private static void await(Stream<Future<?>> pulls) throws TimeoutException {
        Future.all(pulls.toList()).await(LONGEST_MIN, TimeUnit.MINUTES);
    }

    private List<EntityRef<Job>> refs(String name, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> cluster.node(0).sharding().entityRef(TYPE, name + " " + i))
                .toList();
    }

    private static int done(EntityRef<Job> worker) {
        return ClusterTestKit.await(worker.ask(new Job(-1)));
    }

    private static void tell(String name, int jobs, long begin, long mostSeconds) {
        double seconds = (System.nanoTime() - begin) / 1e9;
        LOG.warn("{}: {} jobs in {} s, {}/s", name, jobs, Math.round(seconds), Math.round(jobs / seconds));
        assertTrue(seconds <= mostSeconds, () -> name + " took " + seconds + " s");
    }

    /** A worker takes jobs, a window of them at once, until none is left. */
    private Future<?> pull(EntityRef<Job> worker, int[] left) {
        List<Future<Void>> chains = new ArrayList<>();
        for (int i = 0; i < WINDOW; i++) {
            Promise<Void> ended = Promise.promise();
            next(worker, left, ended);
            chains.add(ended.future());
        }
        return Future.all(chains);
    }

    /** The numbers of jobs rise in the order in which they are given to the producer. */
    private synchronized void next(EntityRef<Job> worker, int[] left, Promise<Void> ended) {
        if (left[0] == 0) {
            ended.complete();
            return;
        }
        left[0]--;
        number++;
        producer.deliver(number, worker, new Job(number), Future::failedFuture)
                .onSuccess(settled -> next(worker, left, ended))
                .onFailure(ended::tryFail);
    }
}
