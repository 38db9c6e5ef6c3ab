package io.shardbus.store.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The statements that make the tables where they are missing. */
final class PostgresSchema {
    /** Version of the tables. */
    static final int VERSION = 1;

    private static final String FILE = "/io/shardbus/store/postgres-schema.sql";
    private static final String END_OF_EVENTS = "    PRIMARY KEY (type, id, seq))\n;";
    private static final String POSITIONS = "CREATE UNIQUE INDEX IF NOT EXISTS shardbus_event_log";

    private PostgresSchema() {}

    /**
     * One transaction, under a lock, as several nodes may start at once.
     *
     * @param partitions of the table of events; 1 for a plain table
     */
    static String statements(int partitions) {
        String tables = tables();
        return "SELECT pg_advisory_xact_lock(" + FILE.hashCode() + ");\n"
                + (partitions == 1 ? tables : partitioned(tables, partitions))
                + "INSERT INTO shardbus_store (one, id, version) VALUES (true, gen_random_uuid(), " + VERSION
                + ") ON CONFLICT DO NOTHING";
    }

    /**
     * A unique index needs the columns of the partition, so the one of log and position is a plain one: the fence and
     * the compared end of the log keep positions apart.
     */
    private static String partitioned(String tables, int partitions) {
        StringBuilder parts = new StringBuilder("    PRIMARY KEY (type, id, seq)) PARTITION BY HASH (type, id)\n;\n");
        for (int i = 0; i < partitions; i++) {
            parts.append("CREATE TABLE IF NOT EXISTS shardbus_event_").append(i);
            parts.append(" PARTITION OF shardbus_event FOR VALUES WITH (MODULUS ")
                    .append(partitions);
            parts.append(", REMAINDER ").append(i).append(")\n;\n");
        }
        return replaced(replaced(tables, END_OF_EVENTS, parts.toString()), POSITIONS, POSITIONS.replace("UNIQUE ", ""));
    }

    private static String replaced(String tables, String part, String by) {
        if (!tables.contains(part)) {
            throw new IllegalStateException(FILE + " has no '" + part + "'");
        }
        return tables.replace(part, by);
    }

    private static String tables() {
        try (InputStream schema = PostgresSchema.class.getResourceAsStream(FILE)) {
            return new String(Objects.requireNonNull(schema, FILE).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
