package io.shardbus.transport;

import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Links;
import io.shardbus.model.ConnectionReport.OfNode;
import io.shardbus.model.ConnectionReport.Outbox;
import io.shardbus.model.NodeId;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** JSON form of a node's connections: a row of numbers for each. */
final class ConnectionJson {
    private static final String TLS = "tls";
    private static final String SEALED = "sealed";
    private static final String ROWS = "rows";

    private ConnectionJson() {}

    static JsonObject write(OfNode node) {
        JsonArray rows = new JsonArray();
        for (Connection one : node.connections()) {
            Outbox outbox = one.outbox();
            rows.add(new JsonArray()
                    .add(one.type())
                    .add(one.peer().value())
                    .add(one.links().lanes())
                    .add(one.links().direct())
                    .add(one.sent().frames())
                    .add(one.sent().bytes())
                    .add(one.received().frames())
                    .add(one.received().bytes())
                    .add(outbox.queued())
                    .add(outbox.unacknowledged())
                    .add(outbox.windowFull())
                    .add(outbox.repeated())
                    .add(one.heardMillis())
                    .add(one.roundTripMillis()));
        }
        return new JsonObject().put(TLS, node.tls()).put(SEALED, node.sealed()).put(ROWS, rows);
    }

    static OfNode node(JsonObject json) {
        List<Connection> connections = new ArrayList<>();
        JsonArray rows = json.getJsonArray(ROWS, new JsonArray());
        for (int i = 0; i < rows.size(); i++) {
            JsonArray row = rows.getJsonArray(i);
            connections.add(new Connection(
                    row.getString(0),
                    new NodeId(row.getString(1)),
                    new Links(row.getInteger(2), row.getInteger(3)),
                    new Flow(row.getLong(4), row.getLong(5)),
                    new Flow(row.getLong(6), row.getLong(7)),
                    new Outbox(row.getInteger(8), row.getInteger(9), row.getLong(10), row.getLong(11)),
                    row.getLong(12),
                    row.getLong(13)));
        }
        return new OfNode(json.getBoolean(TLS, false), json.getBoolean(SEALED, false), connections);
    }
}
