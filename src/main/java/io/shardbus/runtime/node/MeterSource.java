package io.shardbus.runtime.node;

import io.shardbus.core.control.Seats;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.model.ShardMove;
import io.shardbus.runtime.control.Confirmations;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;

/** Read access of meters to a node. Any thread. */
public final class MeterSource {
    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final ProcessStatus process = new ProcessStatus();

    MeterSource(NodeAssembly assembly, RegionStarter regions) {
        this.assembly = assembly;
        this.regions = regions;
    }

    public Vertx vertx() {
        return assembly.vertx();
    }

    /** The regions that run here, by type. */
    public Map<String, RegionHandle<?>> regions() {
        Map<String, RegionHandle<?>> found = new LinkedHashMap<>();
        regions.all().forEach(region -> found.put(region.handle().type().name(), region.handle()));
        return found;
    }

    /** Whether sharding has closed: nothing more will come. */
    public boolean isClosed() {
        return regions.isClosed() && regions.all().isEmpty();
    }

    public boolean isAvailable() {
        return assembly.isAvailable();
    }

    public boolean isReigning() {
        return assembly.self().equals(assembly.status().coordinator());
    }

    /** Durations of the confirmations of this node's reigns. */
    public Confirmations confirmations() {
        return assembly.control().confirmations();
    }

    public long term() {
        return assembly.status().term();
    }

    /** By how much the last tick of the node's control plane came late, in milliseconds. */
    public long loopLag() {
        return assembly.status().loopLag();
    }

    public int members() {
        return assembly.status().picture().members().size();
    }

    /**
     * Number of members of the complete cluster: the number of seats if they are listed, otherwise of present members.
     */
    public int expectedMembers() {
        Seats seats = assembly.parts().membership().seats();
        return seats.kind() == Seats.Kind.LISTED ? Math.max(seats.names().size(), members()) : members();
    }

    /** Number of messages on the node's addresses that were refused: of strangers, unsealed, or not readable. */
    public long refusedMessages() {
        return assembly.parts().transport().refused();
    }

    /** Number of control messages and items of frames that were skipped as only a later build knows them. */
    public long skippedMessages() {
        return assembly.parts().transport().skipped();
    }

    /** Number of exceptions of listeners of this node's events and confirmations, such as meters of a registry. */
    public long listenerFailures() {
        return events().listenerFailures() + confirmations().listenerFailures();
    }

    /** The events that this node records. */
    public EventRing events() {
        return assembly.control().events();
    }

    /**
     * A type in the coordinator's table.
     *
     * @param longestHandoffMs how long the oldest handoff that has not ended has lasted, in milliseconds; 0 for none
     * @param balance 1 if all regions that host have as many shards, towards 0 if one has all
     */
    public record Table(
            int home,
            int starting,
            int handoff,
            int waiting,
            int resting,
            int pinned,
            int homeless,
            long longestHandoffMs,
            double balance) {
        static Table of(CoordinatorView view) {
            int starting = 0;
            int handoff = 0;
            int resting = 0;
            long longest = 0;
            for (CoordinatorView.Row row : view.rows()) {
                starting += row.confirmed() ? 0 : 1;
                handoff += row.handoff() == null ? 0 : 1;
                longest = Math.max(longest, row.handoffAge());
                resting += view.rests(row.shard()) == 0 ? 0 : 1;
            }
            long waiting = view.moves().stream()
                    .filter(move -> move.phase() == ShardMove.Phase.WAITING)
                    .count();
            return new Table(
                    view.rows().size() - starting - handoff,
                    starting,
                    handoff,
                    (int) waiting,
                    resting,
                    view.pins().size(),
                    view.homeless(),
                    longest,
                    balance(view));
        }

        private static double balance(CoordinatorView view) {
            IntSummaryStatistics shards = view.regions().stream()
                    .filter(region -> !region.proxy() && !region.gone() && !region.leaving())
                    .mapToInt(CoordinatorView.Region::shards)
                    .summaryStatistics();
            return shards.getMax() <= 0 ? 1 : shards.getAverage() / shards.getMax();
        }
    }

    /** The tables that this node coordinates now, by type; empty if it does not reign. */
    public Future<Map<String, Table>> coordinated() {
        return assembly.onControl(control -> {
            Map<String, Table> tables = new LinkedHashMap<>();
            control.admins().orElse(Map.of()).forEach((type, admin) -> tables.put(type, Table.of(admin.view())));
            return Future.succeededFuture(tables);
        });
    }

    /** The versions of what this node runs, by name. */
    public Map<String, String> versions() {
        return process.versions();
    }
}
