package io.shardbus.runtime.node;

import io.shardbus.ExternalShardAllocation;
import io.shardbus.ShardingException;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.control.CoordinatorAdmin;
import io.shardbus.runtime.control.Drains;
import io.shardbus.runtime.region.RegionControl;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The questions of operators, asked on any node and answered by the coordinator and the homes; also answers them for
 * other nodes.
 */
final class NodeQueries implements Function<JsonObject, Future<JsonObject>> {
    private static final int MOST_IDS = 10_000;
    private static final long OPEN_POLL_MS = 100;
    private static final long HOST_POLL_MS = 1_000;

    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final Greetings greetings;
    private final Retries repetitions;
    private final CoordinatorQueries questions;
    private final MemberQueries members;
    private final HomeQueries homes;
    private final HostSearch hosts;
    /**
     * The last drain or undrain of a node that is not answered yet: an earlier one is not repeated, or it would undo
     * the later.
     */
    private final Map<NodeId, Object> orders = new ConcurrentHashMap<>();

    private volatile long openTimer = -1;
    private volatile long hostTimer = -1;
    private volatile boolean closed;

    NodeQueries(NodeAssembly assembly, RegionStarter regions) {
        this.assembly = assembly;
        this.regions = regions;
        this.greetings = new Greetings(assembly, regions::find);
        this.repetitions = new Retries(assembly.vertx(), assembly.parts().clock());
        this.questions =
                new CoordinatorQueries(repetitions, () -> assembly.control().coordinator(), this::ask);
        this.members = new MemberQueries(repetitions, () -> assembly.control().picture(), this::ask);
        this.homes = new HomeQueries(
                repetitions,
                members,
                this::askCoordinator,
                assembly.parts().options().getQueryTimeoutMs());
        // one that has just gone may come back, or be replaced
        this.hosts = new HostSearch(regions::all, type -> regions(type, true));
    }

    /**
     * Asks the coordinator, from time to time, whether shards can get homes, until it says so for every region, and who
     * hosts what messages wait for.
     */
    void watchReadiness() {
        openTimer = assembly.vertx()
                .setPeriodic(OPEN_POLL_MS, ignored -> regions.all().forEach(this::askOpen));
        hostTimer = assembly.vertx().setPeriodic(HOST_POLL_MS, ignored -> hosts.look());
        if (closed) {
            close();
        }
    }

    private void askOpen(RegionControl<?> region) {
        if (region.handle().isRegistered() && !region.handle().readiness().isOpen()) {
            JsonObject open =
                    question("open").put("type", region.handle().type().name());
            assembly.started().compose(done -> questions.ask(open, 0)).onSuccess(answer -> {
                int missing = answer.getInteger("missing", 0);
                region.handle().readiness().missing(missing);
                if (answer.getBoolean("open") && missing == 0) {
                    region.handle().readiness().opened();
                }
            });
        }
    }

    void close() {
        closed = true;
        assembly.vertx().cancelTimer(openTimer);
        assembly.vertx().cancelTimer(hostTimer);
    }

    /** This node leaves the cluster: queries are refused. */
    void end() {
        repetitions.end();
    }

    static JsonObject question(String kind) {
        return new JsonObject().put("question", kind);
    }

    private Future<JsonObject> ask(NodeId node, JsonObject question) {
        if (node.equals(assembly.self())) {
            return apply(question);
        }
        return assembly.parts()
                .transport()
                .query(node, question, assembly.parts().options().getQueryTimeoutMs());
    }

    /** Between two reigns the question waits for the next coordinator, at most as long as for an answer. */
    private Future<JsonObject> askCoordinator(JsonObject question) {
        return assembly.started()
                .compose(done ->
                        questions.ask(question, assembly.parts().options().getQueryTimeoutMs()));
    }

    Future<Set<NodeId>> regions(String type) {
        return regions(type, false);
    }

    private Future<Set<NodeId>> regions(String type, boolean evenGone) {
        return askCoordinator(question("table").put("type", type)).map(table -> {
            Set<NodeId> hosts = new TreeSet<>();
            for (JsonObject region : objects(table, "regions")) {
                if (!region.getBoolean("proxy") && (evenGone || !region.getBoolean("gone"))) {
                    hosts.add(new NodeId(region.getString("node")));
                }
            }
            return hosts;
        });
    }

    Future<TypeState> typeState(String type) {
        return askCoordinator(question("table").put("type", type)).compose(table -> {
            List<NodeId> nodes = new ArrayList<>();
            List<Future<JsonObject>> answers = new ArrayList<>();
            for (JsonObject region : objects(table, "regions")) {
                NodeId node = new NodeId(region.getString("node"));
                nodes.add(node);
                answers.add(ask(node, question("region").put("type", type)));
            }
            return Future.join(answers)
                    .transform(all -> Future.succeededFuture(TypeStates.combine(type, table, nodes, answers)));
        });
    }

    static List<JsonObject> objects(JsonObject json, String key) {
        JsonArray array = json.getJsonArray(key, new JsonArray());
        List<JsonObject> objects = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            objects.add(array.getJsonObject(i));
        }
        return objects;
    }

    ExternalShardAllocation externalAllocation(String type) {
        return new DesiredHomesClient(type, assembly, regions, question -> askOfType(type, question));
    }

    /** Asks the coordinator of a type; fails with UNKNOWN_TYPE when neither it nor this node knows the type. */
    private Future<JsonObject> askOfType(String type, JsonObject question) {
        return askCoordinator(question.put("type", type)).map(answer -> {
            if (answer.getBoolean("unknown", false) && !regions.types().contains(type)) {
                throw new ShardingException(
                        FailureCode.UNKNOWN_TYPE,
                        "no region of an entity type '" + type + "' has registered with the coordinator");
            }
            return answer;
        });
    }

    Future<Set<String>> entityIds(String type, int shard) {
        return homes.ask(type, shard, question("ids")).map(found -> {
            Set<String> ids = new LinkedHashSet<>();
            found.ifPresent(home -> home.answer().getJsonArray("ids").forEach(id -> ids.add((String) id)));
            return ids;
        });
    }

    Future<Optional<EntityLocation>> locate(String type, String entityId) {
        int shard;
        try {
            shard = regions.handle(type).shard(entityId);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
        return homes.ask(type, shard, question("live").put("id", entityId))
                .map(found -> found.map(home -> new EntityLocation(
                        type,
                        entityId,
                        shard,
                        home.home(),
                        home.token(),
                        home.answer().getBoolean("live"))));
    }

    static FencingToken token(JsonArray token) {
        return new FencingToken(token.getLong(0), token.getLong(1), token.getLong(2));
    }

    Future<Integer> rebalance(String type) {
        return askOfType(type, question("rebalance")).map(answer -> answer.getInteger("handoffs"));
    }

    Future<Integer> drain(NodeId node) {
        return askOfNode(node, question("drain"));
    }

    Future<Integer> undrain(NodeId node) {
        return askOfNode(node, question("undrain"));
    }

    Future<Set<NodeId>> drainedNodes() {
        return askCoordinator(question("drained")).map(answer -> {
            Set<NodeId> drained = new TreeSet<>();
            answer.getJsonArray("nodes").forEach(node -> drained.add(new NodeId((String) node)));
            drained.retainAll(assembly.control().picture().members());
            return drained;
        });
    }

    private Future<Integer> askOfNode(NodeId node, JsonObject question) {
        return assembly.started().compose(done -> {
            Collection<NodeId> members = assembly.control().picture().members();
            if (!members.contains(node) && !node.equals(assembly.self())) {
                throw new ShardingException(FailureCode.UNKNOWN_NODE, "node " + node + " is not in the cluster");
            }
            Object order = new Object();
            orders.put(node, order);
            return questions
                    .ask(
                            question.put("node", node.value()),
                            assembly.parts().options().getQueryTimeoutMs(),
                            () -> orders.get(node) == order)
                    .onComplete(answered -> orders.remove(node, order))
                    .map(answer -> answer.getInteger("handoffs"));
        });
    }

    /** @param stops whether the whole cluster will stop, or goes on after all */
    Future<Void> prepareForShutdown(boolean stops) {
        if (repetitions.isOver()) {
            return Future.failedFuture(RegionStarter.closedNode());
        }
        long patience = assembly.parts().options().getQueryTimeoutMs();
        return assembly.onControl(control -> Future.join(control.picture().members().stream()
                        .map(member -> members.tell(member, question(stops ? "prepare" : "unprepare"), patience))
                        .toList())
                .mapEmpty());
    }

    @Override
    public Future<JsonObject> apply(JsonObject question) {
        return switch (question.getString("question", "")) {
            case "table" -> atDesk(question, desk -> TypeStates.table(desk.view()));
            case "home" -> atDesk(question, desk -> home(desk.view(), question.getInteger("shard")));
            case "open" ->
                atDesk(
                        question,
                        desk -> new JsonObject().put("open", desk.isOpen()).put("missing", desk.missingMembers()));
            case "rebalance" ->
                atDesk(question, CoordinatorAdmin::isOpen, desk -> new JsonObject().put("handoffs", desk.rebalance()));
            case "drain" -> atDrains(question, Drains::drain);
            case "undrain" -> atDrains(question, Drains::undrain);
            case "drained" -> drained();
            case "prepare" -> prepared(true);
            case "unprepare" -> prepared(false);
            case "greet" -> greetings.answer(question);
            case "region" ->
                atRegion(
                        question,
                        region -> region.statistics()
                                .map(found ->
                                        TypeStates.region(found, region.handle().isProxy())));
            case "ids" ->
                atRegion(
                        question,
                        region -> region.entityIds(question.getInteger("shard"), MOST_IDS)
                                .map(ids -> answer(
                                        "ids", new JsonArray(new ArrayList<>(ids.orElse(Set.of()))), ids.isPresent())));
            case "live" ->
                atRegion(
                        question,
                        region -> region.isLive(question.getInteger("shard"), question.getString("id"))
                                .map(live -> answer("live", live.orElse(false), live.isPresent())));
            default ->
                Future.failedFuture(new ShardingException(
                        FailureCode.INCOMPATIBLE, "unknown question: " + question.getString("question")));
        };
    }

    private Future<JsonObject> prepared(boolean stops) {
        return assembly.onControl(control -> {
            control.prepareForShutdown(stops);
            return Future.succeededFuture(new JsonObject());
        });
    }

    private Future<JsonObject> atDesk(JsonObject question, Function<CoordinatorAdmin, JsonObject> answer) {
        return atDesk(question, desk -> true, answer);
    }

    /**
     * A coordinator that may not have heard of the type's regions yet, or is not ready, is asked again, as between two
     * reigns.
     */
    private Future<JsonObject> atDesk(
            JsonObject question, Predicate<CoordinatorAdmin> ready, Function<CoordinatorAdmin, JsonObject> answer) {
        String type = question.getString("type");
        return assembly.onControl(control -> {
            Optional<CoordinatorAdmin.OfType> found = control.desk(type);
            CoordinatorAdmin desk = found.map(CoordinatorAdmin.OfType::desk).orElse(null);
            if (desk != null && ready.test(desk)) {
                return Future.succeededFuture(answer.apply(desk));
            }
            if (desk == null && found.isPresent() && found.get().late()) {
                return Future.succeededFuture(nothing());
            }
            String why =
                    found.isPresent() ? " does not know all of '" + type + "' yet" : " does not coordinate any more";
            return Future.failedFuture(CoordinatorQueries.notReigning("node " + assembly.self() + why + ", ask again"));
        });
    }

    private static JsonObject nothing() {
        return new JsonObject().put("open", false).put("handoffs", 0).put("unknown", true);
    }

    private static JsonObject home(CoordinatorView view, int shard) {
        JsonObject answer = new JsonObject().put("numberOfShards", view.numberOfShards());
        view.row(shard)
                .ifPresent(row -> answer.put("home", row.home().value())
                        .put("token", TypeStates.toJson(row.token()))
                        .put("confirmed", row.confirmed()));
        return answer;
    }

    /** What is not known yet is asked for again, as between two reigns; the order itself is carried out. */
    private Future<JsonObject> atDrains(JsonObject question, BiFunction<Drains, NodeId, Optional<Integer>> order) {
        NodeId node = new NodeId(question.getString("node"));
        return assembly.onControl(control -> {
            boolean nothingMoves = control.isPreparedForShutdown()
                    && question.getString("question").equals("drain");
            Optional<Integer> shards =
                    nothingMoves ? Optional.of(0) : control.drains().flatMap(drains -> order.apply(drains, node));
            return shards.isPresent()
                    ? Future.succeededFuture(new JsonObject().put("handoffs", shards.get()))
                    : Future.failedFuture(CoordinatorQueries.notReigning(
                            "node " + assembly.self() + " does not know yet what shards " + node + " has, ask again"));
        });
    }

    private Future<JsonObject> drained() {
        return assembly.onControl(control -> control.drains()
                .map(drains -> drains.nodes().stream().map(NodeId::value).toList())
                .map(nodes -> Future.succeededFuture(new JsonObject().put("nodes", new JsonArray(nodes))))
                .orElseGet(() -> Future.failedFuture(
                        CoordinatorQueries.notReigning("node " + assembly.self() + " does not coordinate any more"))));
    }

    private static JsonObject answer(String key, Object value, boolean isHere) {
        JsonObject answer = new JsonObject().put(key, value);
        return isHere ? answer : answer.put(HomeQueries.ELSEWHERE, true);
    }

    private Future<JsonObject> atRegion(JsonObject question, Function<RegionControl<?>, Future<JsonObject>> answer) {
        Optional<RegionControl<?>> region = regions.find(question.getString("type"));
        return region.<Future<JsonObject>>map(answer)
                .orElseGet(() ->
                        Future.failedFuture("entity type " + question.getString("type") + " is not started here"));
    }
}
