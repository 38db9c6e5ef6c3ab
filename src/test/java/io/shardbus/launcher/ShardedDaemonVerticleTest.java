package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.daemon.ClusterSingleton;
import io.shardbus.daemon.ShardedDaemonProcess;
import io.shardbus.daemon.WorkerContext;
import io.shardbus.integration.Await;
import io.shardbus.integration.TestCluster;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardedDaemonVerticleTest {
    private static final Set<Integer> RUNNING = ConcurrentHashMap.newKeySet();

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Await.result(vertx.close());
    }

    /** A worker that writes down that it runs. */
    public static final class Reader extends VerticleBase {
        private final int number;

        public Reader(WorkerContext worker) {
            number = worker.number();
        }

        @Override
        public Future<?> start() {
            RUNNING.add(number);
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            RUNNING.remove(number);
            return Future.succeededFuture();
        }
    }

    /** A singleton that writes down that it runs. */
    public static final class Single extends VerticleBase {
        @Override
        public Future<?> start() {
            RUNNING.add(-1);
            return Future.succeededFuture();
        }

        @Override
        public Future<?> stop() {
            RUNNING.remove(-1);
            return Future.succeededFuture();
        }
    }

    private String deploy(JsonObject config) {
        return Await.result(
                vertx.deployVerticle(ShardedDaemonVerticle.class.getName(), new DeploymentOptions().setConfig(config)));
    }

    private static JsonObject config() {
        return new JsonObject().put("name", "feed").put("workers", 3).put("workerClass", Reader.class.getName());
    }

    @Test
    @DisplayName("DAEM-05 a set is started by configuration alone, and ends with its deployment")
    void runsWorkers() {
        String id = deploy(config());
        TestCluster.until("three workers", () -> RUNNING.equals(Set.of(0, 1, 2)));
        assertEquals(Set.of("feed"), ShardedDaemonProcess.startedOn(vertx).keySet());
        Await.result(vertx.undeploy(id));
        assertEquals(Set.of(), RUNNING);
        assertEquals(Set.of(), ShardedDaemonProcess.startedOn(vertx).keySet());
    }

    @Test
    @DisplayName("DAEM-05 a singleton is started by configuration alone, and ends with its deployment")
    void runsASingleton() {
        JsonObject config = new JsonObject().put("name", "one").put("verticleClass", Single.class.getName());
        String id = Await.result(vertx.deployVerticle(
                ClusterSingletonVerticle.class.getName(), new DeploymentOptions().setConfig(config)));
        TestCluster.until("it runs", () -> RUNNING.equals(Set.of(-1)));
        assertEquals(Set.of("one"), ClusterSingleton.startedOn(vertx).keySet());
        Await.result(vertx.undeploy(id));
        assertEquals(Set.of(), RUNNING);
        assertEquals(Set.of(), ClusterSingleton.startedOn(vertx).keySet());
        JsonObject wrong = config.copy().put("verticleClass", "java.lang.String");
        Throwable failure = assertThrows(
                        AssertionError.class,
                        () -> Await.result(vertx.deployVerticle(
                                ClusterSingletonVerticle.class.getName(), new DeploymentOptions().setConfig(wrong))))
                .getCause();
        assertTrue(failure.getMessage().startsWith("verticleClass: class java.lang.String"), failure.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"workerClass\":\"no.such.Worker\"}",
                "{\"workerClass\":\"java.lang.String\"}",
                "{\"workerClass\":\"io.vertx.core.VerticleBase\",\"workers\":0}",
                "{\"workers\":\"three\"}",
                "{\"worker\":3}",
                "{\"name\":\"a b\"}"
            })
    void refusesWhatIsWrong(String change) {
        JsonObject wrong = new JsonObject(change);
        JsonObject config = config().mergeIn(wrong);
        Throwable failure =
                assertThrows(AssertionError.class, () -> deploy(config)).getCause();
        String key =
                wrong.fieldNames().stream().reduce((first, second) -> second).orElseThrow();
        assertTrue(String.valueOf(failure.getMessage()).contains(key), failure.toString());
    }
}
