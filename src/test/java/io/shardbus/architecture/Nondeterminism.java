package io.shardbus.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** The ways in which Java code reads a clock, draws a random number or sleeps. */
final class Nondeterminism {
    private static final Set<String> SYSTEM_CLOCKS = Set.of("currentTimeMillis", "nanoTime");
    private static final Set<Class<?>> RANDOM_SOURCES = Set.of(
            Random.class, SplittableRandom.class, SecureRandom.class, ThreadLocalRandom.class, RandomGenerator.class);

    private Nondeterminism() {}

    /** An access, by call or by method reference, to such a way. */
    static DescribedPredicate<JavaAccess<?>> access() {
        return DescribedPredicate.describe(
                "reads a clock, draws a random number or sleeps", access -> isNondeterministic(access.getTarget()));
    }

    private static boolean isNondeterministic(AccessTarget target) {
        return readsClock(target) || drawsRandom(target) || sleeps(target);
    }

    private static boolean readsClock(AccessTarget target) {
        var owner = target.getOwner();
        var name = target.getName();
        return owner.isEquivalentTo(System.class) && SYSTEM_CLOCKS.contains(name)
                || owner.getPackageName().startsWith("java.time") && name.equals("now")
                || owner.isEquivalentTo(Clock.class) && (name.startsWith("system") || name.startsWith("tick"))
                || owner.isEquivalentTo(Calendar.class) && name.equals("getInstance")
                || owner.isEquivalentTo(Date.class) && isConstructorWithoutParameters(target);
    }

    private static boolean drawsRandom(AccessTarget target) {
        var owner = target.getOwner();
        return RANDOM_SOURCES.stream().anyMatch(owner::isEquivalentTo)
                || owner.isEquivalentTo(Math.class) && target.getName().equals("random")
                || owner.isEquivalentTo(UUID.class) && target.getName().equals("randomUUID");
    }

    private static boolean sleeps(AccessTarget target) {
        return isSleeper(target.getOwner()) && target.getName().equals("sleep")
                || target.getOwner().isEquivalentTo(LockSupport.class)
                        && target.getName().startsWith("park");
    }

    private static boolean isSleeper(JavaClass owner) {
        return owner.isEquivalentTo(Thread.class) || owner.isEquivalentTo(TimeUnit.class);
    }

    private static boolean isConstructorWithoutParameters(AccessTarget target) {
        return target instanceof AccessTarget.CodeUnitAccessTarget codeUnit
                && codeUnit.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
                && codeUnit.getRawParameterTypes().isEmpty();
    }
}
