package io.shardbus.runtime.node;

import io.shardbus.ClusterOperations;
import io.shardbus.ShardingException;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.logging.PrintableText;
import io.shardbus.membership.NodeAttributes;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.ConnectionReport;
import io.shardbus.model.DeadLetterReport;
import io.shardbus.model.EntityReport;
import io.shardbus.model.EventPage;
import io.shardbus.model.FailureCode;
import io.shardbus.model.LatencyReport;
import io.shardbus.model.MovePlan;
import io.shardbus.model.NodeId;
import io.shardbus.model.NodeStatus;
import io.shardbus.model.ShardMove;
import io.shardbus.model.ShardReasons;
import io.shardbus.model.SilenceReport;
import io.shardbus.options.ChangedOptions;
import io.shardbus.runtime.control.ClusterPicture;
import io.shardbus.runtime.control.CoordinatorAdmin;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.events.EventRing;
import io.shardbus.runtime.region.CallerContext;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionHandle;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Operator API of this node: asks the nodes of the cluster, and answers for this one. Any thread. */
final class NodeOperations implements ClusterOperations {
    private static final Logger LOG = LoggerFactory.getLogger(NodeOperations.class);
    private static final int NO_SHARD = -1;
    private static final int MOST_EVENTS = 5_000;
    /** A page that is read each second shows what there is, and names those that did not answer. */
    private static final long NODE_TIMEOUT_MS = 800;

    private static final Comparator<ClusterEvent> BY_TIME = Comparator.comparingLong(ClusterEvent::at)
            .thenComparing(ClusterEvent::node)
            .thenComparingLong(ClusterEvent::id);

    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final CoordinatorPort coordinator;
    private final Function<OperatorOrder, Future<QueryAnswer.Ordered>> orders;
    private final QueryPort members;
    private final EntityQueries entities;
    private final ProcessStatus process = new ProcessStatus();
    private final Map<String, String> options;

    /** Puts a query to the coordinator. */
    interface CoordinatorPort {
        <A extends QueryAnswer> Future<A> ask(Query<A> query);
    }

    /** @param orders gives an order to the coordinator */
    NodeOperations(
            NodeAssembly assembly,
            RegionStarter regions,
            CoordinatorPort coordinator,
            Function<OperatorOrder, Future<QueryAnswer.Ordered>> orders,
            QueryPort members,
            EntityQueries entities) {
        this.assembly = assembly;
        this.regions = regions;
        this.coordinator = coordinator;
        this.orders = orders;
        this.members = members;
        this.entities = entities;
        this.options = ChangedOptions.texts(assembly.parts().options());
    }

    @Override
    public Future<EventPage> events(String cursor, int limit) {
        if (limit < 1 || limit > MOST_EVENTS) {
            throw new IllegalArgumentException("limit = " + limit + ": must be a whole number in 1.." + MOST_EVENTS);
        }
        EventCursor from = EventCursor.parse(cursor);
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.EventsOf(from.after(node), limit)))
                .map(answers -> page(from, limit, answers)));
    }

    static EventPage page(EventCursor from, int limit, Map<NodeId, Optional<QueryAnswer.Events>> answers) {
        List<ClusterEvent> found = new ArrayList<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) ->
                answer.ifPresentOrElse(events -> found.addAll(events.events()), () -> silent.add(node)));
        found.sort(BY_TIME);
        List<ClusterEvent> shown = found.subList(0, Math.min(limit, found.size()));
        Map<NodeId, Long> read = new HashMap<>();
        Map<NodeId, Long> missed = new HashMap<>();
        for (ClusterEvent event : shown) {
            long before = read.getOrDefault(event.node(), from.after(event.node()));
            if (event.id() > before + 1) {
                missed.merge(event.node(), event.id() - before - 1, Long::sum);
            }
            read.put(event.node(), event.id());
        }
        boolean more =
                shown.size() < found.size() || answers.values().stream().anyMatch(answer -> isCut(answer, limit));
        String cursor = from.next(read, answers.keySet()).text();
        return new EventPage(shown, cursor, more, missed, silent);
    }

    private static boolean isCut(Optional<QueryAnswer.Events> answer, int limit) {
        return answer.filter(events -> events.events().size() == limit).isPresent();
    }

    @Override
    public void recordAction(String action, @Nullable String user, String subject, Map<String, Object> details) {
        Map<String, Object> all = new TreeMap<>(details);
        all.replaceAll((name, value) -> plain(value));
        all.put("action", action);
        if (user != null) {
            all.put("user", user);
        }
        LOG.info("operator: {}", line(subject, all));
        ring().add(ClusterEvent.Kind.ACTION, subject, all);
    }

    /** The value if each node can send and show it, else its text. */
    private static Object plain(@Nullable Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? value
                : String.valueOf(value);
    }

    /** Text with blanks in quotes, so that it looks like no other key of the line. */
    private static String quoted(Object value) {
        String text = PrintableText.of(value);
        return text.contains(" ") || text.contains("\"") ? '"' + text.replace('"', '\'') + '"' : text;
    }

    /** The action, for as long as the log is kept: the events of this process end with it. */
    private static String line(String subject, Map<String, Object> details) {
        var line = new StringBuilder("subject=").append(quoted(subject));
        details.forEach((key, value) -> line.append(' ').append(key).append('=').append(quoted(value)));
        return line.toString();
    }

    @Override
    public Future<ClusterOverview> overview() {
        return CallerContext.complete(assembly.started().compose(started -> {
            Future<QueryAnswer.Types> types = coordinator.ask(new Query.Overview());
            Future<Map<NodeId, Optional<QueryAnswer.Status>>> nodes = askMembers(node -> new Query.StatusOf());
            return Future.all(types, nodes).map(both -> overview(types.result(), nodes.result()));
        }));
    }

    @Override
    public Future<ClusterOverview> nodes() {
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.StatusOf()))
                .map(answers -> overview(new QueryAnswer.Types(List.of()), answers)));
    }

    @Override
    public Future<LatencyReport> latency() {
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.LatencyOf()))
                .map(LatencyQueries::merge));
    }

    @Override
    public Future<ConnectionReport> connections() {
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.ConnectionsOf()))
                .map(ConnectionQueries::merge));
    }

    @Override
    public Future<DeadLetterReport> deadLetters() {
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.DeadLettersOf()))
                .map(DeadLetterQueries::merge));
    }

    @Override
    public Future<SilenceReport> silences() {
        return CallerContext.complete(assembly.started()
                .compose(started -> askMembers(node -> new Query.SilencesOf()))
                .map(SilenceQueries::merge));
    }

    @Override
    public Future<Void> cordon(NodeId node, boolean wanted) {
        OperatorOrder.Kind kind = wanted ? OperatorOrder.Kind.CORDON : OperatorOrder.Kind.UNCORDON;
        return CallerContext.complete(assembly.started().compose(started -> {
            if (wanted) {
                requireMember(node);
            }
            return order(new OperatorOrder(kind, "", node, NO_SHARD));
        }));
    }

    private void requireMember(NodeId node) {
        if (!assembly.status().picture().members().contains(node)) {
            throw new ShardingException(FailureCode.UNKNOWN_NODE, "node " + node + " is not in the cluster");
        }
    }

    @Override
    public Future<Void> setRebalancing(String type, boolean enabled) {
        OperatorOrder.Kind kind = enabled ? OperatorOrder.Kind.RESUME : OperatorOrder.Kind.PAUSE;
        return CallerContext.complete(order(new OperatorOrder(kind, type, null, NO_SHARD)));
    }

    @Override
    public Future<Void> move(String type, int shard, @Nullable NodeId to) {
        return CallerContext.complete(place(new OperatorOrder(OperatorOrder.Kind.MOVE, type, to, shard)));
    }

    @Override
    public Future<Void> pin(String type, int shard, NodeId node) {
        return CallerContext.complete(place(new OperatorOrder(OperatorOrder.Kind.PIN, type, node, shard)));
    }

    private Future<Void> place(OperatorOrder order) {
        return assembly.started().compose(started -> {
            NodeId node = order.node();
            if (node != null) {
                requireMember(node);
            }
            return order(order);
        });
    }

    @Override
    public Future<Void> unpin(String type, int shard) {
        return CallerContext.complete(order(new OperatorOrder(OperatorOrder.Kind.UNPIN, type, null, shard)));
    }

    private Future<Void> order(OperatorOrder order) {
        return orders.apply(order)
                .compose(answer -> answer.refusal().isEmpty()
                        ? Future.succeededFuture()
                        : Future.failedFuture(new ShardingException(FailureCode.NOT_APPLICABLE, answer.refusal())));
    }

    @Override
    public Future<MovePlan> plan(String type, MovePlan.Action action, @Nullable NodeId node) {
        return CallerContext.complete(assembly.started()
                .compose(started -> {
                    if (node != null) {
                        requireMember(node);
                    }
                    return coordinator.ask(new Query.PlanOf(type, action, node));
                })
                .map(QueryAnswer.Plan::plan));
    }

    @Override
    public Future<ShardReasons> why(String type, int shard) {
        return CallerContext.complete(assembly.started()
                .compose(started -> coordinator.ask(new Query.WhyOf(type, shard)))
                .map(QueryAnswer.Why::reasons));
    }

    @Override
    public Future<Optional<EntityReport>> entity(String type, String entityId) {
        return CallerContext.complete(assembly.started().compose(started -> entities.entity(type, entityId)));
    }

    @Override
    public Future<JsonObject> inspect(String type, String entityId) {
        return CallerContext.complete(assembly.started().compose(started -> entities.inspect(type, entityId)));
    }

    @Override
    public Future<Void> passivate(String type, String entityId) {
        return treat(type, entityId, EntityOrder.PASSIVATE);
    }

    @Override
    public Future<Void> restart(String type, String entityId) {
        return treat(type, entityId, EntityOrder.RESTART);
    }

    @Override
    public Future<Void> forget(String type, String entityId) {
        return treat(type, entityId, EntityOrder.FORGET);
    }

    @Override
    public Future<Void> erase(String type, String entityId) {
        return CallerContext.complete(assembly.started().compose(started -> entities.erase(type, entityId)));
    }

    private Future<Void> treat(String type, String entityId, EntityOrder order) {
        return CallerContext.complete(assembly.started().compose(started -> entities.treat(type, entityId, order)));
    }

    private Future<QueryAnswer.Ordered> carryOut(OperatorOrder order) {
        return order.type().isEmpty() && !order.isAboutShard()
                ? assembly.onControl(control -> give(order, control))
                : atCoordinator(order.type(), admin -> {
                    if (order.isAboutShard()) {
                        requireShard(admin, order.type(), order.shard());
                    }
                    return admin.refusal(order)
                            .map(refusal -> refuse(order.type(), refusal))
                            .orElseGet(() -> give(order, assembly.control()));
                });
    }

    /** While regions that were there before this reign may not have registered, what they lack is no reason yet. */
    private Future<QueryAnswer.Ordered> refuse(String type, String refusal) {
        boolean late = assembly.control()
                .admin(type)
                .filter(CoordinatorAdmin.OfType::late)
                .isPresent();
        return late
                ? Future.succeededFuture(new QueryAnswer.Ordered(refusal))
                : Future.failedFuture(CoordinatorQueries.notReigning(
                        "node " + assembly.self() + " has just begun to coordinate: " + refusal));
    }

    private Future<QueryAnswer.Ordered> give(OperatorOrder order, CoordinatorVerticle control) {
        return control.orders()
                .give(order)
                .compose(given -> given
                        ? Future.succeededFuture(new QueryAnswer.Ordered(""))
                        : Future.failedFuture(notReigning()));
    }

    private <A> Future<A> atCoordinator(String type, Function<CoordinatorAdmin, Future<A>> answer) {
        return assembly.onControl(control -> {
            Optional<CoordinatorAdmin.OfType> found = control.admin(type);
            CoordinatorAdmin admin = found.map(CoordinatorAdmin.OfType::admin).orElse(null);
            if (admin != null) {
                return answer.apply(admin);
            }
            return Future.failedFuture(
                    found.isPresent() && found.get().late()
                            ? new ShardingException(
                                    FailureCode.UNKNOWN_TYPE,
                                    "no region of an entity type '" + type + "' has registered with the coordinator")
                            : notReigning());
        });
    }

    private static void requireShard(CoordinatorAdmin admin, String type, int shard) {
        int number = admin.view().numberOfShards();
        if (shard < 0 || shard >= number) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_SHARD, "no shard " + shard + " of '" + type + "': use 0 to " + (number - 1));
        }
    }

    private ShardingException notReigning() {
        return CoordinatorQueries.notReigning("node " + assembly.self() + " does not coordinate this now");
    }

    private static ClusterOverview overview(
            QueryAnswer.Types types, Map<NodeId, Optional<QueryAnswer.Status>> answers) {
        Map<NodeId, NodeStatus> nodes = new HashMap<>();
        Set<NodeId> silent = new HashSet<>();
        answers.forEach((node, answer) ->
                answer.ifPresentOrElse(status -> nodes.put(node, status.node()), () -> silent.add(node)));
        List<ClusterOverview.Type> all = types.types().stream()
                .map(type -> overview(type, regionsOf(type, answers)))
                .toList();
        return new ClusterOverview(all, nodes, silent);
    }

    private static ClusterOverview.Type overview(QueryAnswer.Type type, Map<NodeId, QueryAnswer.Region> regions) {
        return new ClusterOverview.Type(
                TypeStates.combine(type.name(), type.table(), regions),
                type.moves().stream().map(move -> heldUp(move, regions)).toList(),
                type.homeless(),
                type.allocation(),
                type.paused(),
                type.pins(),
                type.cordoned());
    }

    private static ShardMove heldUp(ShardMove move, Map<NodeId, QueryAnswer.Region> regions) {
        QueryAnswer.Region home = regions.get(move.from());
        return home == null || move.homelessMs() > 0
                ? move
                : move.heldUpBy(home.holdUps().get(move.shard()));
    }

    /** The answers of the regions of a type, by node; without those that did not answer. */
    private static Map<NodeId, QueryAnswer.Region> regionsOf(
            QueryAnswer.Type type, Map<NodeId, Optional<QueryAnswer.Status>> answers) {
        Map<NodeId, QueryAnswer.Region> found = new HashMap<>();
        answers.forEach((node, answer) ->
                answer.map(status -> status.regions().get(type.name())).ifPresent(region -> found.put(node, region)));
        return found;
    }

    /** One query to each member; empty for those that did not answer in time. */
    private <A extends QueryAnswer> Future<Map<NodeId, Optional<A>>> askMembers(Function<NodeId, Query<A>> query) {
        Map<NodeId, Future<Optional<A>>> asked = new LinkedHashMap<>();
        for (NodeId member : assembly.status().picture().members()) {
            asked.put(
                    member,
                    members.ask(member, query.apply(member))
                            .timeout(NODE_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                            .map(Optional::of)
                            .otherwise(Optional.empty()));
        }
        return Future.join(List.copyOf(asked.values())).map(all -> {
            Map<NodeId, Optional<A>> answers = new LinkedHashMap<>();
            asked.forEach((member, answer) -> answers.put(member, answer.result()));
            return answers;
        });
    }

    /** Answers for this node; empty for a query of another kind. */
    Optional<Future<? extends QueryAnswer>> answer(Query<?> query) {
        if (query instanceof Query.EventsOf of) {
            EventRing ring = ring();
            int limit = Math.max(1, Math.min(of.limit(), MOST_EVENTS));
            return Optional.of(
                    Future.succeededFuture(new QueryAnswer.Events(ring.after(of.after(), limit), ring.last())));
        } else if (query instanceof Query.Overview) {
            return Optional.of(types());
        } else if (query instanceof Query.StatusOf) {
            return Optional.of(status());
        } else if (query instanceof Query.LatencyOf) {
            return Optional.of(LatencyQueries.here(regions));
        } else if (query instanceof Query.ConnectionsOf) {
            return Optional.of(ConnectionQueries.here(regions, assembly.isTls(), assembly.isSealed()));
        } else if (query instanceof Query.DeadLettersOf) {
            return Optional.of(Future.succeededFuture(DeadLetterQueries.here(regions, assembly.self())));
        } else if (query instanceof Query.SilencesOf) {
            return Optional.of(Future.succeededFuture(SilenceQueries.here(regions, assembly.self())));
        } else if (query instanceof Query.Order order) {
            return Optional.of(carryOut(order.order()));
        } else if (query instanceof Query.PlanOf of) {
            return Optional.of(atCoordinator(of.type(), admin -> admin.plan(of.action(), of.node()))
                    .map(QueryAnswer.Plan::new));
        } else if (query instanceof Query.WhyOf of) {
            return Optional.of(atCoordinator(of.type(), admin -> {
                        requireShard(admin, of.type(), of.shard());
                        return admin.why(of.shard()).map(this::withNodesThatDoNotHost);
                    })
                    .map(QueryAnswer.Why::new));
        }
        return Optional.empty();
    }

    /** With the members that have no region of the type, which is why they get no shards. */
    private ShardReasons withNodesThatDoNotHost(ShardReasons reasons) {
        Set<NodeId> hosts =
                reasons.candidates().stream().map(ShardReasons.Candidate::node).collect(Collectors.toSet());
        List<ShardReasons.Candidate> all = new ArrayList<>(reasons.candidates());
        ClusterPicture picture = assembly.status().picture();
        picture.members().stream()
                .filter(member -> !hosts.contains(member))
                .sorted()
                .forEach(member -> {
                    NodeAttributes known = picture.attributes().get(member);
                    String version = known == null ? "" : known.appVersion();
                    all.add(new ShardReasons.Candidate(member, 0, version, List.of("it has no region of the type")));
                });
        return reasons.withCandidates(all);
    }

    private Future<QueryAnswer.Types> types() {
        return assembly.onControl(control -> control.admins()
                .map(admins -> Future.succeededFuture(new QueryAnswer.Types(admins.entrySet().stream()
                        .map(entry -> type(entry.getKey(), entry.getValue()))
                        .toList())))
                .orElseGet(() -> Future.failedFuture(
                        CoordinatorQueries.notReigning("node " + assembly.self() + " does not coordinate any more"))));
    }

    private static QueryAnswer.Type type(String name, CoordinatorAdmin admin) {
        CoordinatorView view = admin.view();
        return new QueryAnswer.Type(
                name,
                TypeStates.table(view),
                view.moves(),
                view.homeless(),
                admin.allocation(),
                view.isPaused(),
                view.pins(),
                view.cordoned());
    }

    private Future<QueryAnswer.Status> status() {
        CoordinatorVerticle control = assembly.control();
        NodeStatus node = process.look(
                control.status().loopLag(),
                control.status().term(),
                assembly.self().equals(control.status().coordinator()),
                assembly.parts().clock().wallMillis(),
                leaseLeftMs(),
                options,
                assembly.parts().membership().unheard());
        Map<String, Future<Optional<QueryAnswer.Region>>> asked = new TreeMap<>();
        regions.all().forEach(region -> asked.put(region.handle().type().name(), statistics(region)));
        return Future.join(List.copyOf(asked.values())).map(all -> {
            Map<String, QueryAnswer.Region> answers = new TreeMap<>();
            asked.forEach((type, answer) -> answer.result().ifPresent(region -> answers.put(type, region)));
            return new QueryAnswer.Status(node, answers);
        });
    }

    private long leaseLeftMs() {
        return regions.all().stream()
                .map(RegionControl::handle)
                .filter(region -> !region.isProxy())
                .mapToLong(RegionHandle::leaseRemains)
                .min()
                .orElse(-1);
    }

    private static Future<Optional<QueryAnswer.Region>> statistics(RegionControl<?> region) {
        return region.handle()
                .queries()
                .statistics()
                .map(found ->
                        Optional.of(TypeStates.region(found, region.handle().isProxy())))
                .otherwise(Optional.empty());
    }

    private EventRing ring() {
        return assembly.control().events();
    }
}
