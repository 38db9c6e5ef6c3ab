package io.shardbus.store.sqlite;

import io.shardbus.persistence.spi.ReminderStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** Reminders in the file. */
final class SqliteReminders implements ReminderStore {
    private static final String UNCHANGED = " WHERE type = ? AND id = ? AND name = ? AND number = ? AND due = ?";

    private final SqliteStore store;

    SqliteReminders(SqliteStore store) {
        this.store = store;
    }

    @Override
    public Future<List<Reminder>> first(int type, List<Integer> parts, int limit) {
        String those = parts.stream().map(part -> Integer.toString(part)).collect(Collectors.joining(", "));
        return store.read(db -> db.query(
                "SELECT id, name, number, due, payload FROM shardbus_reminder WHERE type = ? AND part IN (" + those
                        + ") ORDER BY due LIMIT ?",
                SqliteReminders::reminder,
                type,
                limit));
    }

    @Override
    public Future<List<Reminder>> of(int type, String id) {
        return store.read(db -> db.query(
                "SELECT id, name, number, due, payload FROM shardbus_reminder WHERE type = ? AND id = ? ORDER BY name",
                SqliteReminders::reminder,
                type,
                id));
    }

    @Override
    public Future<Void> settle(int type, List<Settled> settled) {
        return store.write(db -> {
                    for (Settled one : settled) {
                        settle(db, type, one);
                    }
                    return true;
                })
                .mapEmpty();
    }

    private static void settle(Db db, int type, Settled settled) throws SQLException {
        Reminder read = settled.reminder();
        if (settled.next() == 0) {
            db.update(
                    "DELETE FROM shardbus_reminder" + UNCHANGED,
                    type,
                    read.id(),
                    read.name(),
                    read.number(),
                    read.due());
        } else {
            db.update(
                    "UPDATE shardbus_reminder SET due = ?" + UNCHANGED,
                    settled.next(),
                    type,
                    read.id(),
                    read.name(),
                    read.number(),
                    read.due());
        }
    }

    private static Reminder reminder(ResultSet row) throws SQLException {
        return new Reminder(
                row.getString(1), row.getString(2), row.getLong(3), row.getLong(4), Buffer.buffer(row.getBytes(5)));
    }
}
