package io.shardbus.store.postgres;

import io.shardbus.integration.Await;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.TestAbortedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Databases for tests: of one server for all tests of this process, started when the first asks for one, or of the
 * server that {@code -Dshardbus.postgres=<uri>} names. Where there is neither, the tests are skipped, and the log says
 * so at ERROR; a build that must not skip them looks for it.
 */
public final class TestPostgres {
    private static final Logger LOG = LoggerFactory.getLogger(TestPostgres.class);
    private static final String NAMED = System.getProperty("shardbus.postgres", "");
    /** A named server keeps the databases of earlier runs. */
    private static final String RUN = ProcessHandle.current().pid() + "_" + System.currentTimeMillis();

    private static final AtomicInteger NUMBER = new AtomicInteger();

    private TestPostgres() {}

    /** The URI of a new, empty database. */
    public static String newDatabase(Vertx vertx) {
        String server = NAMED.isEmpty() ? Shared.uri() : NAMED;
        String name = "test_" + RUN + "_" + NUMBER.incrementAndGet();
        PgConnectOptions options = PgConnectOptions.fromUri(server);
        await(PgConnection.connect(vertx, options)
                .compose(connection ->
                        connection.query("CREATE DATABASE " + name).execute().eventually(connection::close)));
        int path = server.lastIndexOf('/');
        return server.substring(0, path + 1) + name;
    }

    /** A server of the caller's own, which it may stop and start; the test is skipped where this machine runs none. */
    public static PostgresServer ownServer(String... settings) {
        try {
            return PostgresServer.start(settings);
        } catch (UncheckedIOException e) {
            LOG.error("SKIPPED: a test with a PostgreSQL server of its own, as this machine cannot run it", e);
            throw new TestAbortedException("no PostgreSQL on this machine", e);
        }
    }

    private static <T> T await(Future<T> future) {
        return Await.result(future);
    }

    /** The server that this process started. */
    private static final class Shared {
        private static final PostgresServer SERVER = start();

        private static PostgresServer start() {
            try {
                PostgresServer server = PostgresServer.start();
                Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-postgres"));
                return server;
            } catch (UncheckedIOException e) {
                LOG.error(
                        "SKIPPED: tests with PostgreSQL, as this machine cannot run it"
                                + " (-Dshardbus.postgres=<uri> names a server)",
                        e);
                return null;
            }
        }

        static String uri() {
            Assumptions.assumeTrue(SERVER != null, "no PostgreSQL on this machine");
            return SERVER.uri();
        }
    }
}
