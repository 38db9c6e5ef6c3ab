package io.shardbus.runtime.node;

import io.shardbus.ShardingException;
import io.shardbus.core.control.Dependents;
import io.shardbus.membership.ShardbusClusterManager;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.store.DepartingSeats;
import io.shardbus.store.infinispan.InfinispanRecords;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether this node may leave before the others: it may not if it is the last that may coordinate while
 * others stay. Of two such nodes that ask at the same moment one is refused, as long as the record of those that
 * leave can be written.
 */
final class LeavePermission {
    private static final Logger LOG = LoggerFactory.getLogger(LeavePermission.class);

    private final NodeAssembly assembly;
    private final AtomicReference<@Nullable Future<Void>> permission = new AtomicReference<>();

    LeavePermission(NodeAssembly assembly) {
        this.assembly = assembly;
    }

    /** Whether this node has asked, and was not refused. Any thread. */
    boolean hasBegun() {
        return permission.get() != null;
    }

    /** Any thread; completes on any. After a refusal, which is a {@link ShardingException}, nothing has begun. */
    Future<Void> ask() {
        Promise<Void> asked = Promise.promise();
        Future<Void> before = permission.compareAndExchange(null, asked.future());
        if (before != null) {
            return before;
        }
        // what it throws is an answer, too: another ask must not wait for this one
        Future.succeededFuture().compose(go -> decide()).onComplete(answer -> {
            if (answer.failed()) {
                permission.set(null);
            }
            asked.handle(answer);
        });
        return asked.future();
    }

    private Future<Void> decide() {
        Dependents others = assembly.status().dependents();
        List<NodeId> stopping = others.without(Set.of());
        if (!stopping.isEmpty()) {
            return refused(stopping);
        }
        return others.staying().isEmpty() ? Future.succeededFuture() : record(others);
    }

    private Future<Void> record(Dependents others) {
        InfinispanRecords records = ShardbusClusterManager.of(assembly.vertx()).records();
        return new DepartingSeats(records)
                .leave(assembly.self(), others::without)
                .onComplete(done -> records.close())
                .recover(failure -> {
                    LOG.warn(
                            "node {} leaves, but could not record this for the other nodes that may coordinate: if one "
                                    + "of them leaves at the same moment, the nodes that stay may stop",
                            assembly.self(),
                            failure);
                    return Future.succeededFuture(List.of());
                })
                .compose(stopping -> stopping.isEmpty() ? Future.succeededFuture() : refused(stopping));
    }

    private Future<Void> refused(List<NodeId> stopping) {
        return Future.failedFuture(new ShardingException(
                FailureCode.LAST_SEAT,
                "node " + assembly.self() + " is the last that holds a seat and may coordinate: " + stopping
                        + " stop when their leases end if it leaves. Stop them first, or announce that the whole"
                        + " cluster stops (prepareForShutdown)"));
    }
}
