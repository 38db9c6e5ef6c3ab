package io.shardbus.runtime.node;

import io.shardbus.model.NodeStatus;
import io.vertx.core.internal.VertxInternal;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Status of the process, as the Java runtime reports it. Any thread. */
final class ProcessStatus {
    private static final String UNKNOWN = "unknown";
    private final Map<String, String> versions = new TreeMap<>();

    ProcessStatus() {
        versions.put("java", Runtime.version().toString());
        versions.put("shardbus", of(ProcessStatus.class));
        versions.put("vertx", VertxInternal.version());
        versions.put("infinispan", named("org.infinispan.Cache"));
        versions.put("jgroups", named("org.jgroups.JChannel"));
    }

    private static String named(String type) {
        try {
            return of(Class.forName(type, false, ProcessStatus.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return UNKNOWN;
        }
    }

    private static String of(Class<?> type) {
        return Optional.ofNullable(type.getPackage().getImplementationVersion()).orElse(UNKNOWN);
    }

    /** Versions of the software that the node runs, by name. */
    Map<String, String> versions() {
        return versions;
    }

    NodeStatus look(
            long loopLagMs,
            long term,
            boolean coordinating,
            long clock,
            long leaseLeftMs,
            Map<String, String> options,
            Map<String, Long> unheard) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return new NodeStatus(
                ManagementFactory.getRuntimeMXBean().getStartTime(),
                cpu(),
                heap.getUsed(),
                heap.getMax(),
                loopLagMs,
                term,
                coordinating,
                versions,
                clock,
                leaseLeftMs,
                options,
                unheard);
    }

    private static double cpu() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getProcessCpuLoad()
                : -1;
    }
}
