package io.shardbus.admin;

import io.shardbus.ClusterSharding;
import io.shardbus.model.ClusterEvent;
import io.shardbus.model.ClusterOverview;
import io.shardbus.model.EventPage;
import io.shardbus.model.NodeId;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The resources that show the whole cluster at a time, and what happens in it, as JSON and as streams. */
final class LiveHandlers {
    private static final int DEFAULT_EVENTS = 1_000;
    private static final int MOST_EVENTS = 5_000;
    /** Nodes that answer do so within a second; viewers hear of them also while the coordinator does not answer. */
    private static final long COORDINATOR_TIMEOUT_MS = 2_000;

    private static final String TROUBLE = "trouble";
    private static final String TYPES = "types";
    private static final String REGIONS = "regions";

    private final ClusterSharding sharding;
    private final Viewers<OverviewViewer> overviewViewers;
    private final Viewers<EventViewer> eventViewers;
    private final LastPatch patches = new LastPatch();
    private volatile @Nullable JsonObject lastTypes;

    /** A viewer of the overview, with the overview that it was sent last; null if it must get a complete one. */
    private static final class OverviewViewer implements Viewers.Viewer {
        private final EventStreamResponse stream;
        private final LastPatch patches;
        private @Nullable JsonObject sent;

        OverviewViewer(EventStreamResponse stream, LastPatch patches) {
            this.stream = stream;
            this.patches = patches;
        }

        @Override
        public EventStreamResponse stream() {
            return stream;
        }

        /** Sends what has changed since the last overview; a viewer that is not ready gets a complete one later. */
        void show(JsonObject overview) {
            JsonObject before = sent;
            if (!stream.isReady()) {
                sent = null;
            } else if (before == null) {
                stream.send("snapshot", null, overview);
                sent = overview;
            } else {
                JsonObject patch = patches.between(before, overview);
                if (patch.isEmpty()) {
                    stream.keepAlive();
                } else {
                    stream.send("patch", null, patch);
                }
                sent = overview;
            }
        }
    }

    /** A viewer of events, and how far it has come. */
    private static final class EventViewer implements Viewers.Viewer {
        private final EventStreamResponse stream;
        private final Set<ClusterEvent.Kind> kinds;
        private String cursor;
        private Set<NodeId> silent = Set.of();
        private boolean behind;

        EventViewer(EventStreamResponse stream, String cursor, Set<ClusterEvent.Kind> kinds) {
            this.stream = stream;
            this.cursor = cursor;
            this.kinds = kinds;
        }

        @Override
        public EventStreamResponse stream() {
            return stream;
        }

        @Override
        public boolean isBehind() {
            return behind;
        }

        void show(EventPage whole) {
            EventPage page = only(kinds, whole);
            cursor = page.cursor();
            behind = page.more();
            boolean news = !page.silent().equals(silent);
            if (news) {
                silent = page.silent();
                stream.send("silent", null, new JsonObject().put("nodes", OverviewViews.names(silent)));
            }
            if (page.events().isEmpty() && page.missed().isEmpty()) {
                if (!news) {
                    stream.keepAlive();
                }
                return;
            }
            if (!page.missed().isEmpty()) {
                var missed = new JsonObject();
                page.missed().forEach((node, count) -> missed.put(node.value(), count));
                stream.send("missed", null, missed);
            }
            // the id of the last one stands for all: a client that got some of them gets them again
            int last = page.events().size() - 1;
            for (int i = 0; i <= last; i++) {
                stream.send(
                        "event",
                        i == last ? page.cursor() : null,
                        OverviewViews.event(page.events().get(i)));
            }
        }
    }

    LiveHandlers(Vertx vertx, ClusterSharding sharding) {
        this.sharding = sharding;
        this.overviewViewers = new Viewers<>(vertx, sharding, this::serveOverview);
        this.eventViewers = new Viewers<>(vertx, sharding, this::serveEvents);
    }

    Future<JsonObject> overview(RoutingContext request) {
        return sharding.operations().overview().map(this::overview);
    }

    Future<JsonObject> moves(RoutingContext request) {
        return sharding.operations().overview().map(OverviewViews::moves);
    }

    Future<JsonObject> nodes(RoutingContext request) {
        return sharding.operations().nodes().map(nodes -> new JsonObject().put("nodes", withClocks(nodes)));
    }

    /** One node: the state of its process, and its regions; these are null while no coordinator answers. */
    Future<JsonObject> node(RoutingContext request) {
        var name = request.pathParam("node");
        return sharding.operations()
                .overview()
                .timeout(COORDINATOR_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .compose(
                        overview -> Future.succeededFuture(
                                node(name, overview).put(REGIONS, OverviewViews.regions(overview, new NodeId(name)))),
                        failure -> sharding.operations()
                                .nodes()
                                .map(nodes -> node(name, nodes).putNull(REGIONS)));
    }

    private JsonObject node(String name, ClusterOverview overview) {
        JsonObject node = withClocks(overview).getJsonObject(name);
        if (node == null) {
            throw new RefusedRequest(HttpFailure.notFound("no node '" + name + "' in the cluster"));
        }
        return new JsonObject().put("id", name).mergeIn(node);
    }

    Future<JsonObject> hot(RoutingContext request) {
        var by = LatencyViews.Measure.of(request.request().getParam("by"));
        return sharding.operations().latency().map(report -> LatencyViews.hot(report, by));
    }

    Future<JsonObject> latency(RoutingContext request) {
        return sharding.operations().latency().map(LatencyViews::latency);
    }

    Future<JsonObject> silences(RoutingContext request) {
        return sharding.operations().silences().map(SilenceViews::silences);
    }

    Future<JsonObject> deadLetters(RoutingContext request) {
        return sharding.operations().deadLetters().map(DeadLetterViews::letters);
    }

    /** Sums, which need a coordinator and are null without an answer of one, and dead letters, which need none. */
    Future<JsonObject> failures(RoutingContext request) {
        Future<ClusterOverview> counted =
                sharding.operations().overview().timeout(COORDINATOR_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        return sharding.operations()
                .deadLetters()
                .compose(letters -> counted.transform(overview -> {
                    JsonObject failures = DeadLetterViews.letters(letters);
                    return Future.succeededFuture(
                            overview.succeeded()
                                    ? failures.mergeIn(FailureViews.failures(overview.result(), letters))
                                    : failures.putNull("counts").put(TROUBLE, trouble(overview.cause())));
                }));
    }

    Future<JsonObject> connections(RoutingContext request) {
        return sharding.operations().connections().map(ConnectionViews::connections);
    }

    /** Clocks are not in the overview, whose stream would send them each second. */
    private JsonObject withClocks(ClusterOverview overview) {
        JsonObject nodes = OverviewViews.nodes(sharding.clusterState(), overview);
        overview.nodes().forEach((node, status) -> {
            JsonObject view = nodes.getJsonObject(node.value());
            if (view != null && status.clock() > 0) {
                view.put("clock", status.clock());
            }
        });
        return nodes;
    }

    private JsonObject overview(ClusterOverview overview) {
        var state = sharding.clusterState();
        return new JsonObject()
                .put("cluster", OverviewViews.cluster(state))
                .put("nodes", OverviewViews.nodes(state, overview))
                .put(TYPES, OverviewViews.types(overview));
    }

    Future<JsonObject> events(RoutingContext request) {
        int limit = limit(request.request().getParam("limit"));
        Set<ClusterEvent.Kind> kinds = kinds(request.request().getParam("kind"));
        return firstEvents(cursor(request), limit).map(page -> OverviewViews.events(only(kinds, page)));
    }

    /** A page without events of other kinds, which goes on where it went on with them. */
    private static EventPage only(Set<ClusterEvent.Kind> kinds, EventPage page) {
        List<ClusterEvent> events = page.events().stream()
                .filter(event -> kinds.isEmpty() || kinds.contains(event.kind()))
                .toList();
        return new EventPage(events, page.cursor(), page.more(), page.missed(), page.silent());
    }

    private Future<EventPage> firstEvents(String cursor, int limit) {
        try {
            return sharding.operations().events(cursor, limit);
        } catch (IllegalArgumentException e) {
            throw new RefusedRequest(HttpFailure.badRequest(String.valueOf(e.getMessage())));
        }
    }

    void streamOverview(RoutingContext request) {
        overviewViewers.add(request, stream -> new OverviewViewer(stream, patches));
    }

    void streamEvents(RoutingContext request) {
        var cursor = cursor(request);
        var kinds = kinds(request.request().getParam("kind"));
        firstEvents(cursor, 1)
                .map(known -> {
                    if (!request.response().closed()) {
                        eventViewers.add(request, stream -> new EventViewer(stream, cursor, kinds));
                    }
                    return known;
                })
                .onFailure(request::fail);
    }

    /** The overview; while no coordinator answers in time, the nodes without types, with the reason. */
    Future<JsonObject> overviewInTime() {
        return sharding.operations()
                .overview()
                .timeout(COORDINATOR_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                .map(this::overview)
                .recover(failure -> sharding.operations()
                        .nodes()
                        .map(nodes -> overview(nodes).put(TROUBLE, trouble(failure))));
    }

    /** One question for all viewers. The coordinator's last answer is kept while no coordinator answers. */
    private Future<?> serveOverview() {
        return overviewInTime().onSuccess(overview -> {
            JsonObject types = lastTypes;
            if (!overview.containsKey(TROUBLE)) {
                lastTypes = overview.getJsonObject(TYPES);
            } else if (types != null) {
                overview.put(TYPES, types);
            }
            List.copyOf(overviewViewers.all()).forEach(viewer -> viewer.show(overview));
        });
    }

    /** Why the coordinator's part of an answer is missing. */
    private static String trouble(Throwable failure) {
        return failure instanceof TimeoutException ? "no answer within 2 s" : String.valueOf(failure.getMessage());
    }

    /** One question for all viewers that have come as far. */
    private Future<?> serveEvents() {
        Map<String, Future<EventPage>> pages = new HashMap<>();
        for (EventViewer viewer : eventViewers.all()) {
            if (viewer.stream().isReady()) {
                viewer.behind = false;
                pages.computeIfAbsent(
                                viewer.cursor, cursor -> sharding.operations().events(cursor, DEFAULT_EVENTS))
                        .onSuccess(viewer::show);
            }
        }
        return Future.join(List.copyOf(pages.values()));
    }

    private static String cursor(RoutingContext request) {
        var resumed = request.request().getHeader("Last-Event-ID");
        var after = request.request().getParam("after");
        return resumed != null ? resumed : after == null ? "" : after;
    }

    /** Kinds as events have them, with commas between; empty for all. */
    private static Set<ClusterEvent.Kind> kinds(@Nullable String text) {
        Set<ClusterEvent.Kind> kinds = EnumSet.noneOf(ClusterEvent.Kind.class);
        if (text == null || text.isEmpty()) {
            return kinds;
        }
        for (String name : text.split(",", -1)) {
            ClusterEvent.Kind kind = ClusterEvent.Kind.of(name);
            if (kind == ClusterEvent.Kind.UNKNOWN) {
                String known = Arrays.stream(ClusterEvent.Kind.values())
                        .filter(each -> each != ClusterEvent.Kind.UNKNOWN)
                        .map(ClusterEvent.Kind::text)
                        .collect(Collectors.joining(", "));
                throw new RefusedRequest(
                        HttpFailure.badRequest("no kind of events is '" + name + "': there are " + known));
            }
            kinds.add(kind);
        }
        return kinds;
    }

    private static int limit(@Nullable String text) {
        if (text == null) {
            return DEFAULT_EVENTS;
        }
        if (!text.matches("[1-9][0-9]{0,3}") || Integer.parseInt(text) > MOST_EVENTS) {
            throw new RefusedRequest(
                    HttpFailure.badRequest("limit '" + text + "' is not a whole number in 1.." + MOST_EVENTS));
        }
        return Integer.parseInt(text);
    }
}
