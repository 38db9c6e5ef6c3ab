package benchmark;

import io.shardbus.EntityRef;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The work of the peer's load, message for message; each line that the peer prints too looks the same. */
final class Load {
    private static final int ACKNOWLEDGED = 1000;
    private static final int BARRIER = 100_000;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long SETTLE_MS = 500;

    private final Node node;
    private final Cpu cpu;
    private final int entities;
    private final IntFunction<String> ids;

    /** @param entities how many entities the messages go to by turns */
    Load(Node node, Cpu cpu, int entities) {
        this(
                node,
                cpu,
                entities,
                IntStream.range(0, entities).mapToObj(Load::id).toArray(String[]::new));
    }

    private Load(Node node, Cpu cpu, int entities, String[] ids) {
        this(node, cpu, entities, i -> ids[i]);
    }

    private Load(Node node, Cpu cpu, int entities, IntFunction<String> ids) {
        this.node = node;
        this.cpu = cpu;
        this.entities = entities;
        this.ids = ids;
    }

    /** The same entities, whose ids are made for each message: none but the entities themselves keep any. */
    static Load withoutIds(Node node, Cpu cpu, int entities) {
        return new Load(node, cpu, entities, Load::id);
    }

    private static String id(int number) {
        return "counter-" + number;
    }

    /** A reference for each message: ids come from outside, in most programs, and the peer looks up each one too. */
    private EntityRef<CounterMessage> entity(int number) {
        return node.counters().entityRef(ids.apply(number % entities));
    }

    private static Future<Long> ask(EntityRef<CounterMessage> entity, long amount, Buffer padding) {
        return entity.ask(new CounterMessage.AddAndGet(amount, padding), DEADLINE);
    }

    private static void fail(Throwable failure) {
        failure.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    /** Messages per second of wall time, and of processor time of all processes. */
    record Rate(double perSecond, double perCpuSecond) {}

    /**
     * Tells, with an acknowledgement every 1000 messages so that at most {@code window} are outstanding; prints the
     * rates.
     */
    void tell(int count, int window, int payload) throws InterruptedException {
        var rate = tells(count, window, payload);
        print("tell%s msgs_per_s=%.0f", size(payload), rate.perSecond());
        print("tell%s msgs_per_cpu_s=%.0f", size(payload), rate.perCpuSecond());
    }

    /** The same without a word. */
    Rate tells(int count, int window, int payload) throws InterruptedException {
        var padding = Payload.of(payload);
        var permits = new Semaphore(window / ACKNOWLEDGED);
        double cpuBefore = cpu.seconds();
        long begin = System.nanoTime();
        for (int i = 1; i <= count; i++) {
            if (i % ACKNOWLEDGED == 0) {
                permits.acquire();
                ask(entity(i - 1), 1, padding).onComplete(sum -> permits.release(), Load::fail);
            } else {
                entity(i - 1).tell(new CounterMessage.Add(1, padding));
            }
        }
        permits.acquire(window / ACKNOWLEDGED);
        barrier();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Rate(count / seconds, count / (cpu.seconds() - cpuBefore));
    }

    /** Waits for an answer of every entity. */
    private void barrier() throws InterruptedException {
        var permits = new Semaphore(BARRIER);
        for (int i = 0; i < entities; i++) {
            permits.acquire();
            ask(entity(i), 0, Payload.NONE).onComplete(sum -> permits.release(), Load::fail);
        }
        permits.acquire(BARRIER);
    }

    /** Rates of asks, and their times. */
    record Asks(Rate rate, Times times) {}

    /**
     * A closed loop of {@code window} chains: each answer sends that chain's next ask, on the thread that completed it;
     * prints the rates.
     */
    void ask(int count, int window, int payload) throws InterruptedException {
        print("ask" + size(payload), window, asks(count, window, payload));
    }

    /** The same with plain requests of the event bus, as large as an ask, to the process that hosts. */
    void bus(int count, int window) throws InterruptedException {
        var request = Buffer.buffer(new byte[BusEcho.REQUEST_BYTES]);
        print("bus", window, chains(count, window, i -> BusEcho.request(node.vertx(), request)));
    }

    private static void print(String what, int window, Asks asks) {
        print(
                "%s window=%d asks_per_s=%.0f p50_us=%.1f p99_us=%.1f p999_us=%.1f",
                what,
                window,
                asks.rate().perSecond(),
                asks.times().micros(0.5),
                asks.times().micros(0.99),
                asks.times().micros(0.999));
        print("%s window=%d asks_per_cpu_s=%.0f", what, window, asks.rate().perCpuSecond());
    }

    /** The same without a word. */
    Asks asks(int count, int window, int payload) throws InterruptedException {
        var padding = Payload.of(payload);
        return chains(count, window, i -> ask(entity(i), 1, padding));
    }

    private Asks chains(int count, int window, IntFunction<Future<?>> question) throws InterruptedException {
        var chains = new Chains(count, question);
        double cpuBefore = cpu.seconds();
        long begin = System.nanoTime();
        for (int i = 0; i < window; i++) {
            chains.next();
        }
        chains.all.await();
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new Asks(new Rate(count / seconds, count / (cpu.seconds() - cpuBefore)), new Times(chains.nanos));
    }

    private static final class Chains {
        final long[] nanos;
        final CountDownLatch all;
        private final AtomicInteger next = new AtomicInteger();
        private final IntFunction<Future<?>> question;

        Chains(int count, IntFunction<Future<?>> question) {
            this.nanos = new long[count];
            this.all = new CountDownLatch(count);
            this.question = question;
        }

        void next() {
            int i = next.getAndIncrement();
            if (i < nanos.length) {
                long start = System.nanoTime();
                question.apply(i).onComplete(sum -> answered(i, start), Load::fail);
            }
        }

        private void answered(int i, long start) {
            nanos[i] = System.nanoTime() - start;
            all.countDown();
            next();
        }
    }

    /** Asks so many entities that were not used before, all at once. */
    void activate(int count) throws InterruptedException {
        long before = usedAfterCollection();
        var all = new CountDownLatch(count);
        double cpuBefore = cpu.seconds();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            ask(node.counters().entityRef("fresh-" + i), 1, Payload.NONE)
                    .onComplete(sum -> all.countDown(), Load::fail);
        }
        all.await();
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cpuUsed = cpu.seconds() - cpuBefore;
        print(
                "activate entities_per_s=%.0f bytes_per_entity=%.0f",
                count / seconds, (usedAfterCollection() - before) / (double) count);
        print("activate entities_per_cpu_s=%.0f", count / cpuUsed);
    }

    static long usedAfterCollection() throws InterruptedException {
        System.gc();
        TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static String size(int payload) {
        return payload == 0 ? "" : " payload=" + payload;
    }

    private static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
