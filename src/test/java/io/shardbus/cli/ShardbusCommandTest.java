package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ShardHash;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands that one node can answer, against its real admin resources. */
class ShardbusCommandTest {
    private static final int SHARDS = 6;
    private static final String ID = "a b/ü";
    private static final int SHARD = ShardHash.shard(ID, SHARDS);

    private static LoneNode node;
    private static String type;
    private static String self;
    private static String url;
    private static String readOnly;

    @BeforeAll
    static void start() {
        node = new LoneNode(TestCluster.options());
        EntityDefinition<String> texts = LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message))
                .withNumberOfShards(SHARDS);
        type = texts.type().name();
        Await.result(LoneNode.ask(node.start(texts).entityRef(ID), "hello"));
        Await.until(node.sharding()::clusterState, node.sharding()::isReady);
        self = node.sharding().self().value();
        url = "http://127.0.0.1:" + serve(new AdminOptions().setReadOnly(false)).actualPort() + "/sharding";
        readOnly = "http://127.0.0.1:" + serve(new AdminOptions()).actualPort() + "/sharding";
    }

    private static HttpServer serve(AdminOptions options) {
        Router router = Router.router(node.vertx());
        router.route("/sharding/*").subRouter(AdminRouter.create(node.vertx(), node.sharding(), options));
        return Await.result(
                node.vertx().createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static CommandRun run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "--url";
        all[1] = url;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CommandRun.of(all);
    }

    private static JsonObject json(String... arguments) {
        String[] all = new String[arguments.length + 1];
        System.arraycopy(arguments, 0, all, 0, arguments.length);
        all[arguments.length] = "--json";
        return run(all).document();
    }

    @Test
    void nodesAsATableAndAsJson() {
        String table = run("nodes").succeeds().out();
        assertTrue(table.startsWith("NODE"), table);
        assertTrue(table.contains(self), table);
        assertTrue(table.contains("coordinator"), table);

        JsonObject cluster = json("nodes");
        assertEquals(self, cluster.getString("self"));
        JsonObject only = cluster.getJsonArray("nodes").getJsonObject(0);
        assertEquals(self, only.getString("id"));
        assertTrue(only.getBoolean("coordinating"));
        assertEquals(1, only.getJsonObject("shards").getInteger(type));
        assertEquals(1, only.getLong("entities"));
        assertEquals(new JsonArray(), only.getJsonArray("cordoned"));
    }

    @Test
    void types() {
        assertTrue(run("types").succeeds().out().contains(type));
        JsonObject only = json("types").getJsonArray("types").getJsonObject(0);
        assertEquals(type, only.getString("name"));
        assertEquals(SHARDS, only.getInteger("numberOfShards"));
        assertEquals(1, only.getInteger("regions"));
        assertEquals(1, only.getLong("entities"));
    }

    @Test
    void shardsOfAType() {
        assertTrue(run("shards", type).succeeds().out().contains(self));
        JsonObject shard = json("shards", type).getJsonArray("shards").getJsonObject(0);
        assertEquals(SHARD, shard.getInteger("shard"));
        assertEquals(self, shard.getString("home"));
        assertFalse(shard.getBoolean("pinned"));
    }

    @Test
    void whereAnEntityIs() {
        assertEquals(
                ID + " lives on " + self + ", in shard " + SHARD,
                run("where", type, ID).succeeds().out().strip());
        assertEquals(self, json("where", type, ID).getString("node"));
        assertEquals(ID, json("entity", type, ID).getString("id"));
        String entity = run("entity", type, ID).succeeds().out();
        assertTrue(entity.contains(ID) && entity.contains("idle"), entity);
        assertFalse(entity.contains("{"), entity);
        assertTrue(run("entity", type, "unborn").succeeds().out().contains("unborn"));
    }

    @Test
    void whyAShardIsWhereItIs() {
        String why = run("why", type, String.valueOf(SHARD)).succeeds().out();
        assertTrue(why.startsWith("shard " + SHARD + " of " + type + " is on " + self), why);
        assertEquals(self, json("why", type, String.valueOf(SHARD)).getString("home"));
    }

    @Test
    void anEmptyNameOrIdIsRefused() {
        run("plan", "drain", "").fails(ExitCode.USAGE, "the name of the node is empty");
        run("cordon", " ").fails(ExitCode.USAGE, "the name of the node is empty");
        for (String[] nameless : List.<String[]>of(
                new String[] {"where", type, ""},
                new String[] {"entity", type, ""},
                new String[] {"shards", ""},
                new String[] {"rebalance", ""},
                new String[] {"rebalancing", "off", ""})) {
            run(nameless).fails(ExitCode.USAGE, "a name or an id is empty");
        }
    }

    @Test
    void plansOfAllTypesOrOfOne() {
        String plan = run("plan", "rebalance").succeeds().out();
        assertTrue(plan.startsWith(type + ": nothing moves"), plan);
        assertEquals(
                type,
                json("plan", "rebalance", "--type", type)
                        .getJsonArray("types")
                        .getJsonObject(0)
                        .getString("type"));
        JsonObject leave = json("plan", "leave", self.substring(0, self.length() - 3));
        assertEquals(self, leave.getString("node"));
        run("plan", "drain").fails(ExitCode.USAGE, "plan drain needs a node");
        run("plan", "join", self).fails(ExitCode.USAGE, "plan join has no node");
    }

    @Test
    void movesAndEvents() {
        assertEquals("no moves", run("moves").succeeds().out().strip());
        assertEquals(new JsonArray(), json("moves").getJsonArray("moves"));
        JsonObject events = json("events", "--kind", "term-began,term-followed", "--last", "1");
        assertEquals(1, events.getJsonArray("events").size());
        assertNotNull(events.getString("cursor"));
        assertTrue(run("events").succeeds().out().contains("term-"));
        assertEquals("", run("events", "--last", "0").succeeds().out());
        run("events", "--last", "-1").fails(ExitCode.USAGE, "--last must not be negative");
    }

    @Test
    void aKindThatIsNoneIsRefusedByTheNode() {
        CommandRun run = run("events", "--kind", "bogus");
        assertEquals(ExitCode.USAGE.code(), run.code(), run::toString);
        assertTrue(
                run.errors().startsWith("shardbus: no kind of events is 'bogus': there are node-joined, "),
                run::toString);
        assertEquals(
                ExitCode.USAGE.code(),
                run("events", "--follow", "--kind", "bogus").code());
    }

    @Test
    void theBusiestShards() throws Exception {
        CompletableFuture<CommandRun> hot =
                CompletableFuture.supplyAsync(() -> run("hot", "--type", type, "--seconds", "2", "--json"));
        long sent = 0;
        while (!hot.isDone()) {
            Await.result(LoneNode.ask(node.sharding().entityRef(EntityType.of(type, String.class), ID), "hello"));
            sent++;
        }
        JsonObject found = hot.get().document();
        JsonObject shard = found.getJsonArray("shards").getJsonObject(0);
        assertEquals(SHARD, shard.getInteger("shard"));
        assertEquals(self, shard.getString("home"));
        assertEquals(100.0, shard.getDouble("share"));
        double rate = shard.getDouble("perSecond");
        assertTrue(rate > 0 && rate * found.getDouble("seconds") <= sent + 1, found::encode);
        Await.until(() -> "the entity is not among the hot ones", () -> {
            Await.result(LoneNode.ask(node.sharding().entityRef(EntityType.of(type, String.class), ID), "hello"));
            return json("hot", "--seconds", "1", "--type", type).getJsonArray("entities").stream()
                    .map(JsonObject.class::cast)
                    .anyMatch(entity -> ID.equals(entity.getString("id")) && self.equals(entity.getString("node")));
        });
        List<String> entities = run("hot", "--seconds", "1")
                .succeeds()
                .out()
                .lines()
                .filter(line -> line.contains(ID))
                .toList();
        assertTrue(entities.size() == 1 && entities.get(0).contains(self), entities::toString);
        JsonObject byTime = json("hot", "--seconds", "1", "--type", type, "--by", "busy");
        assertTrue(byTime.getJsonArray("entities").encode().contains(ID), byTime::encode);
        assertEquals(ExitCode.USAGE.code(), run("hot", "--by", "size").code());
        run("hot", "--type", "nothing").fails(ExitCode.NOT_FOUND, "the coordinator knows no entity type 'nothing'");
        run("hot", "--seconds", "0").fails(ExitCode.USAGE, "--seconds must be a whole number in 1..3600");
        run("hot", "--most", "0").fails(ExitCode.USAGE, "--most must be a whole number in 1..1000");
    }

    @Test
    void nodesAndShardsAgainAndAgain() {
        CommandRun top = run("top", "--seconds", "1", "--times", "2", "--json").succeeds();
        List<String> pictures = top.out().lines().toList();
        assertEquals(2, pictures.size());
        JsonObject first = new JsonObject(pictures.get(0));
        assertEquals(self, first.getJsonArray("nodes").getJsonObject(0).getString("id"));
        assertNotNull(first.getJsonArray("nodes").getJsonObject(0).getDouble("perSecond"));
        assertTrue(run("top", "--seconds", "1", "--times", "1").succeeds().out().contains("MESSAGES/S"));
        run("top", "--times", "-1").fails(ExitCode.USAGE, "--times must not be negative");
    }

    @Test
    void snapshotIsOneDocument() {
        assertTrue(json("snapshot").containsKey("options"));
    }

    @Test
    void ordersTellWhatTheyDid() {
        assertEquals(0, json("rebalance", type).getInteger("handoffs"));
        assertEquals(new JsonObject().put("done", true), json("rebalancing", "off", type));
        assertFalse(json("types").getJsonArray("types").getJsonObject(0).getBoolean("rebalancing"));
        assertEquals(
                "done: rebalancing of all types is on",
                run("rebalancing", "on").succeeds().out().strip());
        assertTrue(json("types").getJsonArray("types").getJsonObject(0).getBoolean("rebalancing"));

        assertEquals(
                "done: cordon of " + self,
                run("cordon", self.substring(0, 6)).succeeds().out().strip());
        assertTrue(run("nodes").succeeds().out().contains("cordoned"));
        assertEquals(
                "done: uncordon of " + self,
                run("uncordon", self).succeeds().out().strip());

        String notCordoned = run("uncordon", self).succeeds().out().strip();
        assertEquals("nothing changed: " + self + " is not cordoned", notCordoned);
        assertFalse(json("uncordon", self).getBoolean("changed"));
        String notDrained = run("undrain", self).succeeds().out().strip();
        assertEquals("nothing changed: " + self + " is not drained", notDrained);
        assertFalse(json("undrain", self).getBoolean("changed"));

        String shard = String.valueOf(SHARD);
        assertEquals(
                "done: pin of shard " + SHARD + " to " + self,
                run("pin", type, shard, self).succeeds().out().strip());
        assertTrue(json("shards", type).getJsonArray("shards").getJsonObject(0).getBoolean("pinned"));
        assertEquals(
                "done: unpin of shard " + SHARD,
                run("unpin", type, shard).succeeds().out().strip());
        assertFalse(json("shards", type).getJsonArray("shards").getJsonObject(0).getBoolean("pinned"));
        assertEquals(
                ExitCode.NOT_APPLICABLE.code(), run("move", type, shard, self).code());
        assertEquals(
                ExitCode.NOT_APPLICABLE.code(),
                run("move", type, SHARD + "," + (SHARD + 1)).code());
        assertEquals(ExitCode.USAGE.code(), run("move", type, "1,x").code());
    }

    @Test
    void aDrainWaitsForASecondToADay() {
        for (String seconds : List.of("0", "86401")) {
            run("drain", self, "--wait", "--wait-timeout", seconds)
                    .fails(ExitCode.USAGE, "--wait-timeout must be a whole number in 1..86400");
        }
    }

    @Test
    void shutdownMustBeMeant() {
        run("shutdown")
                .fails(
                        ExitCode.USAGE,
                        "this concerns all nodes, whose shards then stop with them: repeat it with --yes");
        assertEquals(
                "done: the cluster goes on",
                run("shutdown", "--cancel").succeeds().out().strip());
    }

    @Test
    void theDoctorSaysWhatToChange() {
        JsonObject report = new JsonObject(
                run("doctor", "--json", "--connect", "127.0.0.1:1").out());
        assertFalse(report.getBoolean("healthy"));
        Set<String> found = report.getJsonArray("findings").stream()
                .map(JsonObject.class::cast)
                .map(finding -> finding.getString("check") + " " + finding.getString("level"))
                .collect(Collectors.toSet());
        // a node of the tests is alone, and does not wait for leases
        assertEquals(
                Set.of(
                        "health ok",
                        "coordinator ok",
                        "peers warning",
                        "versions ok",
                        "clocks ok",
                        "shards ok",
                        "options problem",
                        "ports problem"),
                found);
        CommandRun people = run("doctor", "--also", readOnly);
        assertEquals(ExitCode.PROBLEM.code(), people.code());
        assertTrue(people.out().contains("options: the same at " + readOnly), people.out());
        assertTrue(people.out().contains("-> set it to true"), people.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "shards|nosuch|no entity type 'nosuch' was started (404)",
                "where|nosuch 1|this node did not start an entity type 'nosuch' (404)",
                "drain|nosuch|node nosuch is not in the cluster (404)"
            })
    void whatIsNotThere(String command, String rest, String line) {
        run((command + " " + rest).split(" ")).fails(ExitCode.NOT_FOUND, line);
    }

    @Test
    void aReadOnlyNodeRefuses() {
        CommandRun.of("rebalance", type, "--url", readOnly)
                .fails(ExitCode.REFUSED, "these admin resources are read-only: see AdminOptions.setReadOnly (403)");
        CommandRun.of("nodes", "--url", readOnly).succeeds();
    }

    @Test
    void aWrongUrlIsOneClearLine() {
        int free = TestCluster.freePort();
        CommandRun.of("--url", "http://127.0.0.1:" + free + "/sharding", "nodes")
                .fails(
                        ExitCode.UNREACHABLE,
                        "no node answers at http://127.0.0.1:" + free + "/sharding: connection refused");
        String elsewhere = url.replace("/sharding", "/elsewhere");
        CommandRun.of("--url", elsewhere, "nodes")
                .fails(
                        ExitCode.UNREACHABLE,
                        elsewhere + " answers with status 404 and has no admin resources:"
                                + " --url is to name their mount, such as http://127.0.0.1:8080/sharding");
        CommandRun.of("--url", url + "/api", "events", "--follow")
                .fails(
                        ExitCode.UNREACHABLE,
                        url + "/api answers with status 404 and has no admin resources:"
                                + " --url is to name their mount, such as http://127.0.0.1:8080/sharding");
        CommandRun.of("--url", "not a url", "nodes")
                .fails(
                        ExitCode.USAGE,
                        "'not a url' is no URL of admin resources, such as http://127.0.0.1:8080/sharding");
    }

    @ParameterizedTest
    @CsvSource({"nosuch", "nodes --nosuch", "why texts x", "plan fly", "nodes --timeout 0"})
    void aWrongCommandLineIsOneLine(String line) {
        CommandRun run = run(line.split(" "));
        assertEquals(ExitCode.USAGE.code(), run.code(), run::toString);
        assertEquals(1, run.errors().lines().count(), run::toString);
    }

    @Test
    void coloursAreForTerminals() {
        assertFalse(run("nodes").out().contains("\u001b"));
        String[] nodes = {"nodes", "--url", url};
        assertTrue(CommandRun.onTerminal(nodes).out().contains("\u001b[1m"));
        assertFalse(CommandRun.onTerminal("nodes", "--url", url, "--no-colour")
                .out()
                .contains("\u001b"));
        assertFalse(CommandRun.onTerminal("nodes", "--url", url, "--json").out().contains("\u001b"));
    }

    @Test
    void completionKnowsTheCommands() {
        String script = CommandRun.of("completion").succeeds().out();
        for (String command : Set.of("nodes", "shards", "latency", "rebalancing", "doctor")) {
            assertTrue(script.contains(command), command);
        }
        assertTrue(script.contains("complete -F"), script);
    }

    @Test
    void helpIsNoFailure() {
        String help = CommandRun.of("--help").succeeds().out();
        assertTrue(help.contains("doctor"), help);
        assertTrue(CommandRun.of("shards", "--help").succeeds().out().contains("--watch"));
    }

    @Test
    void aNodeThatGoesEndsAFollowedStream() {
        HttpServer server = serve(new AdminOptions());
        String there = "http://127.0.0.1:" + server.actualPort() + "/sharding";
        CommandRun.Going shards = CommandRun.begin("--url", there, "shards", type, "--watch", "--json");
        CommandRun.Going events = CommandRun.begin("--url", there, "events", "--last", "0", "--follow", "--json");
        CommandRun.Going moves = CommandRun.begin("--url", there, "moves", "--follow");
        Await.until(
                shards::lines, () -> shards.lines().size() == 1 && moves.lines().equals(List.of("no moves")));
        run("rebalancing", "off", type).succeeds();
        Await.until(shards::lines, () -> shards.lines().size() == 2);
        Await.until(events::lines, () -> events.lines().stream().anyMatch(line -> line.contains("stop-rebalancing")));
        run("rebalancing", "on", type).succeeds();
        assertFalse(new JsonObject(shards.lines().get(1)).getBoolean("rebalancing"));
        Await.result(server.close());
        for (CommandRun.Going going : List.of(shards, events, moves)) {
            CommandRun run = going.ended();
            assertEquals(ExitCode.UNREACHABLE.code(), run.code(), run::toString);
            assertEquals(
                    "shardbus: the stream of " + there + " has ended: its node leaves, or is gone",
                    run.errors().strip());
        }
    }

    /** Reads a request, and closes the connection. */
    private static int breaking(List<String> requests) {
        return Await.result(node.vertx()
                        .createNetServer()
                        .connectHandler(socket -> socket.handler(data -> {
                            requests.add(data.toString());
                            socket.close();
                        }))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    @Test
    void aConnectionThatBreaksAfterAChangeWasSentLeavesItsOutcomeOpen() {
        var requests = new CopyOnWriteArrayList<String>();
        String breaking = "http://127.0.0.1:" + breaking(requests) + "/sharding";
        CommandRun looked = CommandRun.of("--url", breaking, "types");
        assertEquals(ExitCode.UNREACHABLE.code(), looked.code(), looked::toString);
        CommandRun changed = CommandRun.of("--url", breaking, "rebalance", "t");
        assertEquals(ExitCode.FAILED.code(), changed.code(), changed::toString);
        assertTrue(requests.get(requests.size() - 1).startsWith("POST "), requests::toString);
        CommandRun unsent = CommandRun.of("--url", "http://127.0.0.1:" + TestCluster.freePort(), "rebalance", "t");
        assertEquals(ExitCode.UNREACHABLE.code(), unsent.code(), unsent::toString);
    }

    @Test
    void aPasswordInAUrlIsSentAndNotPrinted() {
        var requests = new CopyOnWriteArrayList<String>();
        String secret = "ann:s3cret@127.0.0.1:";
        CommandRun broken = CommandRun.of("--url", "http://" + secret + breaking(requests) + "/sharding", "types");
        assertTrue(requests.get(0).contains("Authorization: Basic YW5uOnMzY3JldA=="), requests::toString);
        for (CommandRun run : List.of(
                broken,
                CommandRun.of("--url", "http://" + secret + TestCluster.freePort(), "types"),
                CommandRun.of("--url", "http://" + secret + "port/sharding", "types"),
                CommandRun.of("--url", "ann:s3cret@127.0.0.1:1", "types"),
                CommandRun.of("--url", "http://ann:s3/cr@et s3cret@host", "types"))) {
            assertFalse((run.out() + run.errors()).contains("s3"), run::toString);
            assertTrue(run.errors().contains("127.0.0.1") || run.errors().contains("host"), run::toString);
        }
    }

    @Test
    void namesOfHeadersAreTheSameInAnyCase() {
        var requests = new CopyOnWriteArrayList<String>();
        String named = "http://ann:s3cret@127.0.0.1:" + breaking(requests);
        CommandRun.of(
                "--url", named, "--header", "authorization=Bearer x", "--header", "AUTHORIZATION=Bearer y", "types");
        String head = requests.get(0).toLowerCase(Locale.ROOT);
        assertEquals(1, head.split("authorization:", -1).length - 1, head);
        assertTrue(head.contains("authorization: bearer y"), head);
    }

    /** As a node that freezes in the middle. */
    @Test
    void anAnswerThatDoesNotEndIsAFailure() {
        HttpServer freezing = Await.result(node.vertx()
                .createHttpServer()
                .requestHandler(request ->
                        request.response().putHeader("Content-Length", "1000").write("{"))
                .listen(0, "127.0.0.1"));
        String mount = "http://127.0.0.1:" + freezing.actualPort() + "/sharding";
        var going = CommandRun.begin("--url", mount, "--timeout", "1", "types");
        going.ended().fails(ExitCode.UNREACHABLE, mount + " does not answer in time");
    }
}
