package io.shardbus.admin;

import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.ClusterState;
import io.shardbus.model.EventPage;
import io.shardbus.model.HoldUp;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.model.ShardMove;
import io.shardbus.model.TypeState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of overview, stream, moves, nodes and events. Lists are objects by name, so that differences are small. */
final class OverviewViews {
    private static final String NODE = "node";
    private static final String SHARD = "shard";

    private OverviewViews() {}

    /** The state of the cluster that a node knows by itself. */
    static JsonObject cluster(ClusterState state) {
        return present(new JsonObject()
                .put("self", state.self().value())
                .put("coordinator", name(state.coordinator()))
                .put("term", state.term())
                .put("available", state.available())
                .put("stopping", state.stopping()));
    }

    static JsonObject nodes(ClusterState state, ClusterOverview overview) {
        var nodes = new JsonObject();
        for (ClusterState.Node node : state.nodes()) {
            var view = new JsonObject()
                    .put("roles", new JsonArray(node.roles().stream().sorted().toList()))
                    .put("mayCoordinate", node.mayCoordinate())
                    .put("appVersion", node.appVersion())
                    .put("coordinating", node.id().equals(state.coordinator()));
            NodeStatus status = overview.nodes().get(node.id());
            view.put("answers", status != null);
            if (status != null) {
                view.mergeIn(status(status));
            }
            nodes.put(node.id().value(), view);
        }
        return nodes;
    }

    private static JsonObject status(NodeStatus status) {
        return new JsonObject()
                .put("startedAt", status.startedAt())
                .put("cpuPercent", status.cpu() < 0 ? -1 : Math.round(status.cpu() * 100))
                .put("heapUsedMb", status.heapUsed() >> 20)
                .put("heapMaxMb", status.heapMax() >> 20)
                .put("loopLagMs", status.loopLagMs())
                .put("leaseLeftMs", status.leaseLeftMs())
                .put("unheardMs", new JsonObject(new HashMap<>(status.unheard())))
                .put("term", status.term())
                .put("versions", new JsonObject(new HashMap<>(status.versions())));
    }

    static JsonObject types(ClusterOverview overview) {
        var types = new JsonObject();
        overview.types().forEach(type -> types.put(type.state().type(), type(type)));
        return types;
    }

    private static JsonObject type(ClusterOverview.Type type) {
        TypeState state = type.state();
        var shards = new JsonObject();
        state.shards().forEach(shard -> shards.put(String.valueOf(shard.shard()), shard(shard)));
        var pins = new JsonObject();
        type.pins().forEach((shard, node) -> pins.put(String.valueOf(shard), node.value()));
        var regions = new JsonObject();
        state.regions().forEach(region -> regions.put(region.node().value(), region(region)));
        var moves = new JsonObject();
        type.moves().forEach(move -> moves.put(String.valueOf(move.shard()), move(move)));
        return new JsonObject()
                .put("numberOfShards", state.numberOfShards())
                .put("allocation", type.allocation())
                .put("homeless", type.homeless())
                .put("rebalancing", !type.paused())
                .put("pins", pins)
                .put("cordoned", names(type.cordoned()))
                .put("statesLost", state.statesLost())
                .put("shards", shards)
                .put("regions", regions)
                .put("moves", moves)
                .put("failed", names(state.failed()));
    }

    private static JsonObject shard(TypeState.Shard shard) {
        return present(new JsonObject()
                .put("home", shard.home().value())
                .put("state", shard.status().name().toLowerCase(Locale.ROOT))
                .put("term", shard.token().term())
                .put("entities", shard.entities())
                .put("passivated", shard.passivated())
                .put("remembered", shard.remembered())
                .put("restarting", shard.restarting())
                .put("messages", shard.messages())
                .put("busyMicros", shard.busyMicros()));
    }

    private static JsonObject region(TypeState.Region region) {
        var counters = new JsonObject();
        new TreeMap<>(region.counters()).forEach(counters::put);
        return new JsonObject()
                .put("proxy", region.proxy())
                .put("leaving", region.leaving())
                .put("shards", region.shards())
                .put("entities", region.entities())
                .put("buffered", region.buffered())
                .put("counters", counters);
    }

    /** The regions of a node, by type. */
    static JsonObject regions(ClusterOverview overview, NodeId node) {
        var regions = new JsonObject();
        overview.types()
                .forEach(type -> type.state().regions().stream()
                        .filter(region -> region.node().equals(node))
                        .forEach(region -> regions.put(type.state().type(), region(region))));
        return regions;
    }

    static JsonObject move(ShardMove move) {
        HoldUp heldUp = move.heldUp();
        return present(new JsonObject()
                .put("cause", ClusterEvent.text(move.cause()))
                .put("phase", ClusterEvent.text(move.phase()))
                .put("from", move.from().value())
                .put("to", name(move.to()))
                .put("ageMs", move.ageMs())
                .put("homelessMs", move.homelessMs())
                .put("place", move.place())
                .put("heldUpBy", heldUp == null ? null : holdUp(heldUp)));
    }

    private static JsonObject holdUp(HoldUp heldUp) {
        return present(new JsonObject()
                .put("entity", heldUp.entity())
                .put("entityMs", heldUp.entity() == null ? null : heldUp.entityMs())
                .put("entities", heldUp.entities())
                .put("undrained", names(heldUp.undrained())));
    }

    /** The moves of all types as a list. */
    static JsonObject moves(ClusterOverview overview) {
        var moves = new JsonArray();
        overview.types()
                .forEach(type -> type.moves()
                        .forEach(move -> moves.add(new JsonObject()
                                .put("type", type.state().type())
                                .put(SHARD, move.shard())
                                .mergeIn(move(move)))));
        return new JsonObject().put("moves", moves);
    }

    static JsonObject events(EventPage page) {
        var missed = new JsonObject();
        page.missed().forEach((node, count) -> missed.put(node.value(), count));
        return new JsonObject()
                .put(
                        "events",
                        new JsonArray(
                                page.events().stream().map(OverviewViews::event).toList()))
                .put("cursor", page.cursor())
                .put("more", page.more())
                .put("missed", missed)
                .put("silent", names(page.silent()));
    }

    static JsonObject event(ClusterEvent event) {
        return new JsonObject()
                .put(NODE, event.node().value())
                .put("id", event.id())
                .put("at", event.at())
                .put("kind", event.kind().text())
                .put("subject", event.subject())
                .put("details", new JsonObject(new HashMap<>(event.details())));
    }

    /** The ids, in their order. */
    static JsonArray names(Collection<NodeId> nodes) {
        return new JsonArray(nodes.stream().map(NodeId::value).sorted().toList());
    }

    /** Without keys that have no value: a merge patch has no null. */
    private static JsonObject present(JsonObject json) {
        List.copyOf(json.fieldNames()).stream()
                .filter(key -> json.getValue(key) == null)
                .forEach(json::remove);
        return json;
    }

    private static @Nullable String name(@Nullable NodeId node) {
        return node == null ? null : node.value();
    }
}
