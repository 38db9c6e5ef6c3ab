package io.shardbus.runtime.node;

import io.shardbus.ExternalShardAllocation;
import io.shardbus.ShardingException;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.options.ShardingOptions;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.store.DesiredHomesStore;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks desired homes with the coordinator, writes them, and has the coordinator look at them. Any thread. */
final class DesiredHomesClient implements ExternalShardAllocation {
    private static final Logger LOG = LoggerFactory.getLogger(DesiredHomesClient.class);

    private final String type;
    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final Supplier<Future<QueryAnswer.Home>> placed;
    private final Supplier<Future<Integer>> rebalance;
    private final DesiredHomesStore store;

    /**
     * @param placed asks the type's coordinator how many shards there are, 0 while it does not know, and what places
     *     them; fails with UNKNOWN_TYPE where the type is not known
     * @param rebalance has the coordinator look at the desired homes
     */
    DesiredHomesClient(
            String type,
            NodeAssembly assembly,
            RegionStarter regions,
            Supplier<Future<QueryAnswer.Home>> placed,
            Supplier<Future<Integer>> rebalance) {
        this.type = type;
        this.regions = regions;
        this.assembly = assembly;
        this.placed = placed;
        this.rebalance = rebalance;
        this.store = assembly.parts().allocation().homes();
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public Future<Map<Integer, NodeId>> homes() {
        return CallerContext.complete(assembly.started()
                .compose(started -> store.read(type))
                .map(Map::copyOf)
                .recover(failure -> Future.failedFuture(unread(failure))));
    }

    @Override
    public Future<Void> setHomes(Map<Integer, NodeId> homes) {
        Map<Integer, NodeId> wanted = Map.copyOf(homes);
        if (wanted.isEmpty()) {
            return CallerContext.complete(Future.succeededFuture());
        }
        return CallerContext.complete(assembly.started()
                .compose(started -> placed.get())
                .compose(known -> {
                    requireExternal(known.allocation());
                    requireShards(wanted.keySet(), known.numberOfShards());
                    wanted.values().forEach(this::requireMember);
                    return write(present -> {
                        Map<Integer, NodeId> next = new TreeMap<>(present);
                        next.putAll(wanted);
                        return next;
                    });
                })
                .onSuccess(written -> hasten()));
    }

    @Override
    public Future<Void> clear(Collection<Integer> shards) {
        Set<Integer> cleared = Set.copyOf(shards);
        return CallerContext.complete(assembly.started()
                .compose(started -> write(present -> {
                    Map<Integer, NodeId> next = new HashMap<>(present);
                    next.keySet().removeAll(cleared);
                    return new TreeMap<>(next);
                })));
    }

    @Override
    public Future<Void> clearAll() {
        return CallerContext.complete(assembly.started().compose(started -> write(present -> Map.of())));
    }

    private Future<Void> write(UnaryOperator<Map<Integer, NodeId>> change) {
        return store.update(type, change)
                .recover(failure -> Future.failedFuture(new ShardingException(
                        FailureCode.OUTCOME_UNKNOWN,
                        "type '" + type + "': whether the desired homes were written is not known: "
                                + failure.getMessage(),
                        failure)));
    }

    /** Asks the coordinator to act at once; if that fails, the shards move with the next round of rebalancing. */
    private void hasten() {
        rebalance
                .get()
                .onFailure(failure ->
                        LOG.debug("type={}: the desired homes take effect with the next rebalance", type, failure));
    }

    /**
     * Refuses types of another strategy; a coordinator of an earlier build does not tell the strategy, and is
     * believed.
     */
    private void requireExternal(String allocation) {
        if (!allocation.isEmpty() && !allocation.equals(ShardingOptions.EXTERNAL)) {
            throw new ShardingException(
                    FailureCode.NOT_APPLICABLE,
                    "type '" + type + "' is placed by '" + allocation + "', which does not look at desired homes: use"
                            + " the strategy '" + ShardingOptions.EXTERNAL + "' on all nodes");
        }
    }

    private void requireShards(Collection<Integer> shards, int known) {
        int number = known > 0 ? known : startedWith();
        for (int shard : shards) {
            if (shard < 0 || shard >= number) {
                throw new ShardingException(
                        FailureCode.INVALID_ID, "no shard " + shard + " of '" + type + "': use 0 to " + (number - 1));
            }
        }
    }

    /** Number of shards of the region on this node, which the coordinator does not know yet; 0 if there is none. */
    private int startedWith() {
        return regions.find(type)
                .map(region -> region.handle().numberOfShards())
                .orElse(0);
    }

    private void requireMember(NodeId node) {
        if (!assembly.status().picture().members().contains(node)) {
            throw new ShardingException(FailureCode.UNKNOWN_NODE, "node " + node + " is not in the cluster");
        }
    }

    private ShardingException unread(Throwable failure) {
        if (failure instanceof ShardingException known) {
            return known;
        }
        FailureCode code = failure instanceof TimeoutException ? FailureCode.TIMED_OUT : FailureCode.NOT_IN_MAJORITY;
        return new ShardingException(
                code, "type '" + type + "': the desired homes cannot be read: " + failure.getMessage(), failure);
    }
}
