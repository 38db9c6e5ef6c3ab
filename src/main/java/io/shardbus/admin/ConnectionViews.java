package io.shardbus.admin;

import io.shardbus.model.ConnectionReport;
import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Links;
import io.shardbus.model.ConnectionReport.OfNode;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of connections between nodes. */
final class ConnectionViews {
    private ConnectionViews() {}

    static JsonObject connections(ConnectionReport report) {
        var nodes = new JsonObject();
        new TreeMap<>(report.nodes()).forEach((node, ends) -> nodes.put(node.value(), node(ends)));
        return new JsonObject().put("nodes", nodes).put("failed", OverviewViews.names(report.silent()));
    }

    private static JsonObject node(OfNode ends) {
        var connections = new JsonArray();
        ends.connections().forEach(one -> connections.add(connection(one)));
        return new JsonObject()
                .put("tls", ends.tls())
                .put("sealed", ends.sealed())
                .put("connections", connections);
    }

    private static JsonObject connection(Connection one) {
        return new JsonObject()
                .put("type", one.type())
                .put("peer", one.peer().value())
                .put("state", state(one.links()))
                .put("lanes", one.links().lanes())
                .put("direct", one.links().direct())
                .put("sent", flow(one.sent()))
                .put("received", flow(one.received()))
                .put("repeated", one.outbox().repeated())
                .put("queued", one.outbox().queued())
                .put("unacknowledged", one.outbox().unacknowledged())
                .put("windowFull", one.outbox().windowFull())
                .put("heardMs", known(one.heardMillis()))
                .put("roundTripMs", known(one.roundTripMillis()));
    }

    private static String state(Links links) {
        return links.direct() == 0 ? "bus" : links.direct() < links.lanes() ? "mixed" : "direct";
    }

    private static JsonObject flow(Flow flow) {
        return new JsonObject().put("frames", flow.frames()).put("bytes", flow.bytes());
    }

    private static @Nullable Long known(long millis) {
        return millis < 0 ? null : millis;
    }
}
