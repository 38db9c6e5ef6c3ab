package io.shardbus.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.vertx.core.eventbus.EventBusOptions;
import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;
import java.util.stream.Stream;

/**
 * The rules of the house whose packages lie under one root: the product's own, or the small offending copy that shows
 * that each rule can fail. A rule holds where its packages are still empty.
 *
 * @param root the package that holds the house
 */
record House(String root) {
    private static final DescribedPredicate<JavaClass> PLAIN_JAVA = resideInAnyPackage(
                    "java.lang",
                    "java.lang.annotation",
                    "java.util",
                    "java.util.function",
                    "java.util.stream",
                    "org.jspecify.annotations")
            .and(DescribedPredicate.not(
                    belongToAnyOf(Thread.class, ThreadLocal.class, Runtime.class, Timer.class, TimerTask.class)))
            .or(DescribedPredicate.describe("are java.time.Duration", type -> type.isEquivalentTo(Duration.class)));

    ArchRule coreIsPure() {
        return classes()
                .that()
                .resideInAPackage(under("core"))
                .should()
                .onlyDependOnClassesThat(DescribedPredicate.describe(
                        "are plain Java, the model or the core", type -> isCoreVocabulary(type.getBaseComponentType())))
                .as("core uses only java.lang, java.util, java.time.Duration, the model and itself")
                .because("the simulator must run the same core, from a seed, without threads or clocks")
                .allowEmptyShould(true);
    }

    ArchRule eventBusOnlyInTransport() {
        var eventBus = resideInAnyPackage("io.vertx.core.eventbus..")
                .and(DescribedPredicate.not(belongToAnyOf(EventBusOptions.class)))
                .as("are the event bus");
        return onlyIn(eventBus, "transport");
    }

    ArchRule infinispanOnlyInMembershipAndStore() {
        return onlyIn(resideInAnyPackage("org.infinispan.."), "membership", "store.infinispan");
    }

    ArchRule webOnlyInAdmin() {
        return onlyIn(resideInAnyPackage("io.vertx.ext.web.."), "admin", "launcher");
    }

    ArchRule postgresOnlyInItsStore() {
        return onlyIn(resideInAnyPackage("io.vertx.pgclient..", "io.vertx.sqlclient.."), "store.postgres");
    }

    ArchRule jdbcOnlyInStoreOfSqlite() {
        return onlyIn(resideInAnyPackage("java.sql..", "org.sqlite.."), "store.sqlite");
    }

    ArchRule metricsLibrariesOnlyInMetrics() {
        return onlyIn(resideInAnyPackage("io.micrometer..", "io.prometheus..", "io.vertx.micrometer.."), "metrics");
    }

    ArchRule commandLineLibraryOnlyInCli() {
        return onlyIn(resideInAnyPackage("picocli.."), "cli");
    }

    /** The command line may meet a cluster of another build: it knows the HTTP resources alone. */
    ArchRule cliUsesNothingElseOfTheHouse() {
        return noClasses()
                .that()
                .resideInAPackage(under("cli"))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(root + "..").and(DescribedPredicate.not(resideInAnyPackage(under("cli")))))
                .because("the command line works against a cluster of another build, too")
                .allowEmptyShould(true);
    }

    ArchRule noCyclesBetweenPackages() {
        return slices().assignedFrom(new Packages(root))
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true);
    }

    ArchRule noClockRandomOrSleepOutsideClock() {
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(under("runtime.clock"), root + ".launcher..")
                .and()
                .doNotHaveFullyQualifiedName(root + ".runtime.node.NodeAssembly")
                .and()
                .doNotHaveFullyQualifiedName(root + ".membership.NodeNames")
                .and()
                .doNotHaveFullyQualifiedName(root + ".membership.detection.SuspectCheck")
                .should()
                .accessTargetWhere(Nondeterminism.access())
                .because("there is one clock, in runtime.clock, and everything else is given it; main"
                        + " programs have their own,"
                        + " a node's name and its seeds are random so that no two are alike, and a protocol"
                        + " of JGroups has a clock of its own")
                .allowEmptyShould(true);
    }

    ArchRule noSynchronizedMethodsInRuntime() {
        return noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(under("runtime"))
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("a verticle is the lock")
                .allowEmptyShould(true);
    }

    ArchRule noLocksInRuntime() {
        return noClasses()
                .that()
                .resideInAPackage(under("runtime"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.concurrent.locks..")
                .because("a verticle is the lock")
                .allowEmptyShould(true);
    }

    private ArchRule onlyIn(DescribedPredicate<JavaClass> library, String... homes) {
        var packages = Stream.of(homes).map(this::under).toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(root + "..")
                .and()
                .resideOutsideOfPackages(packages)
                .should()
                .dependOnClassesThat(library)
                .allowEmptyShould(true);
    }

    private boolean isCoreVocabulary(JavaClass type) {
        return type.isPrimitive()
                || PLAIN_JAVA.test(type)
                || resideInAnyPackage(under("core"), under("model")).test(type);
    }

    private String under(String name) {
        return root + "." + name + "..";
    }

    /** Each package is a slice of its own, the root included. */
    private record Packages(String root) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            return name.equals(root) || name.startsWith(root + ".")
                    ? SliceIdentifier.of(name)
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "the packages of " + root;
        }
    }
}
