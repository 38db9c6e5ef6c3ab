package io.shardbus.store.postgres;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.persistence.spi.StoreException;
import io.shardbus.testkit.ClusterTestKit;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A connection to a PostgreSQL server that answers nothing")
class PostgresLinkTest {
    private static final long TIMEOUT_MS = 1000;

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        ClusterTestKit.await(vertx.close());
    }

    @Test
    @DisplayName("gives each call its whole time, also after the limit of an earlier call that has failed")
    void staleTimer() {
        var server = ClusterTestKit.await(
                vertx.createNetServer().connectHandler(socket -> {}).listen(0, "127.0.0.1"));
        var options = new PgConnectOptions()
                .setHost("127.0.0.1")
                .setPort(server.actualPort())
                .setUser("u")
                .setDatabase("d");
        Promise<Long> took = Promise.promise();
        vertx.runOnContext(start -> {
            var link = new PostgresLink(vertx, options, "silent", TIMEOUT_MS, () -> {});
            Future<Void> first = call(link);
            vertx.timer(TIMEOUT_MS / 2, TimeUnit.MILLISECONDS).onSuccess(half -> call(link));
            first.onFailure(failed -> vertx.runOnContext(next -> {
                long from = System.nanoTime();
                call(link).onFailure(ended -> took.complete((System.nanoTime() - from) / 1_000_000));
            }));
        });
        long millis = ClusterTestKit.await(took.future());
        assertTrue(millis >= TIMEOUT_MS - 100, millis + " ms");
    }

    private static Future<Void> call(PostgresLink link) {
        return link.run(connection ->
                Future.<Void>failedFuture(new StoreException(StoreException.Kind.REPEAT, "the server has answered")));
    }
}
