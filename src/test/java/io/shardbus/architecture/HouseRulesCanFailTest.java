package io.shardbus.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.shardbus.architecture.fixture.Sharding;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each rule finds the offenders of the fixture, all of them and no other class. */
class HouseRulesCanFailTest {
    private static final String ROOT = Sharding.class.getPackageName();
    private static final House FIXTURE = new House(ROOT);
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(ROOT);

    @Test
    void coreIsPure() {
        assertOffenders(FIXTURE.coreIsPure(), "Concurrent", "OnVertx", "OnInstant", "OnApi", "OnThread");
    }

    @Test
    void eventBusOnlyInTransport() {
        assertOffenders(FIXTURE.eventBusOnlyInTransport(), "BusRegion");
    }

    @Test
    void infinispanOnlyInMembershipAndStore() {
        assertOffenders(FIXTURE.infinispanOnlyInMembershipAndStore(), "InfinispanRegion");
    }

    @Test
    void webOnlyInAdmin() {
        assertOffenders(FIXTURE.webOnlyInAdmin(), "WebRegion");
    }

    @Test
    void postgresOnlyInItsStore() {
        assertOffenders(FIXTURE.postgresOnlyInItsStore(), "PostgresRegion");
    }

    @Test
    void jdbcOnlyInStoreOfSqlite() {
        assertOffenders(FIXTURE.jdbcOnlyInStoreOfSqlite(), "JdbcRegion");
    }

    @Test
    void commandLineLibraryOnlyInCli() {
        assertOffenders(FIXTURE.commandLineLibraryOnlyInCli(), "CommandRegion");
    }

    @Test
    void cliUsesNothingElseOfTheHouse() {
        assertOffenders(FIXTURE.cliUsesNothingElseOfTheHouse(), "ModelCommand");
    }

    @Test
    void noCyclesBetweenPackages() {
        var report = FIXTURE.noCyclesBetweenPackages().evaluate(CLASSES).getFailureReport();

        assertEquals(2, report.getDetails().size(), report::toString);
        assertTrue(report.toString().contains(ROOT + ".membership"), report::toString);
        assertTrue(report.toString().contains(ROOT + ".launcher"), report::toString);
    }

    @Test
    void noClockRandomOrSleepOutsideClock() {
        var calls = Set.of("currentTimeMillis", "nanoTime", "now", "current", "nextInt", "randomUUID", "sleep");
        var rule = FIXTURE.noClockRandomOrSleepOutsideClock();

        assertOffenders(rule, "Clocks");
        assertEquals(new TreeSet<>(calls), found(rule, Pattern.compile("\\.(" + String.join("|", calls) + ")\\(")));
    }

    @Test
    void noSynchronizedMethodsInRuntime() {
        assertOffenders(FIXTURE.noSynchronizedMethodsInRuntime(), "MethodLock");
    }

    @Test
    void noLocksInRuntime() {
        assertOffenders(FIXTURE.noLocksInRuntime(), "ReentrantRegion");
    }

    /** The offender is the first class that a violation names. */
    private static void assertOffenders(ArchRule rule, String... simpleNames) {
        var firstType = Pattern.compile("^.*?" + Pattern.quote(ROOT) + "[a-z.]*\\.([A-Z]\\w*)");
        assertEquals(new TreeSet<>(Arrays.asList(simpleNames)), found(rule, firstType));
    }

    private static Set<String> found(ArchRule rule, Pattern pattern) {
        return details(rule).stream()
                .flatMap(detail -> pattern.matcher(detail).results())
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> details(ArchRule rule) {
        return Set.copyOf(rule.evaluate(CLASSES).getFailureReport().getDetails());
    }
}
