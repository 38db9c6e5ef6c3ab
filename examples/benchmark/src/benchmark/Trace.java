package benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

/**
 * A way in which ids are used: the same numbers for the same name.
 *
 * @param id the id of the n-th access
 */
record Trace(String name, IntUnaryOperator id) {
    private static final int IDS = 50_000;

    /** @param limit how many may be active: what a trace asks for is a multiple of it */
    static List<Trace> all(int limit) {
        return List.of(zipf(), scan(limit), loop(limit), shifting(limit));
    }

    /** Few ids are used very often, many seldom. */
    private static Trace zipf() {
        var random = new Random(1);
        var sums = new double[IDS];
        double sum = 0;
        for (int i = 0; i < IDS; i++) {
            sum += Math.pow(i + 1, -0.9);
            sums[i] = sum;
        }
        double all = sum;
        return new Trace("zipf", n -> scattered(firstAbove(sums, random.nextDouble() * all)));
    }

    private static int firstAbove(double[] sums, double value) {
        int found = Arrays.binarySearch(sums, value);
        return found >= 0 ? found : -found - 1;
    }

    /** Ids that are used often are no neighbours. */
    private static int scattered(int rank) {
        return (int) ((rank * 7919L) % IDS);
    }

    /** A hot set, and between its uses runs over ids that come once. */
    private static Trace scan(int limit) {
        var random = new Random(2);
        return new Trace(
                "scan", n -> n / limit % 3 == 2 ? IDS + n : (int) (Math.abs(random.nextGaussian()) * limit / 2));
    }

    /** Round and round over more ids than may be active. */
    private static Trace loop(int limit) {
        return new Trace("loop", n -> n % (limit * 3 / 2));
    }

    /** Nine of ten accesses are to a hot set, which is another one after each ten times the limit. */
    private static Trace shifting(int limit) {
        var random = new Random(3);
        return new Trace("shifting", n -> {
            int hot = n / (limit * 10) * limit;
            return random.nextInt(10) == 0 ? IDS + random.nextInt(IDS * 10) : hot + random.nextInt(limit / 2);
        });
    }
}
