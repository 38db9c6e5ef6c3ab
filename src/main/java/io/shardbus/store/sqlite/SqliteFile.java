package io.shardbus.store.sqlite;

import io.shardbus.options.SqliteOptions;
import io.shardbus.persistence.spi.StoreException;
import io.shardbus.persistence.spi.StoreException.Kind;
import io.shardbus.persistence.spi.StoreIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/** The database file, its settings and its tables. */
final class SqliteFile {
    private static final int VERSION = 1;
    private static final String SCHEMA = "/io/shardbus/store/sqlite-schema.sql";

    private final Path path;
    private final long timeoutMs;

    SqliteFile(SqliteOptions options) {
        this.path = Path.of(options.getFile()).toAbsolutePath().normalize();
        this.timeoutMs = options.getStoreTimeoutMs();
    }

    String name() {
        return "sqlite:" + path;
    }

    /** A connection with full durability: a commit returns when the disk has it. */
    Db connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout((int) (timeoutMs / 2)); // before the call ends, so that the outcome is known
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + path);
        return new Db(source.getConnection());
    }

    /** Makes the tables where they are missing, within the caller's transaction. */
    StoreIdentity prepare(Db db) throws SQLException {
        for (String statement : statements()) {
            db.execute(statement);
        }
        addNumber(db);
        db.update(
                "INSERT INTO shardbus_store (one, id, version) VALUES (1, lower(hex(randomblob(16))), ?)"
                        + " ON CONFLICT DO NOTHING",
                VERSION);
        Integer version = db.first("SELECT version FROM shardbus_store", row -> row.getInt(1));
        if (version == null || version != VERSION) {
            throw new StoreException(
                    Kind.INCOMPATIBLE,
                    name() + " has tables of version " + version + ", this release needs " + VERSION
                            + ": use the release that wrote it, or a backup");
        }
        StoreIdentity identity = db.first(
                "SELECT id, max((SELECT coalesce(max(term), 0) FROM shardbus_log),"
                        + " (SELECT coalesce(max(term), 0) FROM shardbus_offset)) FROM shardbus_store",
                row -> new StoreIdentity(row.getString(1), row.getLong(2)));
        return Objects.requireNonNull(identity, "the row that was just made");
    }

    /** The first builds with reminders made a table without this column. */
    private static void addNumber(Db db) throws SQLException {
        List<String> found = db.query(
                "SELECT name FROM pragma_table_info('shardbus_reminder') WHERE name = 'number'",
                row -> row.getString(1));
        if (found.isEmpty()) {
            db.execute("ALTER TABLE shardbus_reminder ADD COLUMN number INTEGER NOT NULL DEFAULT 0");
        }
    }

    private static List<String> statements() {
        try (InputStream schema = SqliteFile.class.getResourceAsStream(SCHEMA)) {
            String text = new String(Objects.requireNonNull(schema, SCHEMA).readAllBytes(), StandardCharsets.UTF_8);
            List<String> statements = new ArrayList<>(List.of(text.split("\n;\n")));
            statements.removeIf(String::isBlank);
            return statements;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
