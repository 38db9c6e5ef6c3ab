package io.shardbus.cli;

import static io.shardbus.integration.TestCluster.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Await;
import io.shardbus.integration.Counter;
import io.shardbus.integration.CounterMessage;
import io.shardbus.integration.CounterMessage.Where;
import io.shardbus.integration.TestCluster;
import io.shardbus.model.ShardHash;
import io.shardbus.options.AdminOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The commands that move shards, in a cluster of two. */
class CommandLineIT {
    private static final int SHARDS = 4;
    private static final String TYPE = CounterMessage.COUNTER.name();
    private static final TestCluster CLUSTER = new TestCluster();
    private static String url;

    @BeforeAll
    static void start() {
        CLUSTER.start(2, TestCluster.options()).startType(Counter.definition().withNumberOfShards(SHARDS));
        TestCluster.Node looking = CLUSTER.node(1);
        for (int i = 0; i < 50; i++) {
            await(looking.counter("e" + i).ask(new Where()));
        }
        Router router = Router.router(looking.vertx());
        router.route("/sharding/*")
                .subRouter(
                        AdminRouter.create(looking.vertx(), looking.sharding(), new AdminOptions().setReadOnly(false)));
        url = "http://127.0.0.1:"
                + await(looking.vertx()
                                .createHttpServer()
                                .requestHandler(router)
                                .listen(0, "127.0.0.1"))
                        .actualPort()
                + "/sharding";
    }

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    private static CommandRun run(String command, String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = command;
        all[1] = "--url=" + url;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CommandRun.of(all);
    }

    private static Map<Integer, String> homes() {
        Map<Integer, String> homes = new TreeMap<>();
        ClusterView.objects(run("shards", TYPE, "--json").document(), "shards")
                .forEach(shard -> homes.put(shard.getInteger("shard"), shard.getString("home")));
        return homes;
    }

    private static String id(int node) {
        return CLUSTER.node(node).id().value();
    }

    @Test
    void theProgramWritesNothingBesideItsDocument() throws Exception {
        // as operators have it: the tests' own configuration of the log would hide lines
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
        Process program = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        classPath,
                        ShardbusCommand.class.getName(),
                        "--url=" + url,
                        "nodes",
                        "--json")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(program.waitFor(30, TimeUnit.SECONDS));
        assertEquals(ExitCode.DONE.code(), program.exitValue());
        assertTrue(out.startsWith("{"), out);
        assertEquals(2, new JsonObject(out).getJsonArray("nodes").size());
    }

    @Test
    void theDoctorNamesShardsThatNoNodeMayTake() {
        EntityType<String> spare = EntityType.of("spare", String.class);
        CLUSTER.startType(EntityDefinition.of(spare, id -> (message, context) -> Future.succeededFuture())
                .withNumberOfShards(1));
        run("cordon", id(0)).succeeds();
        run("cordon", id(1)).succeeds();
        CLUSTER.node(1).sharding().entityRef(spare, "s").tell("go");
        Await.until(() -> run("types").out(), () -> run("doctor").out().contains("spare: 1 shard has no home: "));
        JsonObject nodes = run("nodes", "--json").document();
        assertEquals(
                1,
                nodes.getJsonObject("unserved").getJsonObject("spare").getInteger("homeless"),
                nodes::encodePrettily);
        assertTrue(run("nodes").succeeds().out().contains("spare: 1 shard has no home"));
        run("uncordon", id(0)).succeeds();
        run("uncordon", id(1)).succeeds();
        Await.until(() -> run("nodes").out(), () -> !run("nodes").out().contains("spare"));
        assertTrue(run("doctor").out().contains("shards: all that messages were sent to have a home"));
    }

    /** Moves the shard, and says whether the command tells of messages that waited for a move. */
    private static boolean waitIsTold(int shard) {
        String from = homes().get(shard);
        run("move", TYPE, String.valueOf(shard)).succeeds();
        Await.until(CommandLineIT::homes, () -> !Set.of(from, "none").contains(homes().getOrDefault(shard, "none")));
        return ClusterView.objects(run("silences", "--type", TYPE, "--json").document(), "silences")
                .anyMatch(silence -> silence.getInteger("shard") == shard
                        && silence.getString("cause").equals("move")
                        && silence.getString("node").equals(id(1))
                        && silence.getLong("messages") > 0);
    }

    @Test
    void sendersTellWhatAMoveCostThem() {
        Await.until(CommandLineIT::homes, () -> homes().size() == SHARDS);
        run("rebalancing", "off").succeeds();
        TestCluster.Node sender = CLUSTER.node(1);
        String id = IntStream.range(0, 50)
                .mapToObj(i -> "e" + i)
                .filter(each -> ShardHash.shard(each, SHARDS) == 1)
                .findFirst()
                .orElseThrow();
        long traffic = sender.vertx()
                .setPeriodic(1, tick -> sender.counter(id).ask(new Where()).onFailure(failed -> {}));
        try {
            Await.until(() -> run("silences").out(), () -> waitIsTold(1));
        } finally {
            sender.vertx().cancelTimer(traffic);
        }
        List<String> table =
                run("silences", "--most", "1").succeeds().out().lines().toList();
        assertEquals(2, table.size(), table::toString);
        assertTrue(table.get(0).contains("WAITED MS") && table.get(1).contains(id(1)), table::toString);
        assertEquals(
                "no message waited for a home",
                run("silences", "--type", "nothing").succeeds().out().strip());
        run("silences", "--most", "0").fails(ExitCode.USAGE, "--most must be a whole number in 1..1000");
    }

    @Test
    void connectionsSayWhoTalksToWhom() {
        JsonObject nodes = run("connections", "--json").document().getJsonObject("nodes");
        assertEquals(Set.of(id(0), id(1)), nodes.fieldNames());
        assertTrue(
                run("connections")
                        .succeeds()
                        .out()
                        .lines()
                        .anyMatch(line -> line.startsWith(id(1)) && line.contains(id(0)) && line.contains(TYPE)),
                () -> run("connections").out());
    }

    @Test
    void shardsMoveAsCommanded() {
        Await.until(CommandLineIT::homes, () -> homes().size() == SHARDS);
        run("rebalancing", "off").succeeds();
        CommandRun.Going moves = CommandRun.begin("moves", "--url", url, "--follow", "--json");
        int shard = homes().entrySet().stream()
                .filter(home -> home.getValue().equals(id(0)))
                .findFirst()
                .orElseThrow()
                .getKey();
        run("move", TYPE, String.valueOf(shard), id(1)).succeeds();
        Await.until(CommandLineIT::homes, () -> id(1).equals(homes().get(shard)));
        // the first line may come before the stream is open: it goes on where the events ended then
        Await.until(moves::lines, () -> !moves.lines().isEmpty());
        JsonObject moved = new JsonObject(moves.lines().get(moves.lines().size() - 1));
        assertEquals(TYPE + "/" + shard, moved.getString("subject"));
        assertEquals("operator", moved.getJsonObject("details").getString("cause"));
        assertTrue(run("why", TYPE, String.valueOf(shard)).succeeds().out().contains("shard-moved"));

        int second = homes().entrySet().stream()
                .filter(home -> home.getValue().equals(id(0)))
                .findFirst()
                .orElseThrow()
                .getKey();
        CommandRun both = run("move", TYPE, shard + "," + second, id(1));
        assertEquals(ExitCode.NOT_APPLICABLE.code(), both.code(), both::toString);
        assertTrue(both.out().contains("done: move of shard " + second + " to " + id(1)), both::toString);
        assertTrue(both.out().contains("refused: shard " + shard + ": "), both::toString);
        Await.until(CommandLineIT::homes, () -> id(1).equals(homes().get(second)));

        run("pin", TYPE, String.valueOf(shard), id(0)).succeeds();
        Await.until(CommandLineIT::homes, () -> id(0).equals(homes().get(shard)));
        run("unpin", TYPE, String.valueOf(shard)).succeeds();

        long leaving = homes().values().stream().filter(id(0)::equals).count();
        JsonObject plan = run("plan", "drain", id(0), "--json").document();
        assertEquals(
                leaving,
                plan.getJsonArray("types")
                        .getJsonObject(0)
                        .getJsonArray("moves")
                        .size());
        CommandRun drained = run("drain", id(0), "--wait");
        assertEquals(ExitCode.DONE.code(), drained.code(), drained::toString);
        assertTrue(drained.errors().endsWith("0 shards left on " + id(0) + System.lineSeparator()), drained::toString);
        assertTrue(homes().values().stream().allMatch(id(1)::equals), () -> homes().toString());
        assertTrue(run("nodes").succeeds().out().contains("drained"));
        run("undrain", id(0)).succeeds();
        JsonObject doctor = new JsonObject(run("doctor", "--json").out());
        assertTrue(doctor.encode().contains("\"text\":\"2 nodes\""), doctor::encodePrettily);
        assertTrue(doctor.encode().contains("rebalancing of " + TYPE + " is stopped"), doctor::encodePrettily);
    }
}
