package io.shardbus.simulation.bugs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulator is worth what it catches: each of these mistakes, put into the core on purpose, must break a promise in few seeds.
 * {@code -Pseeded-bugs} tries all of them and measures how often they are caught; an ordinary build tries those that show at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class SeededBugsTest {
    private static final boolean ALL = Boolean.getBoolean("shardbus.bugs.all");
    private static final int MEASURED_SEEDS = Integer.getInteger("shardbus.bugs.seeds", 200);
    private static final int AT_ONCE = 6;
    private static final long ORDINARY_BUILD_MILLIS = 30_000;
    private static final List<String> ROWS = Collections.synchronizedList(new ArrayList<>());
    private static final AtomicLong SPENT = new AtomicLong();

    static Stream<SeededBug> bugs() {
        return SeededBugs.caught().filter(bug -> ALL || bug.within() <= AT_ONCE);
    }

    static Stream<SeededBug> fencedTwice() {
        return SeededBugs.fencedTwice().filter(bug -> ALL);
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void isCaught(SeededBug bug) {
        Assumptions.assumeTrue(ALL || SPENT.get() < ORDINARY_BUILD_MILLIS, "the time of an ordinary build is over");
        long start = System.nanoTime();
        int first = ALL ? measure(bug) : first(bug);
        SPENT.addAndGet((System.nanoTime() - start) / 1_000_000);
        assertTrue(first > 0, bug + " was not caught in " + bug.within() + " seeds of " + bug.family());
    }

    /** No run has shown harm from these: another rule holds without them, or only time is lost. One that is caught moves to the others. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("fencedTwice")
    void isStillFencedByAnotherRule(SeededBug bug) {
        assertEquals(0, measure(bug), bug + " is caught now: it belongs to the others");
    }

    private static int first(SeededBug bug) {
        MutatedCore core = new MutatedCore(bug);
        for (int seed = 1; seed <= bug.within(); seed++) {
            if (!core.broken(bug.family(), seed).isEmpty()) {
                return seed;
            }
        }
        return 0;
    }

    /** Tries many seeds, and keeps a row for the table; returns the first that caught it, if that was soon enough. */
    private static int measure(SeededBug bug) {
        MutatedCore core = new MutatedCore(bug);
        int seeds = Math.max(MEASURED_SEEDS, bug.within());
        int first = 0;
        int caught = 0;
        Set<String> kinds = new TreeSet<>();
        for (int seed = 1; seed <= seeds; seed++) {
            String broken = core.broken(bug.family(), seed);
            if (!broken.isEmpty()) {
                caught++;
                first = first == 0 ? seed : first;
                kinds.add(broken.substring(0, broken.indexOf(':')));
            }
        }
        String row = "| %s | %s | %s | %d of %d | %s | %s |"
                .formatted(
                        bug.rule(),
                        bug.name(),
                        bug.family(),
                        caught,
                        seeds,
                        first == 0 ? "" : first,
                        String.join(", ", kinds));
        ROWS.add(row);
        return first <= bug.within() ? first : 0;
    }

    @Test
    void eachHasItsPlaceInTheSource() {
        assertAll(Stream.concat(SeededBugs.caught(), SeededBugs.fencedTwice())
                .map(bug -> () -> assertTrue(MutatedCore.mutatedSources(bug).size() > 0)));
    }

    @Test
    void thereAreTwentyOfThem() {
        assertTrue(SeededBugs.caught().count() >= 20);
    }

    @AfterAll
    static void writeTable() throws IOException {
        if (!ROWS.isEmpty()) {
            Path table = Path.of(System.getProperty("shardbus.bugs.table", "target/seeded-bugs.md"));
            Files.write(table, ROWS);
        }
    }
}
