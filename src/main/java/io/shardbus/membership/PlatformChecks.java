package io.shardbus.membership;

import io.shardbus.membership.detection.Overrides;
import io.shardbus.membership.detection.QuietBundler;
import io.shardbus.membership.detection.StockProtocols;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.infinispan.commons.util.Version;
import org.jgroups.stack.ProtocolStack;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks of the platform before a node joins: the JVM, the libraries on the class path, the JGroups stack. */
final class PlatformChecks {
    private static final Logger LOG = LoggerFactory.getLogger(PlatformChecks.class);

    private PlatformChecks() {}

    /**
     * @throws IllegalStateException if one of these methods of a cluster manager overrides none of the stock manager
     */
    static void requireOverrides(Class<?> manager, Set<String> methods) {
        var missing = Overrides.missing(manager, method -> methods.contains(method.getName()));
        if (!missing.isEmpty()) {
            throw new IllegalStateException(String.join(", ", missing)
                    + " overrides nothing in the vertx-infinispan on the class path: use the one that "
                    + "this release of Shardbus brings");
        }
    }

    /** @throws IllegalStateException if Infinispan cannot run on this Java; call it before this node is in any view */
    static void requireJava() {
        InfinispanVersion.refusal(
                        Version.getVersion(), Runtime.version().feature(), System.getProperty("java.security.manager"))
                .ifPresent(reason -> {
                    throw new IllegalStateException(reason);
                });
    }

    /** Warns if the versions on the class path were not tested together, or one has a known fault. */
    static void warn() {
        var infinispan = Version.getVersion();
        InfinispanVersion.complaint(infinispan)
                .or(() -> TestedPlatform.complaint(
                        infinispan, org.jgroups.Version.printVersion(), PlatformChecks.class.getClassLoader()))
                .ifPresent(LOG::warn);
    }

    static void warnOfStockProtocols(Optional<ProtocolStack> stack) {
        var better =
                stack.map(ProtocolStack::getProtocols).map(StockProtocols::in).orElse(List.of());
        if (!better.isEmpty()) {
            LOG.warn(
                    "the JGroups stack has stock protocols with which lost nodes are noticed late and split"
                            + " clusters merge late; use {}",
                    better);
        }
        if (stack.map(ProtocolStack::getProtocols)
                .map(StockProtocols::mayBusyLoop)
                .orElse(false)) {
            LOG.warn(
                    "the transport of the JGroups stack has a bundler that may occupy a whole processor for ever after"
                            + " a member has left; set its bundler_type to {}",
                    QuietBundler.class.getName());
        }
    }
}
