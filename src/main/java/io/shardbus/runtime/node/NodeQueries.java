package io.shardbus.runtime.node;

import io.shardbus.ExternalShardAllocation;
import io.shardbus.ShardingException;
import io.shardbus.core.control.ShutdownAnnouncement;
import io.shardbus.core.coordinator.CoordinatorView;
import io.shardbus.core.protocol.OperatorOrder;
import io.shardbus.core.protocol.Query;
import io.shardbus.core.protocol.QueryAnswer;
import io.shardbus.model.EntityLocation;
import io.shardbus.model.FailureCode;
import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.runtime.control.CoordinatorAdmin;
import io.shardbus.runtime.control.CoordinatorVerticle;
import io.shardbus.runtime.region.RegionControl;
import io.shardbus.runtime.region.RegionQueries;
import io.shardbus.transport.BusTransport;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The questions of operators, asked on any node and answered by the coordinator and the homes; also answers them for
 * other nodes.
 */
final class NodeQueries implements BusTransport.Answerer {
    private static final int MOST_IDS = 10_000;
    private static final long OPEN_POLL_MS = 100;
    private static final long HOST_POLL_MS = 1_000;

    private final NodeAssembly assembly;
    private final RegionStarter regions;
    private final Greetings greetings;
    private final Retries retries;
    private final CoordinatorQueries questions;
    private final MemberQueries members;
    private final HomeQueries homes;
    private final HostSearch hosts;
    private final NodeOperations operations;
    private final LatestOrders orders = new LatestOrders();
    /** Counts announcements of a shutdown that were made here, or followed: only the last one is repeated. */
    private final AtomicLong announcements = new AtomicLong();

    private volatile long openTimer = -1;
    private volatile long hostTimer = -1;
    private volatile boolean closed;

    NodeQueries(NodeAssembly assembly, RegionStarter regions) {
        this.assembly = assembly;
        this.regions = regions;
        this.greetings = new Greetings(assembly, regions::find);
        this.retries = new Retries(assembly.vertx(), assembly.parts().clock());
        this.questions = new CoordinatorQueries(retries, () -> assembly.status().coordinator(), this::ask);
        this.members = new MemberQueries(retries, () -> assembly.status().picture(), this::ask);
        this.homes = new HomeQueries(
                retries,
                members,
                this::askCoordinator,
                assembly.parts().options().getQueryTimeoutMs());
        this.operations = new NodeOperations(
                assembly, regions, this::askCoordinator, this::order, members::ask, new EntityQueries(regions, homes));
        // one that has just gone may come back, or be replaced
        this.hosts = new HostSearch(regions::all, type -> regions(type, true));
    }

    /**
     * Polls the coordinator until it says for every region that shards can get homes, and for the hosts of types whose
     * messages wait.
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
            Query.IsOpen question = new Query.IsOpen(region.handle().type().name());
            assembly.started().compose(done -> questions.ask(question, 0)).onSuccess(answer -> {
                region.handle().readiness().waits(answer.missing(), answer.opensInMs());
                if (answer.open() && answer.missing() == 0) {
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

    NodeOperations operations() {
        return operations;
    }

    /** This node leaves the cluster: queries are refused. */
    void end() {
        retries.end();
    }

    private <A extends QueryAnswer> Future<A> ask(NodeId node, Query<A> query) {
        if (node.equals(assembly.self())) {
            return awaitsLanes(query) ? inTime(answer(query)) : answer(query);
        }
        return assembly.parts()
                .transport()
                .query(node, query, assembly.parts().options().getQueryTimeoutMs());
    }

    /** Whether the lanes have to answer, of which one may be blocked. Orders are not given up. */
    private static boolean awaitsLanes(Query<?> query) {
        return query instanceof Query.RegionOf
                || query instanceof Query.OfHome<?>
                        && !(query instanceof Query.Treat)
                        && !(query instanceof Query.Erase);
    }

    /** This node's own lanes may take as long as those of another node. */
    private <A> Future<A> inTime(Future<A> answer) {
        long patience = assembly.parts().options().getQueryTimeoutMs();
        return answer.timeout(patience, TimeUnit.MILLISECONDS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof TimeoutException
                                ? new ShardingException(
                                        FailureCode.TIMED_OUT,
                                        "a lane of this node has not answered for " + patience
                                                + " ms: entity code may block it")
                                : failure));
    }

    /** Between two reigns the query waits for the next coordinator, at most as long as for an answer. */
    private <A extends QueryAnswer> Future<A> askCoordinator(Query<A> query) {
        return assembly.started()
                .compose(done -> questions.ask(query, assembly.parts().options().getQueryTimeoutMs()));
    }

    Future<Set<NodeId>> regions(String type) {
        return regions(type, false);
    }

    private Future<Set<NodeId>> regions(String type, boolean evenGone) {
        return askCoordinator(new Query.TableOf(type))
                .map(table -> table.regions().stream()
                        .filter(region -> !region.proxy() && (evenGone || !region.gone()))
                        .map(QueryAnswer.RegionRow::node)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    Future<TypeState> typeState(String type) {
        return askCoordinator(new Query.TableOf(type)).compose(table -> {
            List<NodeId> nodes =
                    table.regions().stream().map(QueryAnswer.RegionRow::node).toList();
            List<Future<QueryAnswer.Region>> answers = nodes.stream()
                    .map(node -> ask(node, new Query.RegionOf(type)))
                    .toList();
            return Future.join(answers)
                    .transform(all -> Future.succeededFuture(TypeStates.combine(type, table, nodes, answers)));
        });
    }

    ExternalShardAllocation externalAllocation(String type) {
        return new DesiredHomesClient(
                type, assembly, regions, () -> placed(type), () -> rebalance(new Query.Rebalance(type)));
    }

    /**
     * The placement of the type's shards by the coordinator; with 0 of them while it does not know one that
     * started here.
     */
    private Future<QueryAnswer.Home> placed(String type) {
        return askCoordinator(new Query.HomeOf(type, 0)).map(home -> {
            if (home.numberOfShards() == 0) {
                requireKnown(type);
            }
            return home;
        });
    }

    /** A type that the coordinator does not know is known still if this node has started it. */
    private void requireKnown(String type) {
        if (!regions.types().contains(type)) {
            throw new ShardingException(
                    FailureCode.UNKNOWN_TYPE,
                    "no region of an entity type '" + type + "' has registered with the coordinator");
        }
    }

    Future<Set<String>> entityIds(String type, int shard) {
        return homes.ask(new Query.IdsOf(type, shard))
                .map(found -> found.map(home -> home.answer().ids()).orElse(Set.of()));
    }

    Future<Optional<EntityLocation>> locate(String type, String entityId) {
        int shard;
        try {
            shard = regions.handle(type).shard(entityId);
        } catch (ShardingException e) {
            return Future.failedFuture(e);
        }
        return homes.ask(new Query.IsLive(type, shard, entityId))
                .map(found -> found.map(home -> new EntityLocation(
                        type,
                        entityId,
                        shard,
                        home.home(),
                        home.token(),
                        home.answer().live())));
    }

    /** Fails with UNKNOWN_TYPE when neither the coordinator nor this node knows the type. */
    Future<Integer> rebalance(Query.Rebalance order) {
        String type = order.type();
        return askCoordinator(order).map(answer -> {
            if (answer.unknown()) {
                requireKnown(type);
            }
            return answer.handoffs();
        });
    }

    Future<Integer> drain(NodeId node) {
        return order(node, OperatorOrder.Kind.DRAIN, new Query.Drain(node));
    }

    Future<Integer> undrain(NodeId node) {
        return order(node, OperatorOrder.Kind.UNDRAIN, new Query.Undrain(node));
    }

    Future<Set<NodeId>> drainedNodes() {
        return askCoordinator(new Query.Drained()).map(answer -> {
            Set<NodeId> drained = new TreeSet<>(answer.nodes());
            drained.retainAll(assembly.status().picture().members());
            return drained;
        });
    }

    /** The nodes that get no more shards, by type. */
    Future<Map<String, Set<NodeId>>> cordonedNodes() {
        return askCoordinator(new Query.Overview())
                .map(answer -> answer.types().stream()
                        .collect(Collectors.toUnmodifiableMap(QueryAnswer.Type::name, QueryAnswer.Type::cordoned)));
    }

    /** A drain is for members alone; of another node the coordinator knows whether it is drained. */
    private Future<Integer> order(NodeId node, OperatorOrder.Kind kind, Query<QueryAnswer.Handoffs> query) {
        return assembly.started().compose(done -> {
            Collection<NodeId> members = assembly.status().picture().members();
            if (kind == OperatorOrder.Kind.DRAIN && !members.contains(node) && !node.equals(assembly.self())) {
                throw new ShardingException(FailureCode.UNKNOWN_NODE, "node " + node + " is not in the cluster");
            }
            return give(new OperatorOrder(kind, "", node, -1), query).map(QueryAnswer.Handoffs::handoffs);
        });
    }

    private Future<QueryAnswer.Ordered> order(OperatorOrder order) {
        return assembly.started().compose(done -> give(order, new Query.Order(order)));
    }

    private <A extends QueryAnswer> Future<A> give(OperatorOrder order, Query<A> query) {
        long patience = assembly.parts().options().getQueryTimeoutMs();
        return orders.give(order, isLatest -> questions.ask(query, patience, isLatest));
    }

    /** @param stops whether the whole cluster will stop, or goes on after all */
    Future<Void> prepareForShutdown(boolean stops) {
        if (retries.isOver()) {
            return Future.failedFuture(RegionStarter.closedNode());
        }
        return assembly.onControl(control -> {
            long present = announcements.incrementAndGet();
            ShutdownAnnouncement said = control.announceShutdown(stops);
            return Future.join(control.status().picture().members().stream()
                            .filter(member -> !member.equals(assembly.self()))
                            .map(member -> tell(member, said, present))
                            .toList())
                    .mapEmpty();
        });
    }

    /** @param present the count of this announcement */
    private Future<Void> tell(NodeId member, ShutdownAnnouncement said, long present) {
        long patience = assembly.parts().options().getQueryTimeoutMs();
        Query.PrepareForShutdown order = new Query.PrepareForShutdown(said.stops(), said.by(), said.number());
        return members.tell(member, order, patience, () -> announcements.get() == present)
                .compose(answer -> {
                    long outdatedBy =
                            answer.map(QueryAnswer.Announced::outdatedBy).orElse(0L);
                    return outdatedBy == 0 ? Future.succeededFuture() : outdated(member, outdatedBy);
                });
    }

    /** What is said here next is later than what the member has heard. */
    private Future<Void> outdated(NodeId member, long outdatedBy) {
        return assembly.onControl(control -> {
            control.shutdownOutdatedBy(outdatedBy);
            return Future.failedFuture(new ShardingException(
                    FailureCode.NOT_APPLICABLE,
                    "node " + member + " has heard another announcement of a shutdown, or its end, and keeps to that:"
                            + " say it again if it is to hold"));
        });
    }

    /** The answer that a query gets has the class that the query names. */
    @Override
    @SuppressWarnings("unchecked")
    public <A extends QueryAnswer> Future<A> answer(Query<A> query) {
        return (Future<A>) answerOf(query);
    }

    private Future<? extends QueryAnswer> answerOf(Query<?> query) {
        if (query instanceof Query.OfType<?> ofType
                && !(query instanceof Query.PlanOf)
                && !(query instanceof Query.WhyOf)) {
            return answerOfType(ofType);
        } else if (query instanceof Query.Drain drain) {
            return drain(drain.node(), true);
        } else if (query instanceof Query.Undrain undrain) {
            return drain(undrain.node(), false);
        } else if (query instanceof Query.Drained) {
            return drained();
        } else if (query instanceof Query.PrepareForShutdown prepare) {
            return assembly.onControl(control ->
                    follow(control, new ShutdownAnnouncement(prepare.stops(), prepare.by(), prepare.number())));
        }
        return operations
                .answer(query)
                .orElseGet(() -> Future.failedFuture(new ShardingException(
                        FailureCode.INCOMPATIBLE, "unknown query: " + ((Query.Unknown) query).kind())));
    }

    private Future<QueryAnswer.Announced> follow(CoordinatorVerticle control, ShutdownAnnouncement said) {
        long outdatedBy = control.prepareForShutdown(said);
        if (outdatedBy == 0) {
            announcements.incrementAndGet();
        }
        return Future.succeededFuture(new QueryAnswer.Announced(outdatedBy));
    }

    private Future<? extends QueryAnswer> answerOfType(Query.OfType<?> query) {
        String type = query.type();
        if (query instanceof Query.TableOf) {
            return atCoordinator(type, QueryAnswer.Table.EMPTY, admin -> Optional.of(TypeStates.table(admin.view())));
        } else if (query instanceof Query.HomeOf home) {
            return atCoordinator(type, QueryAnswer.Home.UNKNOWN, admin -> Optional.of(home(admin, home.shard())));
        } else if (query instanceof Query.IsOpen) {
            return atCoordinator(
                    type,
                    QueryAnswer.Open.CLOSED,
                    admin ->
                            Optional.of(new QueryAnswer.Open(admin.isOpen(), admin.missingMembers(), admin.opensIn())));
        } else if (query instanceof Query.Rebalance order) {
            return atCoordinator(
                    type,
                    QueryAnswer.Handoffs.OF_UNKNOWN_TYPE,
                    admin -> admin.rebalance(order.most()).map(QueryAnswer.Handoffs::new));
        } else if (query instanceof Query.Greet greeting) {
            return greetings.answer(greeting);
        }
        return regions.find(type)
                .<Future<? extends QueryAnswer>>map(region -> atRegion(region, query))
                .orElseGet(() -> Future.failedFuture("entity type " + type + " is not started here"));
    }

    /**
     * Answers at a region. This node shows the state of entities only where its own {@code stateInspection} allows it,
     * independent of the asker.
     */
    private Future<? extends QueryAnswer> atRegion(RegionControl<?> region, Query.OfType<?> query) {
        RegionQueries asked = region.handle().queries();
        boolean hidden = !assembly.parts().options().isStateInspection();
        if (query instanceof Query.IdsOf of) {
            return asked.entityIds(of.shard(), MOST_IDS)
                    .map(ids -> new QueryAnswer.Ids(ids.orElse(Set.of()), ids.isEmpty()));
        } else if (query instanceof Query.IsLive of) {
            return asked.isLive(of.shard(), of.entityId())
                    .map(live -> new QueryAnswer.Live(live.orElse(false), live.isEmpty()));
        } else if (query instanceof Query.EntityOf of) {
            Future<QueryAnswer.Found> found = asked.entity(of.shard(), of.entityId());
            return hidden ? found.map(QueryAnswer.Found::withoutState) : found;
        } else if (query instanceof Query.StateOf of) {
            return hidden ? Future.succeededFuture(QueryAnswer.State.HIDDEN) : asked.inspect(of.shard(), of.entityId());
        } else if (query instanceof Query.Treat treat) {
            return asked.treat(treat.shard(), treat.entityId(), treat.order());
        } else if (query instanceof Query.Erase erase) {
            // the home answers before its asker gives it up
            long timeout = Math.max(1, assembly.parts().options().getQueryTimeoutMs() * 3 / 4);
            return region.handle().erase(erase.shard(), erase.entityId(), timeout);
        }
        return asked.statistics()
                .map(found -> TypeStates.region(found, region.handle().isProxy()));
    }

    /**
     * A coordinator that may not have heard of the type's regions yet, or is not ready, is asked again, as between two
     * reigns.
     *
     * @param ofUnknown the answer for a type of which it would have heard
     * @param answer empty if the coordinator is not ready
     */
    private <A extends QueryAnswer> Future<A> atCoordinator(
            String type, A ofUnknown, Function<CoordinatorAdmin, Optional<A>> answer) {
        return assembly.onControl(control -> {
            Optional<CoordinatorAdmin.OfType> found = control.admin(type);
            CoordinatorAdmin admin = found.map(CoordinatorAdmin.OfType::admin).orElse(null);
            Optional<A> answered = admin == null ? Optional.empty() : answer.apply(admin);
            if (answered.isPresent()) {
                return Future.succeededFuture(answered.get());
            }
            if (admin == null && found.isPresent() && found.get().late()) {
                return Future.succeededFuture(ofUnknown);
            }
            String why =
                    found.isPresent() ? " does not know all of '" + type + "' yet" : " does not coordinate any more";
            return Future.failedFuture(CoordinatorQueries.notReigning("node " + assembly.self() + why + ", ask again"));
        });
    }

    private static QueryAnswer.Home home(CoordinatorAdmin admin, int shard) {
        CoordinatorView view = admin.view();
        return new QueryAnswer.Home(view.numberOfShards(), view.row(shard).map(TypeStates::shard), admin.allocation());
    }

    /**
     * Drains a node or ends its drain; a result that is not known yet is asked for again, as between two reigns; the
     * order itself is carried out.
     */
    private Future<QueryAnswer.Handoffs> drain(NodeId node, boolean empties) {
        return assembly.onControl(control -> {
            // a node that does not coordinate may have missed that the shutdown was taken back
            boolean reigns = control.admins().isPresent();
            if (empties && reigns && control.isPreparedForShutdown()) {
                return Future.failedFuture(
                        new ShardingException(FailureCode.NOT_APPLICABLE, CoordinatorView.CLUSTER_STOPS));
            }
            return control.orders()
                    .drain(node, empties)
                    .compose(shards -> shards.isPresent()
                            ? Future.succeededFuture(new QueryAnswer.Handoffs(shards.get()))
                            : Future.failedFuture(CoordinatorQueries.notReigning("node " + assembly.self()
                                    + " does not know yet what shards " + node + " has, ask again")));
        });
    }

    private Future<QueryAnswer.Nodes> drained() {
        return assembly.onControl(control -> control.orders()
                .drained()
                .map(nodes -> Future.succeededFuture(new QueryAnswer.Nodes(nodes)))
                .orElseGet(() -> Future.failedFuture(CoordinatorQueries.notReigning("node " + assembly.self()
                        + " does not coordinate, or does not know the standing orders yet"))));
    }
}
