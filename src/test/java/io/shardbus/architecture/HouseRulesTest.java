package io.shardbus.architecture;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The product keeps the rules of the house. */
@AnalyzeClasses(locations = MainClasses.class)
class HouseRulesTest {
    private static final House HOUSE = new House("io.shardbus");

    @ArchTest
    static final ArchRule coreIsPure = HOUSE.coreIsPure();

    @ArchTest
    static final ArchRule eventBusOnlyInTransport = HOUSE.eventBusOnlyInTransport();

    @ArchTest
    static final ArchRule infinispanOnlyInMembershipAndStore = HOUSE.infinispanOnlyInMembershipAndStore();

    @ArchTest
    static final ArchRule webOnlyInAdmin = HOUSE.webOnlyInAdmin();

    @ArchTest
    static final ArchRule postgresOnlyInItsStore = HOUSE.postgresOnlyInItsStore();

    @ArchTest
    static final ArchRule jdbcOnlyInStoreOfSqlite = HOUSE.jdbcOnlyInStoreOfSqlite();

    @ArchTest
    static final ArchRule metricsLibrariesOnlyInMetrics = HOUSE.metricsLibrariesOnlyInMetrics();

    @ArchTest
    static final ArchRule commandLineLibraryOnlyInCli = HOUSE.commandLineLibraryOnlyInCli();

    @ArchTest
    static final ArchRule cliUsesNothingElseOfTheHouse = HOUSE.cliUsesNothingElseOfTheHouse();

    @ArchTest
    static final ArchRule noCyclesBetweenPackages = HOUSE.noCyclesBetweenPackages();

    @ArchTest
    static final ArchRule noClockRandomOrSleepOutsideClock = HOUSE.noClockRandomOrSleepOutsideClock();

    @ArchTest
    static final ArchRule noSynchronizedMethodsInRuntime = HOUSE.noSynchronizedMethodsInRuntime();

    @ArchTest
    static final ArchRule noLocksInRuntime = HOUSE.noLocksInRuntime();
}
