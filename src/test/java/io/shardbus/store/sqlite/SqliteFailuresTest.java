package io.shardbus.store.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.integration.Await;
import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What SQLite fails with")
class SqliteFailuresTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("says what to do when the disk is full, and that nothing is stored")
    void full() throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("full.db"));
                var statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t (b BLOB)");
            statement.execute("PRAGMA max_page_count = 4");
            SQLException full = assertThrows(
                    SQLException.class, () -> statement.execute("INSERT INTO t VALUES (zeroblob(100000))"));
            StoreException failure = SqliteFailures.of("sqlite:full.db", full);
            assertEquals(Kind.BLOCKED, failure.kind());
            String text = String.valueOf(failure.getMessage());
            assertTrue(text.startsWith("sqlite:full.db: ") && text.contains("Make room on the disk"), text);
        }
    }

    @Test
    @DisplayName("says that the directory is to be made when it is missing")
    void noDirectory() {
        var vertx = Vertx.vertx();
        try {
            var file = directory.resolve("absent").resolve("guests.db");
            var store = SqliteStore.create(vertx, new SqliteOptions().setFile(file.toString()));
            var failure = assertThrows(AssertionError.class, () -> Await.result(store.start()));
            String text = String.valueOf(failure.getCause().getMessage());
            assertTrue(text.contains(file.toString()) && text.contains("its directory is not: make that"), text);
            Await.result(store.close());
        } finally {
            Await.result(vertx.close());
        }
    }
}
