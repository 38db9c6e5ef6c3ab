package io.shardbus.membership;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Versions of Infinispan and JGroups that were tested, and the warning if other versions are loaded, or the class path
 * has one of the libraries twice.
 */
final class TestedPlatform {
    private static final List<Line> LINES = List.of(
            new Line("14.0.29.Final", "5.2.26"), new Line("15.2.6.Final", "5.4.5"), new Line("16.0.7", "5.5.1"));

    /** A class of each library that all its releases have. */
    private static final List<String> MARKS =
            List.of("org/infinispan/manager/DefaultCacheManager.class", "org/jgroups/JChannel.class");

    private TestedPlatform() {}

    private record Line(String infinispan, String jgroups) {
        @Override
        public String toString() {
            return infinispan + " with JGroups " + jgroups;
        }
    }

    /** The warning, in one line; empty if there is nothing to warn of. */
    static Optional<String> complaint(String infinispan, String jgroups, ClassLoader loader) {
        var parts = Stream.concat(
                        MARKS.stream().flatMap(mark -> twice(mark, loader)), untested(infinispan, jgroups).stream())
                .toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    private static Optional<String> untested(String infinispan, String jgroups) {
        return LINES.contains(new Line(infinispan, jgroups))
                ? Optional.empty()
                : Optional.of("Infinispan " + infinispan + " with JGroups " + jgroups
                        + " was not tested; this build was tested with " + LINES);
    }

    /** The warning if a library is on the class path twice: the order of the path then decides which one is loaded. */
    private static Stream<String> twice(String mark, ClassLoader loader) {
        try {
            var places = Collections.list(loader.getResources(mark)).stream()
                    .map(URL::toString)
                    .distinct()
                    .toList();
            return places.size() < 2
                    ? Stream.empty()
                    : Stream.of("the class path has " + places.size() + " copies of " + mark + ", exclude all but one: "
                            + places);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
