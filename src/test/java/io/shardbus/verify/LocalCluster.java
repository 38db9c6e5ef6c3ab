package io.shardbus.verify;

import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of nodes of an example, of examples/counter unless said otherwise, on this machine, a process each. Closing
 * kills those that still run.
 */
public final class LocalCluster implements AutoCloseable {
    /** How many nodes must have met before a counter may live. */
    public static final String MINIMUM_MEMBERS = "SHARDBUS_MINIMUM_MEMBERS";

    private static final Duration LONGEST_START = Duration.ofSeconds(90);
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(4);

    private final Example example;
    private final Hosts hosts;
    private final Map<String, String> settings;
    private final Runnable serverRestart;
    private final CounterNodeProcess[] nodes;
    private final List<Path> logs = new ArrayList<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(1))
            .build();
    private final Thread hook = new Thread(this::killAll, "kill-nodes");

    private LocalCluster(Example example, Hosts hosts, Map<String, String> settings, Runnable serverRestart) {
        this.example = example;
        this.hosts = hosts;
        this.settings = Map.copyOf(settings);
        this.serverRestart = serverRestart;
        this.nodes = new CounterNodeProcess[hosts.count()];
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Starts a node on every host and waits until they are one cluster. The cluster closes the hosts. */
    public static LocalCluster start(Hosts hosts, Map<String, String> settings) {
        return awaited(begin(hosts, settings));
    }

    /**
     * The same for another example.
     *
     * @param serverRestart stops the server of their store, and starts it again
     */
    public static LocalCluster start(
            Example example, Hosts hosts, Map<String, String> settings, Runnable serverRestart) {
        return awaited(begin(example, hosts, settings, serverRestart));
    }

    private static LocalCluster awaited(LocalCluster cluster) {
        try {
            cluster.awaitWhole();
            return cluster;
        } catch (IllegalStateException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Begins to start a node on every host; a node alone does nothing if not set otherwise. The cluster closes the
     * hosts.
     */
    public static LocalCluster begin(Hosts hosts, Map<String, String> settings) {
        return begin(Example.COUNTER, hosts, settings, () -> {
            throw new IllegalStateException("counters have no server");
        });
    }

    private static LocalCluster begin(
            Example example, Hosts hosts, Map<String, String> settings, Runnable serverRestart) {
        var all = new HashMap<>(Map.of(MINIMUM_MEMBERS, Integer.toString(hosts.count() / 2 + 1)));
        all.putAll(settings);
        var cluster = new LocalCluster(example, hosts, all, serverRestart);
        cluster.numbers().forEach(cluster::begin);
        return cluster;
    }

    /** Waits until all nodes have started and are one cluster. */
    public void awaitWhole() {
        numbers().forEach(number -> node(number).awaitReady(LONGEST_START));
        Waiting.until("all nodes are one cluster", LONGEST_START, this::isWhole);
    }

    public int size() {
        return nodes.length;
    }

    /** 1 to {@link #size}. */
    public List<Integer> numbers() {
        return IntStream.rangeClosed(1, nodes.length).boxed().toList();
    }

    public CounterNodeProcess node(int number) {
        return nodes[number - 1];
    }

    public List<URI> urls() {
        return numbers().stream().map(number -> node(number).uri("/")).toList();
    }

    /** The hosts, if links between them can be cut. */
    public @Nullable NetworkNamespaces net() {
        return hosts instanceof NetworkNamespaces namespaces ? namespaces : null;
    }

    /** Where the nodes wrote and write their logs to. */
    public List<Path> logs() {
        return List.copyOf(logs);
    }

    /** Stops the server of the nodes' store, and starts it again. */
    void restartServer() {
        serverRestart.run();
    }

    /** Starts a node whose process has ended. */
    public void restart(int number) {
        begin(number);
        awaitReady(number);
    }

    void awaitReady(int number) {
        node(number).awaitReady(LONGEST_START);
    }

    /** Starts a node whose process has ended, and does not wait for it. */
    void begin(int number) {
        nodes[number - 1] = CounterNodeProcess.start(example, number, hosts, settings);
        logs.add(node(number).logFile());
    }

    /** Whether every node is ready and sees all of them, with one coordinator. */
    public boolean isWhole() {
        var coordinators = new TreeSet<String>();
        for (int number : numbers()) {
            var state = get(number, "/sharding/api/cluster");
            if (status(number, "/sharding/health/ready") != 200
                    || state == null
                    || nodesOf(state).size() != size()
                    || state.getString("coordinator") == null) {
                return false;
            }
            coordinators.add(state.getString("coordinator"));
        }
        return coordinators.size() == 1;
    }

    private static Set<String> nodesOf(JsonObject state) {
        var ids = new TreeSet<String>();
        var nodes = state.getJsonArray("nodes", new JsonArray());
        for (int i = 0; i < nodes.size(); i++) {
            ids.add(nodes.getJsonObject(i).getString("id"));
        }
        return ids;
    }

    /** The node that a node takes for the coordinator; 0 when it knows of none, or does not answer. */
    public int coordinatorSeenBy(int number) {
        var state = get(number, "/sharding/api/cluster");
        var coordinator = state == null ? null : state.getString("coordinator");
        return coordinator == null ? 0 : numberOf(coordinator);
    }

    /** The coordinator, as most nodes have it; 0 when they know of none. */
    public int coordinator() {
        return numbers().stream()
                .map(this::coordinatorSeenBy)
                .filter(number -> number != 0)
                .findFirst()
                .orElse(0);
    }

    /** The first member of the view, as a node sees it. */
    public int firstMember() {
        var state = get(1, "/sharding/api/cluster");
        if (state == null) {
            throw new IllegalStateException("node 1 does not say who the members are");
        }
        return numberOf(state.getJsonArray("nodes").getJsonObject(0).getString("id"));
    }

    /** Node ids begin with the name that the example gives them, as counter-N. */
    private static int numberOf(String id) {
        return Integer.parseInt(id.replaceFirst("^[a-z]+-([0-9]+).*$", "$1"));
    }

    /** How many shards a node is home of, as another one says; -1 when that does not know. */
    public int shardsOf(int number, int asked) {
        var regions = regions(asked);
        return regions == null
                ? -1
                : regions.stream()
                        .filter(region -> numberOf(region.getString("node")) == number)
                        .mapToInt(region -> region.getInteger("shards"))
                        .sum();
    }

    /**
     * The numbers of shards of all nodes at one moment, as one of them says; empty when that does not know them all.
     */
    public List<Integer> shares(int asked) {
        var regions = regions(asked);
        return regions == null || regions.size() != size()
                ? List.of()
                : regions.stream().map(region -> region.getInteger("shards")).toList();
    }

    /** What a node's region has counted since it started; null when it does not know. */
    public @Nullable JsonObject counters(int number) {
        var regions = regions(number);
        return regions == null
                ? null
                : regions.stream()
                        .filter(region -> numberOf(region.getString("node")) == number)
                        .map(region -> region.getJsonObject("counters"))
                        .findFirst()
                        .orElse(null);
    }

    private @Nullable List<JsonObject> regions(int asked) {
        var type = get(asked, "/sharding/api/types/" + example.type());
        var regions = type == null ? null : type.getJsonArray("regions");
        return regions == null
                ? null
                : IntStream.range(0, regions.size())
                        .mapToObj(regions::getJsonObject)
                        .toList();
    }

    /** The status of an answer; 0 when there is none. */
    public int status(int number, String path) {
        var response = request(number, "GET", path);
        return response == null ? 0 : response.statusCode();
    }

    /** An answer with status 200; null when there is none. */
    public @Nullable JsonObject get(int number, String path) {
        var response = request(number, "GET", path);
        return response == null || response.statusCode() != 200 ? null : json(response.body());
    }

    private static @Nullable JsonObject json(String body) {
        try {
            return new JsonObject(body);
        } catch (DecodeException e) {
            return null;
        }
    }

    /** Any answer; null when there is none. */
    public @Nullable HttpResponse<String> request(int number, String method, String path) {
        var request = HttpRequest.newBuilder(node(number).uri(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(LONGEST_QUESTION)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Keeps the logs of all nodes, and what the threads of those that live do, in a directory that is there. */
    void save(Path directory) throws IOException {
        for (var log : logs) {
            Files.copy(log, directory.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
        }
        for (int number : numbers()) {
            if (node(number).isAlive()) {
                node(number).dumpThreads(directory.resolve("threads-" + number + ".txt"));
            }
        }
    }

    private void killAll() {
        for (var node : nodes) {
            if (node != null) {
                node.close();
            }
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        killAll();
        for (var node : nodes) {
            if (node != null) {
                node.awaitExit();
            }
        }
        hosts.close();
    }
}
