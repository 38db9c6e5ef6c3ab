package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The order that an operator takes back, as the coordinator knows it just before that. */
enum TakenBack {
    /** It stands, or the coordinator does not know. */
    STANDS,
    /** A member is neither drained nor cordoned, so that there is nothing to take back. */
    STANDS_NOT;

    /** Where no coordinator answers, the order itself waits for one. */
    private static final long LONGEST_QUESTION_MS = 1_000;

    /** Whether the node is drained of a type. */
    static Future<TakenBack> drain(ClusterSharding sharding, NodeId node) {
        return sharding.drainedNodes()
                .timeout(LONGEST_QUESTION_MS, TimeUnit.MILLISECONDS)
                .map(drained -> of(sharding, node, !drained.contains(node)))
                .otherwise(STANDS);
    }

    /** Whether the node is cordoned, as the types say. */
    static Future<TakenBack> cordon(ClusterSharding sharding, NodeId node) {
        return sharding.operations()
                .overview()
                .timeout(LONGEST_QUESTION_MS, TimeUnit.MILLISECONDS)
                .map(overview -> of(sharding, node, isFree(overview, node)))
                .otherwise(STANDS);
    }

    private static boolean isFree(ClusterOverview overview, NodeId node) {
        return !overview.types().isEmpty()
                && overview.types().stream().noneMatch(type -> type.cordoned().contains(node));
    }

    /** Of a node that is no member only the stored orders tell, which the coordinator reads when it takes one back. */
    private static TakenBack of(ClusterSharding sharding, NodeId node, boolean free) {
        boolean isMember = sharding.clusterState().nodes().stream()
                .anyMatch(member -> member.id().equals(node));
        return isMember && free ? STANDS_NOT : STANDS;
    }

    /** Of the event of the action. */
    Map<String, Object> details() {
        return this == STANDS ? Map.of() : Map.of("changed", false);
    }

    /** Adds to the answer that nothing has changed. */
    Future<JsonObject> into(Future<JsonObject> answer) {
        return answer.map(json -> json.put("changed", this == STANDS));
    }
}
