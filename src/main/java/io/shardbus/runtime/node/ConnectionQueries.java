package io.shardbus.runtime.node;

import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.ConnectionReport;
import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The connections of this node, and of several nodes. */
final class ConnectionQueries {
    private ConnectionQueries() {}

    /** The connections of this node's regions. */
    static Future<QueryAnswer.Connections> here(RegionStarter regions, boolean tls, boolean sealed) {
        Map<String, Future<List<Connection>>> asked = new TreeMap<>();
        regions.all()
                .forEach(region -> asked.put(
                        region.handle().type().name(), region.handle().queries().connections()));
        return Future.all(List.copyOf(asked.values())).map(all -> {
            List<Connection> connections = asked.values().stream()
                    .flatMap(answer -> answer.result().stream())
                    .toList();
            return new QueryAnswer.Connections(new ConnectionReport.OfNode(tls, sealed, connections));
        });
    }

    static ConnectionReport merge(Map<NodeId, Optional<QueryAnswer.Connections>> answers) {
        Map<NodeId, ConnectionReport.OfNode> nodes = new TreeMap<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) ->
                answer.ifPresentOrElse(found -> nodes.put(node, found.node()), () -> silent.add(node)));
        return new ConnectionReport(nodes, silent);
    }
}
