package io.shardbus.cluster;

import io.shardbus.EntityDefinition;
import io.shardbus.integration.Census;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.MovingCounter;
import io.shardbus.integration.TestCluster;
import io.shardbus.integration.Traffic;
import io.shardbus.options.ShardingOptions;
import io.shardbus.options.TlsOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A process with nodes of a test cluster that host counters, if told so those that move: one type of them remembered,
 * another one not. Says "ready" with the ids of its nodes. If told so it sends to counters itself, up to the line
 * "report" on standard input, and then says what it has seen. The line "leave" makes all of them leave in good order,
 * and the process ends when nothing of them is left. Without standard input it ends at once.
 */
public final class HostProcess {
    /** Entities take a moment to stop, so that a handoff can be interrupted. */
    private static final long STOP_MS = 100;

    private static final List<String> SENT =
            IntStream.range(0, 20).mapToObj(number -> "sent-" + number).toList();

    private HostProcess() {}

    /** @param args JSON with the cluster's name, the known peers, a port for each node, and the sharding options */
    public static void main(String[] args) throws IOException {
        JsonObject start = new JsonObject(args[0]);
        ShardingOptions options = new ShardingOptions(start.getJsonObject("options"));
        TestCluster cluster = new TestCluster(start.getString("name"), strings(start.getJsonArray("peers")));
        JsonObject tls = start.getJsonObject("tls");
        cluster.secure(tls == null ? null : new TlsOptions(tls));
        Census census = new Census();
        for (Object port : start.getJsonArray("ports")) {
            TestCluster.Node node = cluster.startNode(options, (Integer) port);
            for (EntityDefinition<CounterMessage> counters : counters(start, census)) {
                TestCluster.await(node.sharding().start(counters.withRole(Processes.HOSTING)));
            }
        }
        System.out.println("ready "
                + cluster.nodes().stream().map(node -> node.id().value()).collect(Collectors.joining(" ")));
        Optional<Traffic> traffic = start.getBoolean("sending", false)
                ? Optional.of(Traffic.start(cluster.node(0), CounterMessage.COUNTER, SENT))
                : Optional.empty();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String command = commands.readLine();
        if (traffic.isPresent() && "report".equals(command)) {
            Traffic.Report seen = traffic.get().stop();
            System.out.println("report " + seen + " " + seen.faults());
            command = commands.readLine();
        }
        if ("leave".equals(command)) {
            cluster.close();
            System.out.println("left");
        } else {
            Runtime.getRuntime().halt(2);
        }
    }

    private static List<EntityDefinition<CounterMessage>> counters(JsonObject start, Census census) {
        return start.getBoolean("moving")
                ? List.of(MovingCounter.remembered(), MovingCounter.forgotten())
                : List.of(census.definition(
                        CounterMessage.COUNTER, context -> context.vertx().timer(STOP_MS)));
    }

    private static List<String> strings(JsonArray array) {
        return array.stream().map(String.class::cast).toList();
    }
}
