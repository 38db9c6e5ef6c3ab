package bench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.cluster.sharding.typed.ShardingEnvelope;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;

/**
 * args: host | client | local, then key=value.
 * host: joins and hosts shards until killed. client: joins as a proxy, drives load. local: one node does both.
 */
public final class PekkoBench {
    static final EntityTypeKey<Wire.Add> KEY = EntityTypeKey.create(Wire.Add.class, "Counter");

    static final class Counter extends AbstractBehavior<Wire.Add> {
        private long total;

        Counter(ActorContext<Wire.Add> c) {
            super(c);
        }

        @Override
        public Receive<Wire.Add> createReceive() {
            return newReceiveBuilder().onMessage(Wire.Add.class, this::add).build();
        }

        private Behavior<Wire.Add> add(Wire.Add m) {
            total += m.amount();
            if (m.replyTo() != null) m.replyTo().tell(new Wire.Total(total));
            return this;
        }
    }

    static Config config(String role, int port) {
        return ConfigFactory.parseString(String.join(
                        "\n",
                        "pekko.loglevel=OFF",
                        "pekko.stdout-loglevel=OFF",
                        "pekko.actor.provider=cluster",
                        "pekko.remote.artery.transport=tcp",
                        "pekko.remote.artery.canonical.hostname=127.0.0.1",
                        "pekko.remote.artery.canonical.port=" + port,
                        "pekko.remote.artery.advanced.outbound-message-queue-size=300000",
                        "pekko.cluster.seed-nodes=[\"pekko://bench@127.0.0.1:25551\"]",
                        "pekko.cluster.roles=[" + role + "]",
                        "pekko.cluster.downing-provider-class="
                                + "\"org.apache.pekko.cluster.sbr.SplitBrainResolverProvider\"",
                        "pekko.cluster.sharding.number-of-shards=100",
                        "pekko.cluster.sharding.passivation.strategy=none",
                        "pekko.actor.allow-java-serialization=off",
                        "pekko.actor.serializers.w=\"bench.Wire\"",
                        "pekko.actor.serialization-bindings{\"bench.Wire$Add\"=w,\"bench.Wire$Total\"=w}"))
                .withFallback(ConfigFactory.load());
    }

    public static void main(String[] args) throws Exception {
        String mode = args[0];
        boolean client = mode.equals("client") || mode.equals("probe");
        int port = args.length > 1 ? Integer.parseInt(args[1]) : client ? 25552 : 25551;
        ActorSystem<Void> system =
                ActorSystem.create(Behaviors.empty(), "bench", config(client ? "client" : "host", port));
        ActorRef<ShardingEnvelope<Wire.Add>> region = ClusterSharding.get(system)
                .init(Entity.of(KEY, c -> Behaviors.setup(Counter::new)).withRole("host"));
        if (mode.equals("host")) {
            Thread.currentThread().join();
        }
        if (mode.equals("probe")) {
            new Probe(system, 300).run(Integer.parseInt(args[2]));
            System.exit(0);
        }
        int entities = 10_000;
        String[] ids = new String[entities];
        for (int i = 0; i < entities; i++) ids[i] = "counter-" + i;
        Load load = new Load(system, region, ids);
        int rounds = Integer.getInteger("bench.rounds", 3);
        load.ask(200_000, 256, 0);
        for (int r = 0; r < rounds; r++) load.tell(1_000_000, 100_000, 0);
        for (int r = 0; r < rounds; r++) load.ask(100_000, 256, 0);
        for (int r = 0; r < rounds; r++) load.tell(2_000_000, 100_000, 0);
        for (int r = 0; r < rounds; r++) load.ask(200_000, 256, 0);
        for (int r = 0; r < rounds; r++) load.ask(20_000, 1, 0);
        for (int r = 0; r < rounds; r++) load.tell(500_000, 100_000, 1024);
        for (int r = 0; r < rounds; r++) load.ask(100_000, 256, 1024);
        if (mode.equals("local")) load.activate(1_000_000);
        system.terminate();
        system.getWhenTerminated().toCompletableFuture().join();
        System.exit(0);
    }

    /** Asks each of `n` entities every 20 ms; reports, per entity, the longest time without an answer. */
    static final class Probe {
        final ActorSystem<?> system;
        final int n;
        final long[] lastOk, gap;
        final AtomicInteger ok = new AtomicInteger(), failed = new AtomicInteger();

        Probe(ActorSystem<?> s, int n) {
            system = s;
            this.n = n;
            lastOk = new long[n];
            gap = new long[n];
        }

        void run(int seconds) throws Exception {
            ClusterSharding sharding = ClusterSharding.get(system);
            for (int i = 0; i < n; i++)
                sharding.entityRefFor(KEY, "probe-" + i)
                        .<Wire.Total>ask(r -> new Wire.Add(1, r), Duration.ofSeconds(30))
                        .toCompletableFuture()
                        .join();
            System.out.println("ready");
            java.util.Arrays.fill(lastOk, System.nanoTime());
            long end = System.nanoTime() + seconds * 1_000_000_000L;
            while (System.nanoTime() < end) {
                for (int i = 0; i < n; i++) {
                    int e = i;
                    sharding.entityRefFor(KEY, "probe-" + e)
                            .<Wire.Total>ask(r -> new Wire.Add(1, r), Duration.ofSeconds(1))
                            .whenComplete((t, err) -> {
                                if (err != null) {
                                    failed.incrementAndGet();
                                    return;
                                }
                                ok.incrementAndGet();
                                synchronized (gap) {
                                    long now = System.nanoTime();
                                    if (now - lastOk[e] > gap[e]) gap[e] = now - lastOk[e];
                                    lastOk[e] = now;
                                }
                            });
                }
                Thread.sleep(20);
            }
            Thread.sleep(1500);
            synchronized (gap) {
                Arrays.sort(gap);
            }
            long late = 0;
            for (long l : lastOk) if (System.nanoTime() - l > 4e9) late++;
            System.out.printf(
                    Locale.ROOT,
                    "probe ok=%d failed=%d gap_ms: median=%.0f p90=%.0f max=%.0f still_silent=%d%n",
                    ok.get(),
                    failed.get(),
                    gap[n / 2] / 1e6,
                    gap[(int) (n * .9)] / 1e6,
                    gap[n - 1] / 1e6,
                    late);
        }
    }

    static final class Load {
        final ActorSystem<?> system;
        final ActorRef<ShardingEnvelope<Wire.Add>> region;
        final String[] ids;
        static final AtomicInteger names = new AtomicInteger();

        Load(ActorSystem<?> s, ActorRef<ShardingEnvelope<Wire.Add>> r, String[] ids) {
            system = s;
            region = r;
            this.ids = ids;
        }

        ActorRef<Wire.Total> sink(Runnable onReply) {
            return system.systemActorOf(
                    Behaviors.receive(Wire.Total.class)
                            .onMessage(Wire.Total.class, t -> {
                                onReply.run();
                                return Behaviors.same();
                            })
                            .build(),
                    "sink-" + names.incrementAndGet(),
                    org.apache.pekko.actor.typed.Props.empty());
        }

        /** Tells, with an acknowledgement every 1000 messages so that at most `window` are outstanding. */
        void tell(int n, int window, int payload) throws Exception {
            byte[] padding = new byte[payload];
            double cpu = cpu();
            Semaphore permits = new Semaphore(window / 1000);
            ActorRef<Wire.Total> ack = sink(permits::release);
            long t0 = System.nanoTime();
            int e = 0;
            for (int i = 1; i <= n; i++) {
                boolean last = i % 1000 == 0;
                if (last) permits.acquire();
                region.tell(new ShardingEnvelope<>(ids[e], new Wire.Add(1, last ? ack : null, padding)));
                if (++e == ids.length) e = 0;
            }
            permits.acquire(window / 1000);
            CountDownLatch all = new CountDownLatch(ids.length); // a barrier through every entity
            ActorRef<Wire.Total> barrier = sink(all::countDown);
            for (String id : ids) region.tell(new ShardingEnvelope<>(id, new Wire.Add(0, barrier)));
            all.await();
            double s = (System.nanoTime() - t0) / 1e9;
            System.out.printf(Locale.ROOT, "tell%s msgs_per_s=%.0f%n", size(payload), n / s);
            System.out.printf(Locale.ROOT, "tell%s msgs_per_cpu_s=%.0f%n", size(payload), n / (cpu() - cpu));
        }

        /**
         * A closed loop of `window` chains: each reply sends that chain's next ask, on the thread that completed it.
         */
        void ask(int n, int window, int payload) throws Exception {
            byte[] padding = new byte[payload];
            double cpu = cpu();
            long[] nanos = new long[n];
            AtomicInteger next = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(n);
            ClusterSharding sharding = ClusterSharding.get(system);
            Runnable[] chain = new Runnable[1];
            chain[0] = () -> {
                int i = next.getAndIncrement();
                if (i >= n) return;
                long start = System.nanoTime();
                sharding.entityRefFor(KEY, ids[i % ids.length])
                        .<Wire.Total>ask(r -> new Wire.Add(1, r, padding), Duration.ofSeconds(20))
                        .whenComplete((t, err) -> {
                            if (err != null) {
                                err.printStackTrace();
                                System.exit(3);
                            }
                            nanos[i] = System.nanoTime() - start;
                            all.countDown();
                            chain[0].run();
                        });
            };
            long t0 = System.nanoTime();
            for (int w = 0; w < window; w++) system.executionContext().execute(chain[0]);
            all.await();
            double s = (System.nanoTime() - t0) / 1e9;
            Arrays.sort(nanos);
            System.out.printf(
                    Locale.ROOT,
                    "ask%s window=%d asks_per_s=%.0f p50_us=%.1f p99_us=%.1f p999_us=%.1f%n",
                    size(payload),
                    window,
                    n / s,
                    nanos[n / 2] / 1e3,
                    nanos[(int) (n * .99)] / 1e3,
                    nanos[(int) (n * .999)] / 1e3);
            System.out.printf(
                    Locale.ROOT, "ask%s window=%d asks_per_cpu_s=%.0f%n", size(payload), window, n / (cpu() - cpu));
        }

        void activate(int n) throws Exception {
            System.gc();
            Thread.sleep(500);
            System.gc();
            long before = used();
            CountDownLatch all = new CountDownLatch(n);
            ActorRef<Wire.Total> sink = sink(all::countDown);
            double cpu = cpu();
            long t0 = System.nanoTime();
            for (int i = 0; i < n; i++) region.tell(new ShardingEnvelope<>("fresh-" + i, new Wire.Add(1, sink)));
            all.await();
            double s = (System.nanoTime() - t0) / 1e9;
            double used = cpu() - cpu;
            System.gc();
            Thread.sleep(500);
            System.gc();
            System.out.printf(
                    Locale.ROOT,
                    "activate entities_per_s=%.0f bytes_per_entity=%.0f%n",
                    n / s,
                    (used() - before) / (double) n);
            System.out.printf(Locale.ROOT, "activate entities_per_cpu_s=%.0f%n", n / used);
        }

        static String size(int payload) {
            return payload == 0 ? "" : " payload=" + payload;
        }

        /** Seconds of processor time of this process, and of the host if there is another one. */
        static double cpu() {
            return Stream.of(ProcessHandle.current().pid(), Long.getLong("bench.host", -1))
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .flatMap(p -> p.info().totalCpuDuration().stream())
                    .mapToDouble(d -> d.toNanos() / 1e9)
                    .sum();
        }

        static long used() {
            Runtime r = Runtime.getRuntime();
            return r.totalMemory() - r.freeMemory();
        }
    }
}
