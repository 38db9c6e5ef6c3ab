package benchmark;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoubleSupplier;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/** A closed loop: chains of which each sends its next call when the answer of the last has come. */
final class Loop {
    private static final long LONGEST_S = 300;

    private final IntUnaryOperator next;
    private final IntFunction<Future<?>> step;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch running;

    /**
     * Calls of a loop.
     *
     * @param perSecond calls
     * @param cpuSeconds processor time for one call
     * @param times of the calls
     */
    record Measured(double perSecond, double cpuSeconds, Times times) {
        /** Things a second, of which each call brings so many. */
        double perSecond(int things) {
            return perSecond * things;
        }

        double perCpuSecond(int things) {
            return things / cpuSeconds;
        }
    }

    private Loop(int chains, IntUnaryOperator next, IntFunction<Future<?>> step) {
        this.next = next;
        this.step = step;
        this.running = new CountDownLatch(chains);
    }

    /** For so long; a step gets the number of its chain. */
    static Measured during(double seconds, int chains, DoubleSupplier cpu, IntFunction<Future<?>> step)
            throws Exception {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        return new Loop(chains, chain -> System.nanoTime() - end < 0 ? chain : -1, step).run(chains, cpu);
    }

    /** So many calls in all; a step gets the number of its call. */
    static Measured times(int calls, int chains, DoubleSupplier cpu, IntFunction<Future<?>> step) throws Exception {
        var counter = new AtomicInteger();
        IntUnaryOperator next = chain -> {
            int call = counter.getAndIncrement();
            return call < calls ? call : -1;
        };
        return new Loop(Math.min(calls, chains), next, step).run(Math.min(calls, chains), cpu);
    }

    private Measured run(int chains, DoubleSupplier cpu) throws Exception {
        List<Chain> all = new ArrayList<>();
        double cpuBefore = cpu.getAsDouble();
        long begin = System.nanoTime();
        for (int i = 0; i < chains; i++) {
            var chain = new Chain(i);
            all.add(chain);
            chain.go();
        }
        if (!running.await(LONGEST_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("calls without an answer after " + LONGEST_S + " s");
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cpuUsed = cpu.getAsDouble() - cpuBefore;
        var failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a call failed", failed);
        }
        var nanos = all.stream().flatMapToLong(chain -> Arrays.stream(chain.nanos, 0, chain.count));
        var times = new Times(nanos.toArray());
        return new Measured(times.count() / seconds, cpuUsed / times.count(), times);
    }

    private final class Chain {
        private final int number;
        private long[] nanos = new long[64];
        private int count;

        Chain(int number) {
            this.number = number;
        }

        void go() {
            int call = next.applyAsInt(number);
            if (call < 0 || failure.get() != null) {
                running.countDown();
                return;
            }
            long start = System.nanoTime();
            step.apply(call).onComplete(answer -> answered(start), this::failed);
        }

        private void answered(long start) {
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = System.nanoTime() - start;
            go();
        }

        private void failed(Throwable cause) {
            failure.compareAndSet(null, cause);
            running.countDown();
        }
    }
}
