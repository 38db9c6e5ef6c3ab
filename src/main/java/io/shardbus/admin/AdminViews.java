package io.shardbus.admin;

import io.shardbus.ShardRegion;
import io.shardbus.model.ClusterState;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The JSON of the admin resources. Keys are stable: pages and checks outside read them. */
final class AdminViews {
    private static final String UP = "UP";

    private AdminViews() {}

    static JsonObject index() {
        var resources = new JsonArray(new ArrayList<>(OpenApi.readable()));
        List.of("api/cluster", "api/types", "health/live", "health/ready", "ui/")
                .forEach(resources::add);
        return new JsonObject().put("resources", resources);
    }

    /** @param drained null when no coordinator could tell */
    static JsonObject cluster(ClusterState state, @Nullable Set<NodeId> drained, long clock) {
        return new JsonObject()
                .put("self", state.self().value())
                .put("coordinator", name(state.coordinator()))
                .put("term", state.term())
                .put("available", state.available())
                .put("stopping", state.stopping())
                .put("clock", clock)
                .put("nodes", array(state.nodes(), node -> node(node, drained)));
    }

    private static JsonObject node(ClusterState.Node node, @Nullable Set<NodeId> drained) {
        return new JsonObject()
                .put("id", node.id().value())
                .put("roles", strings(node.roles()))
                .put("mayCoordinate", node.mayCoordinate())
                .put("appVersion", node.appVersion())
                .put("drained", drained == null ? null : drained.contains(node.id()));
    }

    static JsonObject types(List<? extends ShardRegion<?>> regions) {
        return new JsonObject().put("types", array(regions, AdminViews::type));
    }

    private static JsonObject type(ShardRegion<?> region) {
        var type = new JsonObject()
                .put("name", region.type().name())
                .put("numberOfShards", region.numberOfShards())
                .put("proxy", region.isProxy())
                .put("persistent", region.isPersistent());
        region.waitsFor().ifPresent(reason -> type.put("waitsFor", reason));
        return region.missingMembers() == 0 ? type : type.put("missingMembers", region.missingMembers());
    }

    static JsonObject type(TypeState state) {
        return new JsonObject()
                .put("type", state.type())
                .put("numberOfShards", state.numberOfShards())
                .put("shards", array(state.shards(), AdminViews::shard))
                .put("regions", array(state.regions(), AdminViews::region))
                .put("handoffs", array(state.handoffs(), AdminViews::handoff))
                .put("statesLost", state.statesLost())
                .put(
                        "failed",
                        strings(state.failed().stream().map(NodeId::value).toList()));
    }

    private static JsonObject shard(TypeState.Shard shard) {
        return new JsonObject()
                .put("shard", shard.shard())
                .put("home", shard.home().value())
                .put("token", token(shard.token()))
                .put("state", shard.status().name().toLowerCase(Locale.ROOT))
                .put("entities", shard.entities())
                .put("live", shard.entities())
                .put("passivated", shard.passivated())
                .put("remembered", shard.remembered())
                .put("restarting", shard.restarting())
                .put("messages", shard.messages())
                .put("busyMicros", shard.busyMicros());
    }

    private static JsonObject region(TypeState.Region region) {
        return new JsonObject()
                .put("node", region.node().value())
                .put("proxy", region.proxy())
                .put("leaving", region.leaving())
                .put("shards", region.shards())
                .put("entities", region.entities())
                .put("live", region.entities())
                .put("passivated", region.passivated())
                .put("remembered", region.remembered())
                .put("restarting", region.restarting())
                .put("buffered", region.buffered())
                .put("counters", counters(region.counters()));
    }

    private static JsonObject counters(Map<String, Long> counters) {
        var json = new JsonObject();
        counters.keySet().stream().sorted().forEach(name -> json.put(name, counters.get(name)));
        return json;
    }

    private static JsonObject handoff(TypeState.Handoff handoff) {
        return new JsonObject()
                .put("shard", handoff.shard())
                .put("from", handoff.from().value())
                .put("ageMs", handoff.ageMs());
    }

    static JsonObject shardEntities(String type, int shard, Collection<String> ids) {
        return new JsonObject().put("type", type).put("shard", shard).put("entities", strings(ids));
    }

    static JsonObject entity(EntityLocation at) {
        return new JsonObject()
                .put("type", at.type())
                .put("id", at.id())
                .put("node", at.node().value())
                .put("shard", at.shard())
                .put("token", token(at.token()))
                .put("live", at.live());
    }

    /** An entity whose shard has no home yet. */
    static JsonObject homelessEntity(String type, String id) {
        return new JsonObject()
                .put("type", type)
                .put("id", id)
                .putNull("node")
                .putNull("shard")
                .putNull("token")
                .put("live", false);
    }

    static JsonObject passivation(ShardRegion<?> region) {
        var view = new JsonObject()
                .put("type", region.type().name())
                .mergeIn(region.passivation().toJson());
        var configured = region.configuredPassivation();
        return configured.hasLimit() ? view.put("configuredLimit", configured.getActiveEntityLimit()) : view;
    }

    /**
     * @param reasons why a node is down
     * @param warnings what is wrong and no reason to take it out of service; not shown when there is nothing
     */
    static JsonObject health(List<String> reasons, List<String> warnings) {
        var health =
                new JsonObject().put("status", reasons.isEmpty() ? UP : "DOWN").put("reasons", strings(reasons));
        return warnings.isEmpty() ? health : health.put("warnings", strings(warnings));
    }

    static boolean isUp(JsonObject health) {
        return UP.equals(health.getString("status"));
    }

    static JsonObject handoffs(int begun) {
        return new JsonObject().put("handoffs", begun);
    }

    static JsonObject shards(int count) {
        return new JsonObject().put("shards", count);
    }

    private static JsonObject token(FencingToken token) {
        return new JsonObject()
                .put("term", token.term())
                // a text: it takes all 64 bits, of which readers of JSON keep 53
                .put("incarnation", Long.toString(token.incarnation()))
                .put("sequence", token.sequence());
    }

    private static @Nullable String name(@Nullable NodeId node) {
        return node == null ? null : node.value();
    }

    private static JsonArray strings(Collection<String> values) {
        return values.stream().sorted().collect(toArray());
    }

    private static <T> JsonArray array(List<? extends T> values, Function<T, JsonObject> view) {
        return values.stream().map(view).collect(toArray());
    }

    private static Collector<Object, ?, JsonArray> toArray() {
        return Collectors.collectingAndThen(Collectors.toList(), JsonArray::new);
    }
}
