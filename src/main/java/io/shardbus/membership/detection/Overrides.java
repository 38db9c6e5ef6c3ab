package io.shardbus.membership.detection;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jgroups.Version;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that the methods which a class overrides in a library exist in the loaded release. A method that overrides
 * nothing is never called, and no error shows that if the library is replaced after compilation: with JGroups 5.5.3 and
 * later a dead member was never excluded.
 */
public final class Overrides {
    private static final Logger LOG = LoggerFactory.getLogger(Overrides.class);

    private Overrides() {}

    /**
     * Checks all methods of a protocol except the private and static ones; called by its constructor, so that a stack
     * with such a protocol does not start.
     *
     * @throws IllegalStateException if a method overrides nothing
     */
    static void require(Class<?> protocol) {
        var missing = missing(protocol, method -> true);
        if (!missing.isEmpty()) {
            throw new IllegalStateException(complaint(missing)
                    + ": lost members would not be excluded. Use a release of JGroups that docs/reference/platform.md"
                    + " of Shardbus names");
        }
    }

    /** As {@link #require}, but only warns: for classes that improve speed or logging only. */
    static void prefer(Class<?> replacement) {
        var missing = missing(replacement, method -> true);
        if (!missing.isEmpty()) {
            LOG.warn("{}: the replacement has no effect, messages are still sent", complaint(missing));
        }
    }

    private static String complaint(List<String> missing) {
        return String.join(", ", missing) + " overrides nothing in JGroups " + Version.printVersion();
    }

    /**
     * The methods of a class that override nothing, as class and method with its parameters.
     *
     * @param meant selects the methods that should override; called for no static or private method
     */
    public static List<String> missing(Class<?> type, Predicate<Method> meant) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && isVirtual(method) && meant.test(method))
                .filter(method -> !overrides(type, method))
                .map(method -> type.getSimpleName() + "." + method.getName() + parameters(method))
                .sorted()
                .toList();
    }

    private static String parameters(Method method) {
        return Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", "(", ")"));
    }

    /** Also true if a bridge of the method overrides, after erasure of its parameters or with a wider result. */
    private static boolean overrides(Class<?> type, Method method) {
        return Stream.of(type.getDeclaredMethods())
                .filter(own ->
                        own.equals(method) || (own.isBridge() && own.getName().equals(method.getName())))
                .anyMatch(own -> isInherited(type.getSuperclass(), own));
    }

    private static boolean isInherited(Class<?> from, Method method) {
        for (Class<?> type = from; type != null; type = type.getSuperclass()) {
            var nearest = Stream.of(type.getDeclaredMethods())
                    .filter(inherited -> isOverridable(inherited)
                            && inherited.getName().equals(method.getName())
                            && Arrays.equals(inherited.getParameterTypes(), method.getParameterTypes()))
                    .map(Method::getReturnType)
                    .toList();
            if (!nearest.isEmpty()) {
                return nearest.contains(method.getReturnType());
            }
        }
        return false;
    }

    private static boolean isOverridable(Method method) {
        int modifiers = method.getModifiers();
        return !Modifier.isStatic(modifiers) && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers));
    }

    private static boolean isVirtual(Method method) {
        int modifiers = method.getModifiers();
        return !Modifier.isStatic(modifiers) && !Modifier.isPrivate(modifiers);
    }
}
