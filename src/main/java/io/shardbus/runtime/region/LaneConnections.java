package io.shardbus.runtime.region;

import io.shardbus.core.routing.LaneLink;
import io.shardbus.model.ConnectionReport.Connection;
import io.shardbus.model.ConnectionReport.Flow;
import io.shardbus.model.ConnectionReport.Links;
import io.shardbus.model.ConnectionReport.Outbox;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Connections of the lanes of a region with those of other nodes, by node. */
final class LaneConnections {
    private static final Links NO_LINKS = new Links(0, 0);
    private static final Flow NOTHING = new Flow(0, 0);
    private static final Outbox EMPTY = new Outbox(0, 0, 0, 0);

    private record End(LaneLink link, boolean direct) {}

    private LaneConnections() {}

    static Future<List<Connection>> of(String type, List<LaneQueue> lanes) {
        List<Future<List<End>>> asked = new ArrayList<>();
        for (LaneQueue queue : lanes) {
            Promise<List<End>> answer = Promise.promise();
            queue.execute((lane, now) -> answer.complete(lane.links(now).stream()
                    .map(link -> new End(link, queue.wire().isDirect(link.peer())))
                    .toList()));
            asked.add(answer.future());
        }
        return Future.all(asked).map(all -> {
            Map<NodeId, Connection> byPeer = new TreeMap<>();
            asked.forEach(answer -> answer.result()
                    .forEach(end -> byPeer.compute(
                            end.link().peer().node(),
                            (peer, known) -> plus(known == null ? none(type, peer) : known, end))));
            return List.copyOf(byPeer.values());
        });
    }

    private static Connection none(String type, NodeId peer) {
        return new Connection(type, peer, NO_LINKS, NOTHING, NOTHING, EMPTY, -1, -1);
    }

    private static Connection plus(Connection known, End end) {
        LaneLink link = end.link();
        long heard = link.heardMillis();
        long before = known.heardMillis();
        return new Connection(
                known.type(),
                known.peer(),
                known.links().plus(link.carries(), end.direct()),
                known.sent().plus(link.sent()),
                known.received().plus(link.received()),
                known.outbox().plus(link.outbox()),
                heard < 0 ? before : before < 0 ? heard : Math.min(before, heard),
                Math.max(known.roundTripMillis(), link.roundTripMillis()));
    }
}
