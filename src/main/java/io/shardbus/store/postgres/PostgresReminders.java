package io.shardbus.store.postgres;

import io.shardbus.persistence.spi.ReminderStore;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Reminders in the database of the store. */
final class PostgresReminders implements ReminderStore {
    private static final String FIRST =
            "SELECT id, name, number, due, payload FROM shardbus_reminder WHERE type = $1 AND part = ANY($2) "
                    + "ORDER BY due"
                    + " LIMIT $3";
    private static final String OF =
            "SELECT id, name, number, due, payload FROM shardbus_reminder WHERE type = $1 AND id = $2 ORDER BY name";
    private static final String SETTLED = """
            WITH settled AS (
              SELECT * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
                  AS s(id, name, number, due, next)),
            done AS (
              DELETE FROM shardbus_reminder r USING settled s
              WHERE s.next = 0 AND r.type = $1::int AND r.id = s.id AND r.name = s.name
                  AND r.number = s.number AND r.due = s.due)
            UPDATE shardbus_reminder r SET due = s.next FROM settled s
            WHERE s.next > 0 AND r.type = $1::int AND r.id = s.id AND r.name = s.name
                AND r.number = s.number AND r.due = s.due""";

    private final PostgresStore store;

    PostgresReminders(PostgresStore store) {
        this.store = store;
    }

    @Override
    public Future<List<Reminder>> first(int type, List<Integer> parts, int limit) {
        return store.reads(
                FIRST,
                Tuple.of(type, parts.toArray(Integer[]::new), limit),
                rows -> Rows.list(rows, PostgresReminders::reminder));
    }

    @Override
    public Future<List<Reminder>> of(int type, String id) {
        return store.reads(OF, Tuple.of(type, id), rows -> Rows.list(rows, PostgresReminders::reminder));
    }

    @Override
    public Future<Void> settle(int type, List<Settled> settled) {
        Tuple parameters = Tuple.of(type)
                .addArrayOfString(
                        settled.stream().map(one -> one.reminder().id()).toArray(String[]::new))
                .addArrayOfString(
                        settled.stream().map(one -> one.reminder().name()).toArray(String[]::new))
                .addArrayOfLong(
                        settled.stream().map(one -> one.reminder().number()).toArray(Long[]::new))
                .addArrayOfLong(
                        settled.stream().map(one -> one.reminder().due()).toArray(Long[]::new))
                .addArrayOfLong(settled.stream().map(Settled::next).toArray(Long[]::new));
        return store.reads(SETTLED, parameters, rows -> true).mapEmpty();
    }

    private static Reminder reminder(Row row) {
        return new Reminder(row.getString(0), row.getString(1), row.getLong(2), row.getLong(3), row.getBuffer(4));
    }
}
