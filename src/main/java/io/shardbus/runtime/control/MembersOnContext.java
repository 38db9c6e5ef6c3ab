package io.shardbus.runtime.control;

import io.shardbus.membership.ClusterView;
import io.shardbus.membership.Membership;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.NodeId;
import io.vertx.core.Context;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Passes the events of the membership to the control context, in order. */
record MembersOnContext(
        Context context,
        Consumer<ClusterView> views,
        Consumer<Set<NodeId>> counts,
        Consumer<Map<NodeId, NodeAttributes>> attributes,
        Consumer<NodeId> deaths,
        Consumer<String> end)
        implements Membership.Listener {
    @Override
    public void viewChanged(ClusterView view) {
        context.runOnContext(ignored -> views.accept(view));
    }

    @Override
    public void countedChanged(Set<NodeId> counted) {
        context.runOnContext(ignored -> counts.accept(counted));
    }

    @Override
    public void attributesChanged(Map<NodeId, NodeAttributes> changed) {
        context.runOnContext(ignored -> attributes.accept(changed));
    }

    @Override
    public void provenDead(NodeId lost) {
        context.runOnContext(ignored -> deaths.accept(lost));
    }

    @Override
    public CompletionStage<Void> ended(String reason) {
        CompletableFuture<Void> told = new CompletableFuture<>();
        context.runOnContext(ignored -> {
            end.accept(reason);
            told.complete(null);
        });
        return told;
    }
}
