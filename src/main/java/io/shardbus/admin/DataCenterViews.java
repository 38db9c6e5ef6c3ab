package io.shardbus.admin;

import io.shardbus.datacenter.DataCenterState;
import io.shardbus.datacenter.DataCenters;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The links of this node to other data centers, as JSON. */
final class DataCenterViews {
    private DataCenterViews() {}

    /** Without a name and without others where the node has no links. */
    static Future<JsonObject> of(Vertx vertx) {
        return Future.succeededFuture(DataCenters.startedOn(vertx)
                .map(DataCenterViews::view)
                .orElseGet(() -> new JsonObject().putNull("self").put("others", new JsonArray())));
    }

    private static JsonObject view(DataCenters centers) {
        var others = new JsonArray();
        centers.others().values().forEach(other -> others.add(view(other)));
        return new JsonObject()
                .put("self", centers.self())
                .put("port", centers.port())
                .put("refusedTells", centers.refusedTells())
                .put("others", others);
    }

    private static JsonObject view(DataCenterState other) {
        return new JsonObject()
                .put("name", other.name())
                .put("reachability", other.reachability().name())
                .put("pending", other.pending())
                .put("lostTells", other.lostTells());
    }
}
