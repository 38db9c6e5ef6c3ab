package io.shardbus.cli;

import static io.shardbus.cli.NodeHttp.segment;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that can go on until they are stopped: each change is a line, or a JSON document in one line. */
@Command
final class FollowCommands {
    private static final Set<String> ENDED_MOVES = Set.of("shard-moved", "shard-stayed");
    private static final String EVENT = "event";
    /** Of 5,000 events each: more than a cluster of 1,200 nodes keeps. */
    private static final int MOST_PAGES = 1_000;

    private final ShardbusCommand root;

    FollowCommands(ShardbusCommand root) {
        this.root = root;
    }

    @Command(description = "The shards of a type, with their homes")
    int shards(
            @Parameters(paramLabel = "TYPE") String type,
            @Option(names = "--watch", description = "Shows them anew at each change") boolean watch) {
        NodeHttp node = root.node();
        JsonObject first = ClusterView.shards(type, typeOf(node, node.get("/overview"), type));
        show(first, watch);
        if (watch) {
            watch(node, type, first);
        }
        return ExitCode.DONE.code();
    }

    /** The node itself says what is wrong with a type that the overview lacks. */
    private static JsonObject typeOf(NodeHttp node, JsonObject overview, String type) {
        JsonObject found = ClusterView.byName(overview, "types").get(type);
        if (found != null) {
            return found;
        }
        node.get("/types/" + segment(type));
        throw new CommandFailure(ExitCode.FAILED, "the coordinator does not know the type '" + type + "' yet");
    }

    /** Until the stream ends, which is a failure. */
    private void watch(NodeHttp node, String type, JsonObject first) {
        JsonObject overview = new JsonObject();
        JsonObject shown = first;
        try (NodeEvents events = node.stream("/stream", null)) {
            while (true) {
                NodeEvents.Event event = events.next();
                overview = switch (event.name()) {
                    case "snapshot" -> event.data();
                    case "patch" -> patched(overview, event.data());
                    default -> overview;
                };
                JsonObject found = ClusterView.byName(overview, "types").get(type);
                JsonObject shards = found == null ? shown : ClusterView.shards(type, found);
                if (!shards.equals(shown)) {
                    root.output().newPicture();
                    show(shards, true);
                    shown = shards;
                }
            }
        }
    }

    /** A JSON merge patch (RFC 7396): null removes a key. */
    static JsonObject patched(JsonObject target, JsonObject patch) {
        JsonObject result = target.copy();
        for (String key : patch.fieldNames()) {
            Object value = patch.getValue(key);
            if (value == null) {
                result.remove(key);
            } else if (value instanceof JsonObject inner) {
                Object before = result.getValue(key);
                result.put(key, patched(before instanceof JsonObject object ? object : new JsonObject(), inner));
            } else {
                result.put(key, value);
            }
        }
        return result;
    }

    private void show(JsonObject shards, boolean oneOfMany) {
        Output output = root.output();
        if (output.isJson()) {
            if (oneOfMany) {
                output.record(shards);
            } else {
                output.document(shards);
            }
            return;
        }
        var table =
                new Table("SHARD", "HOME", "STATE", "LIVE", "PASSIVATED", "REMEMBERED", "MESSAGES", "BUSY MS", "MOVE");
        ClusterView.objects(shards, "shards")
                .forEach(shard -> table.row(
                        shard.getInteger("shard") + (shard.getBoolean("pinned") ? " pinned" : ""),
                        shard.getString("home"),
                        shard.getString("state"),
                        shard.getLong("entities"),
                        shard.getLong("passivated"),
                        shard.getLong("remembered"),
                        shard.getLong("messages"),
                        busyMillis(shard),
                        move(shard.getJsonObject("move"))));
        output.table(table);
        int homeless = shards.getInteger("homeless", 0);
        if (homeless > 0) {
            output.line(homeless + " of " + Counted.of(shards.getInteger("numberOfShards"), "shard")
                    + (homeless == 1 ? " has" : " have") + " no home");
        }
    }

    private static @Nullable Long busyMillis(JsonObject shard) {
        Long micros = shard.getLong("busyMicros");
        return micros == null ? null : TimeUnit.MICROSECONDS.toMillis(micros);
    }

    private static @Nullable String move(@Nullable JsonObject move) {
        return move == null ? null : move.getString("cause") + ", " + move.getString("phase");
    }

    @Command(description = "Shards on their way, and those that wait")
    int moves(@Option(names = "--follow", description = "Then each move that ends") boolean follow) {
        NodeHttp node = root.node();
        Output output = root.output();
        String cursor = follow ? allEvents(node, Set.of()).getString("cursor") : null;
        JsonObject moves = node.get("/moves");
        if (output.isJson() && follow) {
            ClusterView.objects(moves, "moves").forEach(output::record);
        } else if (output.isJson()) {
            output.document(moves);
        } else {
            showMoves(moves);
        }
        if (cursor != null) {
            follow(node, cursor, ENDED_MOVES, Set.of());
        }
        return ExitCode.DONE.code();
    }

    private void showMoves(JsonObject moves) {
        var table = new Table(
                "TYPE", "SHARD", "CAUSE", "PHASE", "FROM", "TO", "AGE MS", "HOMELESS MS", "PLACE", "WAITS FOR");
        ClusterView.objects(moves, "moves")
                .forEach(move -> table.row(
                        move.getString("type"),
                        move.getInteger("shard"),
                        move.getString("cause"),
                        move.getString("phase"),
                        move.getString("from"),
                        move.getString("to"),
                        move.getLong("ageMs"),
                        move.getLong("homelessMs"),
                        move.getInteger("place"),
                        waitsFor(move.getJsonObject("heldUpBy"))));
        if (table.isEmpty()) {
            root.output().line("no moves");
        } else {
            root.output().table(table);
        }
    }

    /** What the home of a moving shard waits for. */
    static @Nullable String waitsFor(@Nullable JsonObject heldUp) {
        if (heldUp == null) {
            return null;
        }
        String entity = heldUp.getString("entity");
        String nodes =
                heldUp.getJsonArray("undrained").stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (entity == null && nodes.isEmpty()) {
            int entities = heldUp.getInteger("entities");
            return entities == 1 ? "1 entity" : entities + " entities";
        }
        return (entity == null ? "" : entity + " for " + heldUp.getLong("entityMs") + " ms")
                + (entity == null || nodes.isEmpty() ? "" : ", ")
                + (nodes.isEmpty() ? "" : "messages of " + nodes);
    }

    @Command(description = "What happened in the cluster")
    int events(
            @Option(names = "--follow", description = "Then what happens from now on") boolean follow,
            @Option(
                            names = "--last",
                            paramLabel = "N",
                            defaultValue = "100",
                            description = "How many of those before. Default: ${DEFAULT-VALUE}")
                    int last,
            @Option(names = "--kind", paramLabel = "KIND", split = ",", description = "Only these, as shard-moved")
                    @Nullable
                    List<String> kinds) {
        if (last < 0) {
            throw new CommandFailure(ExitCode.USAGE, "--last must not be negative");
        }
        NodeHttp node = root.node();
        Output output = root.output();
        Set<String> wanted = kinds == null ? Set.of() : Set.copyOf(kinds);
        JsonObject page = allEvents(node, wanted);
        List<JsonObject> found = ClusterView.objects(page, "events")
                .filter(event -> isWanted(event, wanted))
                .toList();
        List<JsonObject> shown = found.subList(Math.max(0, found.size() - last), found.size());
        if (output.isJson() && !follow) {
            output.document(page.put("events", new JsonArray(shown)));
        } else {
            shown.forEach(this::show);
        }
        Set<Object> silent = tellSilent(Set.of(), page.getJsonArray("silent", new JsonArray()));
        if (follow) {
            follow(node, page.getString("cursor"), wanted, silent);
        }
        return ExitCode.DONE.code();
    }

    /** Names the nodes whose events are missing now and were not before; returns all of them. */
    private Set<Object> tellSilent(Set<Object> before, JsonArray silent) {
        silent.stream()
                .filter(name -> !before.contains(name))
                .forEach(name -> root.output().note("the events of " + name + " are missing: it did not answer"));
        return silent.stream().collect(Collectors.toSet());
    }

    private static boolean isWanted(JsonObject event, Set<String> kinds) {
        return kinds.isEmpty() || kinds.contains(event.getString("kind", ""));
    }

    /** All events that the nodes keep, with the cursor after the last. */
    private static JsonObject allEvents(NodeHttp node, Set<String> kinds) {
        String query = "/events?limit=5000" + only(kinds);
        JsonObject page = node.get(query);
        var all = page.getJsonArray("events").copy();
        for (int i = 0; i < MOST_PAGES && page.getBoolean("more", false); i++) {
            page = node.get(query + "&after=" + segment(page.getString("cursor")));
            all.addAll(page.getJsonArray("events"));
        }
        return page.put("events", all);
    }

    /** A node of an earlier build gives all kinds. */
    private static String only(Set<String> kinds) {
        return kinds.isEmpty() ? "" : "&kind=" + segment(String.join(",", new TreeSet<>(kinds)));
    }

    private void show(JsonObject event) {
        if (root.output().isJson()) {
            root.output().record(event);
        } else {
            root.output().line(EventLines.line(event));
        }
    }

    /** Until the stream ends, which is a failure. */
    private void follow(NodeHttp node, String cursor, Set<String> kinds, Set<Object> toldSilent) {
        Set<Object> silent = toldSilent;
        try (NodeEvents events = node.stream("/events", cursor)) {
            while (true) {
                NodeEvents.Event event = events.next();
                if (event.name().equals(EVENT) && isWanted(event.data(), kinds)) {
                    show(event.data());
                } else if (event.name().equals("silent")) {
                    silent = tellSilent(silent, event.data().getJsonArray("nodes", new JsonArray()));
                } else if (event.name().equals("missed")) {
                    root.output()
                            .note("events were forgotten before they were read: "
                                    + event.data().encode());
                }
            }
        }
    }
}
