package benchmark;

import java.util.Arrays;

/** How long each of many things took. */
final class Times {
    private final long[] nanos;

    /** @param nanos in any order */
    Times(long[] nanos) {
        this.nanos = nanos.clone();
        Arrays.sort(this.nanos);
    }

    int count() {
        return nanos.length;
    }

    /** The time that this share of them did not exceed; not a number if there are none. */
    double micros(double share) {
        int index = Math.min(nanos.length - 1, (int) (nanos.length * share));
        return nanos.length == 0 ? Double.NaN : nanos[index] / 1e3;
    }

    double millis(double share) {
        return micros(share) / 1e3;
    }
}
