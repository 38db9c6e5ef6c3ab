package io.shardbus.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Counts the top-level types of each package. */
final class AtMostTypesPerPackage extends ArchCondition<JavaClass> {
    private final int limit;
    private final TreeMap<String, SortedSet<String>> types = new TreeMap<>();

    AtMostTypesPerPackage(int limit) {
        super("be at most " + limit + " top-level types in a package");
        this.limit = limit;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        if (type.isTopLevelClass() && !type.getSimpleName().equals("package-info")) {
            types.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>())
                    .add(type.getSimpleName());
        }
    }

    @Override
    public void finish(ConditionEvents events) {
        types.forEach((name, members) -> events.add(new SimpleConditionEvent(
                name,
                members.size() <= limit,
                "%s has %d types, more than %d: %s".formatted(name, members.size(), limit, members))));
    }
}
