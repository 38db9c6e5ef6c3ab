package io.shardbus.simulation.bugs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
 * The simulator is worth what it catches: each of these mistakes, put into the core on purpose, must break a promise in
 * few seeds. {@code -Pseeded-bugs} tries all of them and measures how often they are caught; an ordinary build tries
 * those that show at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class SeededBugsTest {
    /** Only those whose names contain this, also slow ones. */
    private static final String ONLY = System.getProperty("shardbus.bugs.only", "");

    private static final boolean ALL = Boolean.getBoolean("shardbus.bugs.all") || !ONLY.isEmpty();
    private static final int MORE_SEEDS = Integer.getInteger("shardbus.bugs.seeds", 40);
    /** An ordinary build tries those that are caught within so many seeds: every other seed catches them. */
    private static final int AT_ONCE = 10;

    private static final long ORDINARY_BUILD_MILLIS = 20_000;
    /** So many are tried in any case. */
    private static final int AT_LEAST = 10;

    /** Raised with each new mistake. */
    private static final int FEWEST = 208;

    private static final Map<String, String> ROWS = new ConcurrentHashMap<>();
    private static final AtomicLong SPENT = new AtomicLong();
    private static final AtomicInteger TRIED = new AtomicInteger();
    private static final AtomicInteger LEFT_OUT = new AtomicInteger();

    static Stream<SeededBug> bugs() {
        return SeededBugs.caught().filter(bug -> bug.name().contains(ONLY) && (ALL || bug.within() <= AT_ONCE));
    }

    static Stream<SeededBug> fencedTwice() {
        return SeededBugs.fencedTwice().filter(bug -> ALL && bug.name().contains(ONLY));
    }

    @ParameterizedTest
    @MethodSource("bugs")
    void isCaught(SeededBug bug) {
        // however slow the machine is, so many are tried
        boolean tried = ALL || TRIED.getAndIncrement() < AT_LEAST || SPENT.get() < ORDINARY_BUILD_MILLIS;
        if (!tried) {
            LEFT_OUT.incrementAndGet();
        }
        Assumptions.assumeTrue(tried, () -> bug + " was left out: the time of an ordinary build is over");
        long start = System.nanoTime();
        int first = ALL ? measure(bug) : first(bug);
        SPENT.addAndGet((System.nanoTime() - start) / 1_000_000);
        assertTrue(first > 0, bug + " was not caught in " + bug.within() + " seeds of " + bug.family());
    }

    /**
     * No run has shown harm from these: another rule holds without them, or only time is lost. One that is caught moves
     * to the others.
     */
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
        int seeds = bug.isCaught() ? bug.seeds() : MORE_SEEDS;
        int first = 0;
        int caught = 0;
        Set<String> kinds = new TreeSet<>();
        for (int seed = 1; seed <= seeds || first == 0 && seed <= bug.within(); seed++) {
            String broken = core.broken(bug.family(), seed);
            if (!broken.isEmpty()) {
                caught += seed <= seeds ? 1 : 0;
                first = first == 0 ? seed : first;
                kinds.add(broken.substring(0, broken.indexOf(':')));
            }
        }
        ROWS.put(bug.name(), bug.row(first, caught) + " " + String.join(", ", kinds) + " |");
        return bug.isCaught() && first > bug.within() ? 0 : first;
    }

    @Test
    void eachHasItsPlaceInTheSource() {
        assertAll(Stream.concat(SeededBugs.caught(), SeededBugs.fencedTwice())
                .map(bug -> () -> assertTrue(MutatedCore.mutatedSources(bug).size() > 0)));
    }

    /** A list that is left out of the stream loses its mistakes. */
    @Test
    void noneIsLost() {
        long count = SeededBugs.caught().count();
        assertTrue(count >= FEWEST, () -> count + " of " + FEWEST);
    }

    /** What is known of each is in the documentation, as it is in the source. */
    @Test
    void theTableIsInTheDocumentation() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("docs/internals/simulation.md"));
        assertAll(Stream.concat(
                SeededBugs.caught()
                        .map(bug -> () -> assertTrue(
                                lines.stream().anyMatch(line -> line.startsWith(bug.row())), "missing: " + bug.row())),
                SeededBugs.fencedTwice()
                        .map(bug -> () -> assertTrue(
                                lines.stream().anyMatch(line -> line.startsWith("- " + bug + " (" + bug.rule() + ")")),
                                "missing: - " + bug + " (" + bug.rule() + ")"))));
    }

    /** The rows, and the entries of the list of those that are not caught, that are about no bug of the source. */
    private static List<String> strangers(List<String> lines) {
        var rows = SeededBugs.caught().map(SeededBug::row).toList();
        var entries = SeededBugs.fencedTwice()
                .map(bug -> "- " + bug + " (" + bug.rule() + ")")
                .toList();
        var table = lines.stream()
                .dropWhile(line -> !line.startsWith("| Rule | Mistake |"))
                .skip(2)
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> rows.stream().noneMatch(line::startsWith));
        var list = lines.stream()
                .dropWhile(line -> !line.startsWith("Not caught, and why"))
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("- ") && entries.stream().noneMatch(line::startsWith));
        return Stream.concat(table, list).toList();
    }

    /** A bug that is gone from the source takes its row along. */
    @Test
    void theDocumentationHasNoOther() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("docs/internals/simulation.md"));
        assertEquals(List.of(), strangers(lines));
        var table = List.of("| Rule | Mistake | Family |", "|---|---|---|", "| 1 | a mistake of yore | hosts |", "");
        var list = List.of("Not caught, and why", "- another one (2): because", "## Long runs", "- no bug");
        assertEquals(
                List.of("| 1 | a mistake of yore | hosts |", "- another one (2): because"),
                strangers(Stream.concat(table.stream(), list.stream()).toList()));
    }

    @AfterAll
    static void sayWhatWasLeftOut() {
        if (LEFT_OUT.get() > 0) {
            System.err.println(LEFT_OUT + " of " + bugs().count() + " seeded bugs were not tried: "
                    + ORDINARY_BUILD_MILLIS + " ms of an ordinary build were over; -Pseeded-bugs tries all");
        }
    }

    @AfterAll
    static void writeTable() throws IOException {
        if (!ROWS.isEmpty()) {
            List<String> table = Stream.concat(SeededBugs.caught(), SeededBugs.fencedTwice())
                    .map(bug -> ROWS.get(bug.name()))
                    .filter(Objects::nonNull)
                    .toList();
            Files.write(Path.of(System.getProperty("shardbus.bugs.table", "target/seeded-bugs.md")), table);
        }
    }
}
