package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.ClusterSharding;
import io.shardbus.EntityRef;
import io.shardbus.ShardingException;
import io.shardbus.admin.AdminRouter;
import io.shardbus.integration.Await;
import io.shardbus.integration.LoneNode;
import io.shardbus.model.FailureCode;
import io.shardbus.options.GracefulShutdownOptions;
import io.shardbus.options.ShardingOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GracefulShutdownTest {
    private static final String HOST = "127.0.0.1";

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private int port;

    private CompletableFuture<HttpResponse<String>> get(String path) {
        return http.sendAsync(
                HttpRequest.newBuilder(URI.create("http://" + HOST + ":" + port + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    @DisplayName("a graceful shutdown ends in good order where another part of the process has closed the Vertx")
    void endsWithAClosedVertx() {
        Vertx vertx = Vertx.vertx();
        var shutdown =
                GracefulShutdown.of(Future.succeededFuture(vertx), new GracefulShutdownOptions().setDeadlineMs(20_000));
        Await.result(
                shutdown.serves(vertx.createHttpServer(), Router.router(vertx)).listen(0, HOST));
        Await.result(vertx.close());
        assertEquals(0, shutdown.run(0));
    }

    @Test
    @DisplayName("a graceful shutdown ends in good order where the Vertx is closed while it waits for requests")
    void endsWithAVertxThatIsClosedMeanwhile() {
        Vertx vertx = Vertx.vertx();
        var shutdown = GracefulShutdown.of(
                Future.succeededFuture(vertx),
                new GracefulShutdownOptions()
                        .setDeadlineMs(20_000)
                        .setQuietMs(15_000)
                        .setLongestQuietWaitMs(15_000));
        Await.result(
                shutdown.serves(vertx.createHttpServer(), Router.router(vertx)).listen(0, HOST));
        var status = CompletableFuture.supplyAsync(() -> shutdown.run(0));
        assertFalse(status.isDone());
        Await.result(vertx.close());
        assertEquals(0, status.join());
    }

    @Test
    void isNotReadyAndServesUntilItsRequestsHaveEnded() throws Exception {
        Vertx vertx = Vertx.vertx();
        ClusterSharding sharding = ClusterSharding.create(vertx, new ShardingOptions());
        var type = LoneNode.texts(id -> (message, context) -> Future.succeededFuture(message));
        var region = Await.result(sharding.start(type));
        Await.result(region.ready());
        EntityRef<String> entity = region.entityRef("a");
        assertEquals("before", Await.result(LoneNode.ask(entity, "before")));
        Promise<Void> arrived = Promise.promise();
        Promise<Void> proceed = Promise.promise();
        var router = Router.router(vertx);
        router.route("/sharding/*").subRouter(AdminRouter.create(vertx, sharding));
        router.get("/slow").handler(request -> {
            arrived.tryComplete();
            proceed.future().onSuccess(done -> request.response().end("slow but there"));
        });
        // the load balancer's time ends with the deadline: what is looked at comes while it runs
        var shutdown = GracefulShutdown.of(
                Future.succeededFuture(vertx), new GracefulShutdownOptions().setLoadBalancerDelayMs(2000));
        port = Await.result(shutdown.serves(vertx.createHttpServer(), router).listen(0, HOST))
                .actualPort();
        assertEquals(200, get("/sharding/health/ready").get().statusCode());

        var slow = get("/slow");
        Await.result(arrived.future());
        var status = CompletableFuture.supplyAsync(() -> shutdown.run(0));
        Await.until(() -> "still ready", () -> sharding.isLeaving());
        var refused = get("/sharding/health/ready").get();
        assertEquals(503, refused.statusCode());
        assertTrue(refused.body().contains("this node is leaving"), refused::body);
        assertEquals("close", refused.headers().firstValue("Connection").orElse(""));
        assertEquals("served", Await.result(LoneNode.ask(entity, "served")));
        assertFalse(status.isDone());

        Await.until(() -> "the port is open", this::isPortClosed);
        assertFalse(status.isDone(), "a request is under way");
        proceed.complete();
        assertEquals("slow but there", slow.get().body());
        assertEquals(0, status.get());

        EntityRef<String> late = sharding.entityRef(type.type(), "b");
        late.tell("nothing is thrown");
        assertEquals(FailureCode.SHUTTING_DOWN, LoneNode.failureCode(LoneNode.ask(late, "x")));
        assertEquals(FailureCode.SHUTTING_DOWN, LoneNode.failureCode(LoneNode.ask(entity, "x")));
        entity.tell("nothing is thrown");
        assertEquals(entity, sharding.entityRef(type.type(), "a"));
    }

    private boolean isPortClosed() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTypeThatWasNotStartedSaysWhatToCall() {
        Vertx vertx = Vertx.vertx();
        ClusterSharding sharding = ClusterSharding.create(vertx, new ShardingOptions());
        var missing = assertThrows(ShardingException.class, () -> sharding.entityRef(LoneNode.newType(), "a"));
        assertEquals(FailureCode.UNKNOWN_TYPE, missing.code());
        assertTrue(missing.getMessage().contains("call start or startProxy first"), missing::getMessage);
        Await.result(vertx.close());
    }

    @Test
    void endsWithOneWhenTheDeadlinePasses() {
        var shutdown =
                GracefulShutdown.of(Promise.<Vertx>promise().future(), new GracefulShutdownOptions().setDeadlineMs(50));
        assertEquals(1, shutdown.run(0));
        assertEquals(1, shutdown.run(0), "once");
    }

    @Test
    void aNodeThatDidNotStartEndsWithItsStatus() {
        assertEquals(
                3,
                GracefulShutdown.of(Future.failedFuture("no port"), new GracefulShutdownOptions())
                        .run(3));
    }

    @Test
    void oneSignalEndsInGoodOrderAlsoBeforeTheNodeIsThere() throws Exception {
        try (var node = new StoppedProcess("startsLate")) {
            node.signal("TERM");
            assertEquals(0, node.exit());
        }
    }

    @Test
    void aSecondSignalEndsAtOnce() throws Exception {
        try (var node = new StoppedProcess("neverStarts")) {
            node.signal("TERM");
            Await.until(() -> "the process runs on", () -> node.isEndedBy("TERM"));
            assertEquals(128 + 15, node.exit());
        }
    }

    /** A process with the way out armed. */
    public static final class StoppedProcess implements AutoCloseable {
        private final Process process;

        StoppedProcess(String start) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            StoppedProcess.class.getName(),
                            start)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            assertEquals("armed", line());
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int next = process.getInputStream().read(); next >= 0 && next != '\n'; ) {
                line.append((char) next);
                next = process.getInputStream().read();
            }
            return line.toString();
        }

        void signal(String name) throws Exception {
            assertEquals(
                    0,
                    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                            .start()
                            .waitFor());
            assertEquals("heard", line());
        }

        /** Sends one more signal to a process that runs. */
        boolean isEndedBy(String name) {
            if (process.isAlive()) {
                Await.result(Future.future(sent -> {
                    try {
                        sent.complete(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                                .start()
                                .waitFor());
                    } catch (IOException | InterruptedException e) {
                        sent.fail(e);
                    }
                }));
            }
            return !process.isAlive();
        }

        int exit() throws Exception {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                throw new TimeoutException("the process runs on");
            }
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }

        /** The main thread waits, as the threads of a node do: a JVM without threads would end by itself. */
        public static void main(String[] arguments) throws IOException {
            Promise<Vertx> vertx = Promise.promise();
            var options = new GracefulShutdownOptions();
            GracefulShutdown.onSignal(vertx.future(), options, () -> {
                System.out.println("heard");
                if (arguments[0].equals("startsLate")) {
                    vertx.tryComplete(Vertx.vertx());
                }
            });
            System.out.println("armed");
            if (System.in.read() < 0) {
                Runtime.getRuntime().halt(2);
            }
        }
    }
}
