package io.shardbus.membership;

import java.util.Optional;
import java.util.regex.Pattern;

/** What is wrong with releases of Infinispan that another dependency may bring in. */
final class InfinispanVersion {
    private static final Pattern FOURTEEN = Pattern.compile("14\\.0\\.(\\d+)\\b.*");
    private static final int FIRST_GOOD = 28;

    private InfinispanVersion() {}

    /** What to tell who runs a release of 14.0 that repeats a refused write at once (ISPN-15984). */
    static Optional<String> complaint(String version) {
        var match = FOURTEEN.matcher(version);
        if (!match.matches() || Integer.parseInt(match.group(1)) >= FIRST_GOOD) {
            return Optional.empty();
        }
        return Optional.of(
                "Infinispan " + version + " is on the class path: while a cluster is split it repeats some writes"
                        + " thousands of times per second. Put 14.0.29.Final into your dependency management for"
                        + " org.infinispan:infinispan-core-jakarta, -commons-jakarta, -multimap-jakarta, -clustered-lock and"
                        + " -clustered-counter.");
    }
}
