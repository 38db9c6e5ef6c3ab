package io.shardbus.cli;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Looks for what is wrong with a cluster, and says what to change. */
@Command(
        name = "doctor",
        description = {
            "Looks for what is wrong with health, coordinator, peers, ports, versions, clocks, shards and options,",
            "and says what to change.",
            "Ends with 1 where it finds a problem; warnings are none."
        })
final class DoctorCommand implements Callable<Integer> {
    private final ShardbusCommand root;

    @Option(
            names = "--also",
            paramLabel = "URL",
            description = "Another node, whose options and coordinator are compared; may be repeated")
    private @Nullable List<String> others;

    @Option(
            names = "--connect",
            paramLabel = "HOST:PORT",
            description = "A port of a node, as of JGroups or the event bus, that must be open from here;"
                    + " may be repeated")
    private @Nullable List<String> ports;

    DoctorCommand(ShardbusCommand root) {
        this.root = root;
    }

    @Override
    public Integer call() {
        NodeHttp node = root.node();
        var findings = new ArrayList<Finding>();
        ClusterView view = ClusterView.of(node);
        findings.addAll(Diagnosis.health(
                node.look("/health/ready").body(), node.look("/health/live").body()));
        findings.addAll(Diagnosis.coordinator(view));
        findings.addAll(processes(node, view.cluster()));
        findings.addAll(Diagnosis.types(view.overview()));
        findings.addAll(UnservedShards.findings(UnservedShards.of(view.overview()), waits(node)));
        JsonObject snapshot = node.get("/snapshot");
        findings.addAll(Diagnosis.options(
                snapshot.getJsonObject("options", new JsonObject()),
                view.cluster().getJsonArray("nodes").size()));
        for (String url : others == null ? List.<String>of() : others) {
            findings.addAll(compared(view, snapshot, url));
        }
        for (String port : ports == null ? List.<String>of() : ports) {
            findings.add(PortCheck.of(port));
        }
        return tell(node, view.cluster(), findings);
    }

    /** The processes of the nodes, which need no coordinator to be asked. */
    private static List<Finding> processes(NodeHttp node, JsonObject cluster) {
        JsonObject nodes;
        try {
            nodes = node.get("/nodes");
        } catch (CommandFailure failure) {
            if (failure.code() != ExitCode.FAILED) {
                throw failure;
            }
            return List.of(Finding.problem(
                    "peers",
                    "the node does not tell how the processes of the nodes are doing: " + failure.getMessage(),
                    "see the log of this node"));
        }
        var findings = new ArrayList<Finding>();
        findings.addAll(Diagnosis.peers(cluster, nodes));
        findings.addAll(Diagnosis.versions(cluster, nodes));
        findings.addAll(Diagnosis.clocks(nodes));
        return findings;
    }

    /** What the types that were started on the asked node wait for. */
    private static Map<String, String> waits(NodeHttp node) {
        Map<String, String> waits = new HashMap<>();
        ClusterView.objects(node.get("/types"), "types")
                .filter(type -> type.containsKey("waitsFor"))
                .forEach(type -> waits.put(type.getString("name"), type.getString("waitsFor")));
        return waits;
    }

    private List<Finding> compared(ClusterView view, JsonObject snapshot, String url) {
        try {
            NodeHttp other = root.node(url);
            return Diagnosis.compared(
                    other.mount(), view.cluster(), snapshot, other.get("/cluster"), other.get("/snapshot"));
        } catch (CommandFailure failure) {
            return List.of(Finding.problem(
                    "peers", String.valueOf(failure.getMessage()), "start that node, or correct its URL"));
        }
    }

    private int tell(NodeHttp node, JsonObject cluster, List<Finding> findings) {
        boolean healthy = findings.stream().noneMatch(finding -> finding.level() == Finding.Level.PROBLEM);
        Output output = root.output();
        if (output.isJson()) {
            var list = new JsonArray();
            findings.forEach(finding -> list.add(finding.toJson()));
            output.document(new JsonObject()
                    .put("node", cluster.getString("self"))
                    .put("healthy", healthy)
                    .put("findings", list));
        } else {
            output.line(node.mount() + " is node " + cluster.getString("self"));
            findings.forEach(finding -> finding.tell(output));
        }
        return healthy ? ExitCode.DONE.code() : ExitCode.PROBLEM.code();
    }
}
