package io.shardbus.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Real bytes with mistakes in them, from a seed: {@code -Dshardbus.fuzz.seed=N} replays a run,
 * {@code -Dshardbus.fuzz.mutants=N} makes so many for each decoder.
 */
public final class Mutants {
    private static final int USUAL = 20_000;
    /** What a decoder may allocate for any input, and for each byte of it. */
    private static final long ALLOWANCE = 64 * 1024;

    private static final long PER_BYTE = 400;

    private static final byte[] EXTREMES = {0, 1, -1, 0x7f, (byte) 0x80, 0x40};
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long seed;
    private final SplittableRandom dice;
    private final List<byte[]> real;

    /** @param real bytes that a node writes */
    public Mutants(List<byte[]> real) {
        this.seed = Long.getLong("shardbus.fuzz.seed", System.nanoTime());
        this.dice = new SplittableRandom(seed);
        this.real = real;
    }

    public static int count() {
        return Integer.getInteger("shardbus.fuzz.mutants", USUAL);
    }

    /** The next one. */
    public byte[] next() {
        byte[] mutant = real.get(dice.nextInt(real.size())).clone();
        int mistakes = 1 + dice.nextInt(dice.nextInt(100) < 80 ? 3 : 20);
        for (int i = 0; i < mistakes; i++) {
            mutant = mistaken(mutant);
        }
        return mutant;
    }

    private byte[] mistaken(byte[] bytes) {
        if (bytes.length == 0) {
            return new byte[] {(byte) dice.nextInt()};
        }
        int at = dice.nextInt(bytes.length);
        switch (dice.nextInt(7)) {
            case 0 -> bytes[at] ^= (byte) (1 << dice.nextInt(Byte.SIZE));
            case 1 -> bytes[at] = EXTREMES[dice.nextInt(EXTREMES.length)];
            case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + 1 + dice.nextInt(10)), (byte) -1);
            case 3 -> bytes[at] = (byte) dice.nextInt();
            case 4 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 5 -> {
                return joined(
                        Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, dice.nextInt(bytes.length), bytes.length));
            }
            default -> {
                byte[] other = real.get(dice.nextInt(real.size()));
                return joined(
                        Arrays.copyOf(bytes, at),
                        Arrays.copyOfRange(other, dice.nextInt(other.length + 1), other.length));
            }
        }
        return bytes;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    /**
     * Has mutants decoded: each gives a value, or one of these exceptions, and takes no more memory than its length
     * allows.
     *
     * @param taker is given what was decoded
     */
    public <T> void decode(Function<byte[], T> decoder, Set<Class<?>> refusals, Consumer<T> taker) {
        for (byte[] bytes : real) {
            // the real ones are taken without an exception
            var unused = decoder.apply(bytes);
        }
        int decoded = 0;
        int refused = 0;
        for (int i = 0; i < count(); i++) {
            byte[] mutant = next();
            T value;
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                value = decoder.apply(mutant);
                decoded++;
            } catch (RuntimeException e) {
                assertTrue(refusals.contains(e.getClass()), () -> text(mutant) + " ended in " + e);
                refused++;
                continue;
            }
            long first = THREADS.getCurrentThreadAllocatedBytes() - before;
            long allowed = ALLOWANCE + PER_BYTE * mutant.length;
            // the first use of a way through the decoder loads its classes
            long taken = first <= allowed ? first : allocated(decoder, mutant);
            assertTrue(taken <= allowed, () -> text(mutant) + " took " + taken + " bytes of memory");
            try {
                taker.accept(value);
            } catch (RuntimeException | Error e) {
                throw new AssertionError(text(mutant) + " was decoded to " + value, e);
            }
        }
        int seen = refused;
        assertTrue(decoded > 0 && refused > 0, () -> "seed " + seed + ": " + seen + " of " + count() + " were refused");
    }

    private static <T> long allocated(Function<byte[], T> decoder, byte[] mutant) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        var unused = decoder.apply(mutant);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private String text(byte[] mutant) {
        return "seed " + seed + ", " + HexFormat.of().formatHex(mutant);
    }
}
