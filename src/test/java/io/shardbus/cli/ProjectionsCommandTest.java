package io.shardbus.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityType;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Await;
import io.shardbus.options.AdminOptions;
import io.shardbus.options.ShardingOptions;
import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.EventSourced;
import io.shardbus.projection.Projection;
import io.shardbus.projection.ProjectionHandler;
import io.shardbus.projection.Projections;
import io.shardbus.store.memory.MemoryStore;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The command projections")
class ProjectionsCommandTest {
    private final Vertx vertx = Vertx.vertx();
    private final MemoryStore store = MemoryStore.create();
    private ClusterSharding sharding;
    private String url;

    record Noted() {}

    @BeforeEach
    void start() {
        sharding = ClusterSharding.create(vertx, new ShardingOptions().setAwaitPredecessorLeases(false));
        var router = AdminRouter.create(vertx, sharding, new AdminOptions().setReadOnly(false));
        url = "http://127.0.0.1:"
                + Await.result(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"))
                        .actualPort();
    }

    @AfterEach
    void stop() {
        Await.result(vertx.close());
    }

    private CommandRun run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "projections";
        all[1] = "--url=" + url;
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return CommandRun.of(all);
    }

    @Test
    @DisplayName("lists, pauses, resets and resumes")
    void steers() {
        assertTrue(run().succeeds().out().contains("no projection"));
        EventSourced<Object, Noted, Integer> entities = EventSourced.of(
                EntityType.of("noted", Object.class),
                id -> {
                    throw new AssertionError("no entity runs");
                },
                EventCodec.json(Noted.class));
        Await.result(Projections.create(vertx, sharding, store)
                .start(Projection.of(
                        "view", entities, ProjectionHandler.<Noted>each(event -> Future.succeededFuture()))));

        assertTrue(run().succeeds().out().contains("running"));
        assertEquals(
                ExitCode.NOT_APPLICABLE.code(), run("reset", "view", "--yes").code());
        assertEquals(ExitCode.NOT_FOUND.code(), run("pause", "other").code());
        assertTrue(run("pause", "view").succeeds().out().contains("projection view is paused"));
        assertTrue(run().succeeds().out().contains("paused"));
        CommandRun unsure = run("reset", "view");
        assertEquals(ExitCode.USAGE.code(), unsure.code());
        assertTrue(unsure.errors().contains("--yes"), unsure::toString);
        run("reset", "view", "--yes").succeeds();
        assertEquals(false, run("resume", "view", "--json").document().getBoolean("paused"));
        assertEquals(
                "view",
                run("--json")
                        .document()
                        .getJsonArray("projections")
                        .getJsonObject(0)
                        .getString("name"));
        assertEquals(ExitCode.USAGE.code(), run("stop", "view").code());
    }
}
