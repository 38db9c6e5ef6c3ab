package bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.jdbc.testkit.javadsl.SchemaUtils;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.serialization.SerializerWithStringManifest;

/**
 * Commands that store an event of 200 B each, by Pekko's event-sourced behaviors in PostgreSQL on one node.
 *
 * <p>args: URI of an empty database, process that started the server, rounds, seconds of a round.
 */
public final class PersistBench {
    static final EntityTypeKey<Wire.Add> KEY = EntityTypeKey.create(Wire.Add.class, "Stored");
    static final int EVENT_BYTES = 200;
    static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Chains that ask the same entity. */
    static final int HOT = 256;

    record Added(long amount, byte[] padding) {}

    /** The event as its bytes, written by hand. */
    public static final class Events extends SerializerWithStringManifest {
        @Override
        public int identifier() {
            return 77002;
        }

        @Override
        public String manifest(Object event) {
            return "added";
        }

        @Override
        public byte[] toBinary(Object event) {
            Added added = (Added) event;
            return ByteBuffer.allocate(Long.BYTES + added.padding().length)
                    .putLong(added.amount())
                    .put(added.padding())
                    .array();
        }

        @Override
        public Object fromBinary(byte[] bytes, String manifest) {
            return new Added(ByteBuffer.wrap(bytes).getLong(), Arrays.copyOfRange(bytes, Long.BYTES, bytes.length));
        }
    }

    static final class Stored extends EventSourcedBehavior<Wire.Add, Added, Long> {
        private static final Added EVENT = new Added(1, new byte[EVENT_BYTES - Long.BYTES]);

        Stored(String id) {
            super(PersistenceId.of(KEY.name(), id));
        }

        @Override
        public Long emptyState() {
            return 0L;
        }

        @Override
        public CommandHandler<Wire.Add, Added, Long> commandHandler() {
            return newCommandHandlerBuilder()
                    .forAnyState()
                    .onCommand(
                            Wire.Add.class,
                            command -> Effect().persist(EVENT).thenReply(command.replyTo(), Wire.Total::new))
                    .build();
        }

        @Override
        public EventHandler<Long, Added> eventHandler() {
            return newEventHandlerBuilder()
                    .forAnyState()
                    .onEvent(Added.class, (sum, event) -> sum + event.amount())
                    .build();
        }
    }

    static Config config(URI uri) {
        String[] user = uri.getUserInfo().split(":", 2);
        return ConfigFactory.parseString(String.join(
                        "\n",
                        "jdbc-journal.bufferSize=100000",
                        "jdbc-journal.slick.profile=\"slick.jdbc.PostgresProfile$\"",
                        "jdbc-journal.slick.db.driver=org.postgresql.Driver",
                        "jdbc-journal.slick.db.url=\"jdbc:postgresql://" + uri.getHost() + ":" + uri.getPort()
                                + uri.getPath() + "?reWriteBatchedInserts=true\"",
                        "jdbc-journal.slick.db.user=\"" + user[0] + "\"",
                        "jdbc-journal.slick.db.password=\"" + (user.length > 1 ? user[1] : "") + "\"",
                        "pekko.persistence.journal.plugin=jdbc-journal",
                        "pekko.persistence.typed.stash-capacity=100000",
                        "pekko.actor.serializers.e=\"bench.PersistBench$Events\"",
                        "pekko.actor.serialization-bindings{\"bench.PersistBench$Added\"=e}"))
                .withFallback(PekkoBench.config("host", 25551));
    }

    private final ClusterSharding sharding;
    private final ProcessHandle server;
    private final int rounds;
    private final long nanos;

    private PersistBench(ActorSystem<?> system, ProcessHandle server, int rounds, long nanos) {
        this.sharding = ClusterSharding.get(system);
        this.server = server;
        this.rounds = rounds;
        this.nanos = nanos;
    }

    public static void main(String[] args) throws Exception {
        ActorSystem<Void> system = ActorSystem.create(Behaviors.empty(), "bench", config(URI.create(args[0])));
        SchemaUtils.createIfNotExists("jdbc-journal", system)
                .toCompletableFuture()
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        ClusterSharding.get(system)
                .init(Entity.of(KEY, context -> new Stored(context.getEntityId()))
                        .withRole("host"));
        ProcessHandle server = ProcessHandle.of(Long.parseLong(args[1])).orElseThrow();
        long nanos = (long) (Double.parseDouble(args[3]) * 1e9);
        PersistBench bench = new PersistBench(system, server, Integer.parseInt(args[2]), nanos);
        for (int entities : new int[] {1, 16, 128, 1000}) {
            bench.measure(IntStream.range(0, entities).mapToObj(i -> "e-" + i).toList(), entities);
        }
        bench.measure(List.of("hot"), HOT);
        System.exit(0);
    }

    /** The round before the counted ones warms up; a line for each of the others. */
    void measure(List<String> ids, int window) throws Exception {
        List<EntityRef<Wire.Add>> refs =
                ids.stream().map(id -> sharding.entityRefFor(KEY, id)).toList();
        for (int round = 0; round <= rounds; round++) {
            double cpu = cpuSeconds();
            long begin = System.nanoTime();
            long[] times = asked(refs, window, begin + nanos);
            double seconds = (System.nanoTime() - begin) / 1e9;
            double used = cpuSeconds() - cpu;
            if (round > 0) {
                System.out.printf(
                        Locale.ROOT,
                        "persist entities=%d window=%d events_per_s=%.0f p50_us=%.1f p99_us=%.1f p999_us=%.1f"
                                + " events_per_cpu_s=%.0f%n",
                        ids.size(),
                        window,
                        times.length / seconds,
                        times[times.length / 2] / 1e3,
                        times[(int) (times.length * .99)] / 1e3,
                        times[(int) (times.length * .999)] / 1e3,
                        times.length / used);
            }
        }
    }

    /** Chains of which each sends its next ask when the answer has come; the sorted times of all. */
    private static long[] asked(List<EntityRef<Wire.Add>> refs, int window, long end) throws Exception {
        CountDownLatch running = new CountDownLatch(window);
        List<Chain> chains = new ArrayList<>();
        for (int i = 0; i < window; i++) {
            Chain chain = new Chain(refs.get(i % refs.size()), end, running);
            chains.add(chain);
            chain.next();
        }
        running.await();
        return chains.stream()
                .flatMapToLong(chain -> LongStream.of(chain.times).limit(chain.count))
                .sorted()
                .toArray();
    }

    private static final class Chain {
        final EntityRef<Wire.Add> ref;
        final long end;
        final CountDownLatch running;
        long[] times = new long[64];
        int count;

        Chain(EntityRef<Wire.Add> ref, long end, CountDownLatch running) {
            this.ref = ref;
            this.end = end;
            this.running = running;
        }

        void next() {
            long start = System.nanoTime();
            if (start - end >= 0) {
                running.countDown();
                return;
            }
            ref.<Wire.Total>ask(replyTo -> new Wire.Add(1, replyTo), PATIENCE).whenComplete((total, failure) -> {
                if (failure != null) {
                    failure.printStackTrace();
                    System.exit(3);
                }
                if (count == times.length) {
                    times = Arrays.copyOf(times, 2 * count);
                }
                times[count++] = System.nanoTime() - start;
                next();
            });
        }
    }

    /** Of this process, the server and its backends that live. */
    private double cpuSeconds() {
        return Stream.concat(Stream.of(ProcessHandle.current()), server.descendants())
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .mapToDouble(duration -> duration.toNanos() / 1e9)
                .sum();
    }
}
