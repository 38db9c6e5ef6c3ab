package io.shardbus.launcher.demo;

import io.shardbus.model.NodeId;
import io.shardbus.model.TypeState;
import io.shardbus.options.ClusterOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Up to four nodes in this process, found at ports of their own. To be used on the context of the first node. */
final class DemoCluster {
    private static final List<String> NAMES = List.of("A", "B", "C", "D");
    private static final long POLL_MS = 100;
    private static final long LONGEST_WAIT_MS = 30_000;

    private final Archive archive = new Archive();
    private final List<DemoNode> nodes = new ArrayList<>();
    private final List<ClusterOptions> places;
    private final ExecutorService starter = Executors.newSingleThreadExecutor();
    private @Nullable Context context;

    DemoCluster() {
        var ports = Ports.free(NAMES.size());
        var peers = ports.stream().map(port -> "127.0.0.1:" + port).toList();
        var name = "demo-" + UUID.randomUUID();
        places = ports.stream()
                .map(port -> new ClusterOptions()
                        .setClusterName(name)
                        .setPeers(peers)
                        .setBindPort(port))
                .toList();
    }

    /** Starts the first node, on whose context everything else happens. */
    Future<DemoNode> startFirst() {
        return start(0).onSuccess(first -> {
            context = first.vertx().getOrCreateContext();
            nodes.add(first);
        });
    }

    /** Starts more nodes, at the same time. */
    Future<?> start(String... names) {
        return Future.all(Stream.of(names)
                .map(name -> here(start(NAMES.indexOf(name))).onSuccess(nodes::add))
                .toList());
    }

    /** To read its configuration, a node blocks the thread that starts it. */
    private Future<DemoNode> start(int number) {
        Promise<DemoNode> started = Promise.promise();
        starter.execute(() ->
                DemoNode.start(NAMES.get(number), places.get(number), archive).onComplete(started));
        return started.future();
    }

    /** A node leaves in good order. */
    Future<Void> leave(DemoNode node) {
        return here(node.vertx().close());
    }

    /** All leave, the last first; the demo ends. */
    Future<Void> end() {
        starter.shutdown();
        Future<Void> ended = Future.succeededFuture();
        for (int i = nodes.size() - 1; i >= 0; i--) {
            var vertx = nodes.get(i).vertx();
            ended = ended.transform(done -> vertx.close());
        }
        return ended;
    }

    Context context() {
        return Objects.requireNonNull(context, "the first node comes first");
    }

    DemoNode first() {
        return nodes.get(0);
    }

    DemoNode node(String name) {
        return nodes.stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    List<DemoNode> nodes() {
        return nodes;
    }

    /** All nodes may be sent messages: a coordinator gives shards a home. */
    Future<?> isReady() {
        return here(
                Future.all(nodes.stream().map(node -> node.airports().ready()).toList())
                        .timeout(LONGEST_WAIT_MS, TimeUnit.MILLISECONDS));
    }

    /** So many shards are at home, and so many nodes share them evenly. */
    Future<TypeState> isEven(int shards, int hosts) {
        return await(state -> state.handoffs().isEmpty()
                && state.shards().size() == shards
                && state.regions().size() == hosts
                && spread(state) <= 1);
    }

    private static int spread(TypeState state) {
        IntSummaryStatistics shards =
                state.regions().stream().mapToInt(TypeState.Region::shards).summaryStatistics();
        return shards.getMax() - shards.getMin();
    }

    private Future<TypeState> await(Predicate<TypeState> goal) {
        Promise<TypeState> reached = Promise.promise();
        poll(goal, reached, System.nanoTime() + LONGEST_WAIT_MS * 1_000_000);
        return reached.future();
    }

    private void poll(Predicate<TypeState> goal, Promise<TypeState> reached, long end) {
        first().sharding().typeState(DemoNode.AIRPORT.name()).onComplete(answer -> {
            if (answer.succeeded() && goal.test(answer.result())) {
                reached.complete(answer.result());
            } else if (System.nanoTime() > end) {
                reached.fail("the cluster did not settle within " + LONGEST_WAIT_MS + " ms");
            } else {
                first().vertx().setTimer(POLL_MS, again -> poll(goal, reached, end));
            }
        });
    }

    /** Number of shards of each node, as in "A 25, B 25". */
    String shares(TypeState state) {
        return String.join(
                ", ",
                nodes.stream()
                        .sorted(Comparator.comparing(DemoNode::name))
                        .flatMap(node -> state.regions().stream()
                                .filter(region -> region.node().equals(id(node)))
                                .map(region -> node.name() + " " + region.shards()))
                        .toList());
    }

    private static NodeId id(DemoNode node) {
        return node.sharding().self();
    }

    private <T> Future<T> here(Future<T> future) {
        Promise<T> promise = Promise.promise();
        future.onComplete(result -> context().runOnContext(go -> promise.handle(result)));
        return promise.future();
    }
}
