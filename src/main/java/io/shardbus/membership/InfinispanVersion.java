package io.shardbus.membership;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Known faults of Infinispan releases that another dependency may bring in. */
final class InfinispanVersion {
    private static final Pattern FOURTEEN = Pattern.compile("14\\.0\\.(\\d+)\\b.*");
    private static final int FIRST_GOOD = 28;

    private InfinispanVersion() {}

    /**
     * The reason why a release of Infinispan cannot run on a release of Java; it would fail only when it is a member of
     * the cluster. Infinispan 14 asks for the subject of an access control context. Java refuses that from 24 on, and
     * in 23 unless the security manager is allowed.
     *
     * @param java the feature release, such as 17
     * @param securityManager the system property {@code java.security.manager}
     */
    static Optional<String> refusal(String version, int java, @Nullable String securityManager) {
        boolean asks = version.startsWith("14.");
        boolean refuses = java >= 24 || (java == 23 && !"allow".equals(securityManager));
        return asks && refuses
                ? Optional.of("Infinispan " + version + " cannot run on Java " + java
                        + ": run this node with Java 17, or replace it by Infinispan 16.0.7 as "
                        + "docs/reference/platform.md says")
                : Optional.empty();
    }

    /** Warning of a release of 14.0 before 14.0.28, which repeats a refused write at once (ISPN-15984). */
    static Optional<String> complaint(String version) {
        var match = FOURTEEN.matcher(version);
        if (!match.matches() || Integer.parseInt(match.group(1)) >= FIRST_GOOD) {
            return Optional.empty();
        }
        return Optional.of(
                "Infinispan " + version + " is on the class path: while a cluster is split it repeats some writes"
                        + " thousands of times per second. Put 14.0.29.Final into your dependency management for"
                        + " org.infinispan:infinispan-core-jakarta, -commons-jakarta, -multimap-jakarta, "
                        + "-clustered-lock and"
                        + " -clustered-counter.");
    }
}
