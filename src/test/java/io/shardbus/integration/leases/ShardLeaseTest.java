package io.shardbus.integration.leases;

import static io.shardbus.integration.LoneNode.ask;
import static io.shardbus.integration.TestCluster.await;
import static io.shardbus.integration.TestCluster.until;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.shardbus.Entity;
import io.shardbus.EntityContext;
import io.shardbus.EntityDefinition;
import io.shardbus.EntityRef;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import io.shardbus.spi.LeaseProvider;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Shards that need an outside lease, whose arbiter is the test. */
class ShardLeaseTest {
    private static final int SHARDS = 4;

    private final LoneNode node = new LoneNode(TestCluster.options()
            .setNumberOfShards(SHARDS)
            .setLeaseRetryIntervalMs(50)
            .setLanes(1)
            .setBufferSize(20));
    private final Arbiter arbiter = new Arbiter();
    private final Errors errors = new Errors();
    private final List<StopReason> stops = new CopyOnWriteArrayList<>();

    /** Answers each request when the test says so. */
    private static final class Arbiter implements LeaseProvider {
        final List<Promise<Boolean>> requests = new CopyOnWriteArrayList<>();
        final Set<String> names = ConcurrentHashMap.newKeySet();
        final Set<String> owners = ConcurrentHashMap.newKeySet();
        final List<String> released = new CopyOnWriteArrayList<>();
        final List<Consumer<Throwable>> holders = new CopyOnWriteArrayList<>();
        /** What happens instead of answers, one after the other. */
        final Queue<Supplier<? extends Error>> broken = new ConcurrentLinkedQueue<>();

        private void breakDown() {
            Supplier<? extends Error> next = broken.poll();
            if (next != null) {
                throw next.get();
            }
        }

        @Override
        public ShardLease lease(String name, String owner) {
            breakDown();
            names.add(name);
            owners.add(owner);
            return new ShardLease() {
                @Override
                public Future<Boolean> acquire(Consumer<Throwable> lost) {
                    breakDown();
                    holders.add(lost);
                    Promise<Boolean> request = Promise.promise();
                    requests.add(request);
                    return request.future();
                }

                @Override
                public Future<Void> release() {
                    released.add(name);
                    breakDown();
                    return Future.succeededFuture();
                }
            };
        }

        Promise<Boolean> request(int number) {
            until("request " + number, () -> requests.size() > number);
            return requests.get(number);
        }
    }

    /** What operators are told at ERROR. */
    private static final class Errors extends AppenderBase<ILoggingEvent> {
        final List<String> lines = new CopyOnWriteArrayList<>();
        private final Logger logger = (Logger) LoggerFactory.getLogger("io.shardbus.runtime.region");

        Errors() {
            setContext(logger.getLoggerContext());
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel() == Level.ERROR) {
                lines.add(event.getFormattedMessage());
            }
        }

        void until(String... parts) {
            TestCluster.until(
                    "an error with " + List.of(parts) + " among " + lines,
                    () -> lines.stream()
                            .anyMatch(line -> List.of(parts).stream().allMatch(line::contains)));
        }
    }

    @AfterEach
    void close() {
        node.close();
        errors.logger.detachAppender(errors);
    }

    private EntityDefinition<String> leased() {
        return LoneNode.texts(id -> new Entity<String>() {
                    @Override
                    public Future<?> receive(String message, EntityContext<String> context) {
                        return Future.succeededFuture(message);
                    }

                    @Override
                    public Future<?> stopping(StopReason reason) {
                        stops.add(reason);
                        return Future.succeededFuture();
                    }
                })
                .withShardLeases(arbiter);
    }

    @Test
    @DisplayName("LEASE-01 no answer while the arbiter has not answered; then the message is delivered")
    void waitsForTheArbiter() {
        EntityRef<String> one = node.startOne(leased());
        Future<String> answer = ask(one, "hello");
        Promise<Boolean> request = arbiter.request(0);
        assertFalse(answer.isComplete());
        request.complete(true);
        assertEquals("hello", await(answer));
    }

    @Test
    @DisplayName("LEASE-02 LEASE-04 refused, then granted: the message that waited is delivered, the"
            + " error names type and shard")
    void triesAgainWhenRefused() {
        EntityDefinition<String> definition = leased();
        EntityRef<String> one = node.startOne(definition);
        Future<String> first = ask(one, "first");
        Future<String> second = ask(one, "second");
        arbiter.request(0).complete(false);
        Promise<Boolean> again = arbiter.request(1);
        assertFalse(first.isComplete());
        again.complete(true);
        assertEquals("first", await(first));
        assertEquals("second", await(second));
        errors.until(definition.type().name(), "shard=", "another owner holds it");
    }

    @Test
    @DisplayName("LEASE-03 LEASE-04 failed, then granted: the message that waited is delivered, the"
            + " error names type and shard")
    void triesAgainWhenTheRequestFails() {
        EntityDefinition<String> definition = leased();
        EntityRef<String> one = node.startOne(definition);
        Future<String> answer = ask(one, "hello");
        arbiter.request(0).fail("the arbiter is away");
        arbiter.request(1).complete(true);
        assertEquals("hello", await(answer));
        errors.until(definition.type().name(), "shard=", "the arbiter is away");
    }

    @Test
    @DisplayName("LEASE-05 lost: the error states entities and reason, they stop, nothing is answered"
            + " while it is refused again")
    void stopsWhenTheLeaseIsLost() {
        EntityDefinition<String> definition = leased();
        EntityRef<String> one = node.startOne(definition);
        Future<String> before = ask(one, "before");
        arbiter.request(0).complete(true);
        assertEquals("before", await(before));
        arbiter.holders.get(0).accept(new IllegalStateException("taken away"));
        arbiter.request(1).complete(false);
        Future<String> waiting = ask(one, "waiting");
        arbiter.request(2).complete(false);
        Promise<Boolean> last = arbiter.request(3);
        assertFalse(waiting.isComplete());
        until("given back when the shard had stopped", () -> arbiter.released.size() == 1);
        assertEquals(List.of(StopReason.LEASE_LOST), stops);
        errors.until(definition.type().name(), "1 entity stops", "taken away");
        last.complete(true);
        assertEquals("waiting", await(waiting));
    }

    @Test
    @DisplayName("LEASE-05 lost before its answer is here: the shard does not start, and tries again")
    void doesNotStartWithALeaseThatIsLostAlready() {
        EntityDefinition<String> definition = leased();
        Future<String> answer = ask(node.startOne(definition), "hello");
        Promise<Boolean> request = arbiter.request(0);
        arbiter.holders.get(0).accept(new IllegalStateException("taken away"));
        request.complete(true);
        Promise<Boolean> again = arbiter.request(1);
        assertFalse(answer.isComplete());
        errors.until(definition.type().name(), "shard=", "was not obtained", "taken away");
        again.complete(true);
        assertEquals("hello", await(answer));
    }

    @Test
    @DisplayName("LEASE-01 LEASE-02 LEASE-03 LEASE-05 with remembered entities: the same, and who was"
            + " live comes back by itself")
    void rememberedEntitiesWaitForTheirLease() {
        EntityDefinition<String> definition = leased().withRememberEntities(true);
        Future<String> answer = ask(node.startOne(definition), "hello");
        arbiter.request(0).complete(false);
        arbiter.request(1).fail("the arbiter is away");
        Promise<Boolean> granted = arbiter.request(2);
        assertFalse(answer.isComplete());
        granted.complete(true);
        assertEquals("hello", await(answer));
        arbiter.holders.get(2).accept(new IllegalStateException("taken away"));
        arbiter.request(3).complete(false);
        Promise<Boolean> again = arbiter.request(4);
        assertEquals(List.of(StopReason.LEASE_LOST), stops);
        again.complete(true);
        until(
                "it is live again",
                () -> await(node.sharding().locate(definition.type().name(), "one"))
                        .filter(EntityLocation::live)
                        .isPresent());
    }

    @Test
    @DisplayName("messages wait within the bounds of the region's buffer")
    void waitsWithinBounds() {
        EntityRef<String> one = node.startOne(leased());
        List<Future<String>> answers =
                IntStream.range(0, 40).mapToObj(i -> ask(one, "m" + i)).toList();
        arbiter.request(0);
        until("some are refused", () -> answers.stream().anyMatch(Future::failed));
        assertEquals(
                FailureCode.REGION_BUFFER_FULL,
                LoneNode.failureCode(
                        answers.stream().filter(Future::failed).findFirst().orElseThrow()));
        arbiter.requests.get(0).complete(true);
        assertEquals("m0", await(answers.get(0)));
    }

    @Test
    @DisplayName("LEASE-10 names are unique for cluster, type and shard; given back when the region has left")
    void namesAndOwners() {
        EntityDefinition<String> definition = leased();
        var region = node.start(definition);
        for (int i = 0; i < 16; i++) {
            region.entityRef("e" + i).tell("hello");
        }
        until("all shards want a lease", () -> arbiter.names.size() == SHARDS);
        IntStream.range(0, SHARDS).forEach(i -> arbiter.request(i).complete(true));
        String prefix = node.sharding().self() + "-shard-" + definition.type().name() + "-";
        assertTrue(arbiter.names.stream().allMatch(name -> name.startsWith(prefix)), arbiter.names::toString);
        assertEquals(1, arbiter.owners.size());
        assertEquals("x", await(ask(region.entityRef("e1"), "x")));
        await(region.leave());
        until("all are given back", () -> arbiter.released.size() == SHARDS);
    }

    @Test
    @DisplayName("a provider that throws has not answered: it is asked again, and a shard is given back all the same")
    void triesAgainWhenTheProviderThrows() {
        arbiter.broken.addAll(List.of(
                () -> new NoClassDefFoundError("com/example/Driver"), () -> new AssertionError("not connected")));
        EntityRef<String> one = node.startOne(leased());
        Future<String> answer = ask(one, "hello");
        arbiter.request(0).complete(true);
        assertEquals("hello", await(answer));
        arbiter.broken.add(() -> new AssertionError("not connected"));
        arbiter.holders.get(0).accept(new IllegalStateException("taken away"));
        arbiter.request(1).complete(true);
        assertEquals("again", await(ask(one, "again")));
        assertEquals(1, arbiter.released.size());
    }

    @Test
    @DisplayName("a lease whose grant is uncertain is given back when the shard does not start after all")
    void whatMayHaveBeenObtainedIsGivenBack() {
        EntityDefinition<String> definition = leased();
        var region = node.start(definition);
        region.entityRef("one").tell("hello");
        arbiter.request(0).fail("the answer is lost");
        arbiter.request(1);
        assertEquals(List.of(), arbiter.released);
        Future<Void> left = region.leave();
        until("it is given back", () -> {
            arbiter.requests.forEach(request -> request.tryFail("the region leaves"));
            return arbiter.released.size() == 1;
        });
        await(left);
    }
}
