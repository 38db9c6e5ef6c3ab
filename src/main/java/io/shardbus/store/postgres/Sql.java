package io.shardbus.store.postgres;

/**
 * The statements that hold the fence. Each is one transaction of isolation level READ COMMITTED: no lock outlives a
 * statement, so a client that froze or died half-way holds up no successor.
 */
final class Sql {
    /**
     * Raises the token of logs, each only to a token that is not lower than its own, and counts the opening. A log that
     * is missing in the result has a newer home or is sealed. Waits for an append under way. The end of the log read
     * here would be that before the append: {@link #ENDS} is a statement after it.
     */
    static final String OPEN = """
            UPDATE shardbus_log l
            SET term = w.term, incarnation = w.incarnation, sequence = w.sequence, opening = l.opening + 1
            FROM (SELECT w.* FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[])
                AS w(log, term, incarnation, sequence) JOIN shardbus_log locked USING (log)
                ORDER BY log FOR NO KEY UPDATE OF locked) w
            WHERE l.log = w.log AND NOT l.sealed
                AND (l.term, l.incarnation, l.sequence) <= (w.term, w.incarnation, w.sequence)
            RETURNING l.log, l.opening""";

    /** The last position of each log, of events or of states; null for an empty one. */
    static final String ENDS = """
            SELECT w.log, greatest(
                (SELECT e.position FROM shardbus_event e WHERE e.log = w.log ORDER BY e.position DESC LIMIT 1),
                (SELECT s.position FROM shardbus_state s WHERE s.log = w.log ORDER BY s.position DESC LIMIT 1))
            FROM unnest($1::int[]) AS w(log)""";

    /**
     * Locks the logs whose token, opening and end are the writer's, in the order of their numbers. The lock has one
     * holder, so commits of a log have the order of their positions; it is taken without a new version of the row. An
     * append that waited for a raise evaluates the condition again, and is refused.
     */
    private static final String HOME = """
            WITH home AS (
              SELECT l.log, l.type
              FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
                  AS w(log, term, incarnation, sequence, opening, tail)
                  JOIN shardbus_log l USING (log)
              WHERE NOT l.sealed
                  AND (l.term, l.incarnation, l.sequence, l.opening) = (w.term, w.incarnation, w.sequence, w.opening)
                  AND %s
              ORDER BY l.log FOR NO KEY UPDATE OF l)
            """;

    private static final String TAIL =
            "w.tail = coalesce((SELECT e.position FROM %s e WHERE e.log = w.log ORDER BY e.position DESC LIMIT 1), 0)";
    /** Snapshots and deletions do not compare the end; the parameter keeps its place. */
    private static final String ANY_TAIL = "w.tail IS NOT NULL";

    private static final String APPEND_HOME = HOME.formatted(TAIL.formatted("shardbus_event"));
    private static final String WRITE_HOME = HOME.formatted(TAIL.formatted("shardbus_state"));

    /** Sets and cancels reminders with the rows; a change without a name cancels all of its entity. */
    private static final String REMIND = """
            , change AS (
              SELECT h.type, c.id, c.name, c.part, c.number, c.due, c.payload
              FROM unnest($%d::int[], $%d::text[], $%d::text[], $%d::int[], $%d::bigint[], $%d::bigint[],
                  $%d::bytea[]) AS c(log, id, name, part, number, due, payload)
                  JOIN home h USING (log)),
            cancelled AS (
              DELETE FROM shardbus_reminder r USING change c
              WHERE c.payload IS NULL AND r.type = c.type AND r.id = c.id AND (c.name IS NULL OR c.name = r.name)),
            reminded AS (
              INSERT INTO shardbus_reminder (type, id, name, part, number, due, payload)
              SELECT type, id, name, part, number, due, payload FROM change WHERE payload IS NOT NULL
              ON CONFLICT (type, id, name) DO UPDATE SET number = excluded.number, due = excluded.due,
                  payload = excluded.payload)
            """;

    private static final String INSERT_EVENTS = """
            , stored AS (
              INSERT INTO shardbus_event (type, id, seq, log, position, name, version, format, payload, meta, tags)
              SELECT h.type, e.id, e.seq, e.log, e.position, e.name, e.version, e.format, e.payload, e.meta,
                  string_to_array(e.tags, chr(31))
              FROM unnest($7::int[], $8::text[], $9::bigint[], $10::bigint[], $11::text[], $12::int[], $13::int[],
                  $14::bytea[], $15::bytea[], $16::text[])
                  AS e(log, id, seq, position, name, version, format, payload, meta, tags)
                  JOIN home h USING (log))
            SELECT log FROM home""";

    /**
     * Stores the events of all logs whose writer is the log's home; of a log that is refused, none. A log without
     * events is in the answer if its writer is its home.
     */
    static final String APPEND = APPEND_HOME + INSERT_EVENTS;

    /** {@link #APPEND} with changes of reminders. */
    static final String APPEND_REMINDING = APPEND_HOME + REMIND.formatted(17, 18, 19, 20, 21, 22, 23) + INSERT_EVENTS;

    /**
     * Stores states; each takes the place of the one with the revision before. Where that is another, the revision
     * becomes null, which the table refuses: the whole statement fails.
     */
    private static final String INSERT_STATES = """
            , stored AS (
              INSERT INTO shardbus_state AS s (type, id, revision, log, position, version, format, payload, dedup)
              SELECT h.type, e.id, CASE WHEN coalesce(p.revision, 0) = e.before THEN e.revision END,
                  e.log, e.position, e.version, e.format, e.payload, e.dedup
              FROM unnest($7::int[], $8::text[], $9::bigint[], $10::bigint[], $11::bigint[], $12::int[], $13::int[],
                  $14::bytea[], $15::bytea[])
                  AS e(log, id, before, revision, position, version, format, payload, dedup)
                  JOIN home h USING (log)
                  LEFT JOIN shardbus_state p ON p.type = h.type AND p.id = e.id
              ON CONFLICT (type, id) DO UPDATE SET revision = excluded.revision, log = excluded.log,
                  position = excluded.position, written = excluded.written, version = excluded.version,
                  format = excluded.format, payload = excluded.payload, dedup = excluded.dedup)
            SELECT log FROM home""";

    static final String WRITE = WRITE_HOME + INSERT_STATES;

    static final String WRITE_REMINDING = WRITE_HOME + REMIND.formatted(16, 17, 18, 19, 20, 21, 22) + INSERT_STATES;

    /** Stores snapshots; an older one does not replace a newer one. */
    static final String SAVE = HOME.formatted(ANY_TAIL) + """
            , saved AS (
              INSERT INTO shardbus_snapshot AS s (type, id, seq, version, format, payload, dedup)
              SELECT h.type, e.id, e.seq, e.version, e.format, e.payload, e.dedup
              FROM unnest($7::int[], $8::text[], $9::bigint[], $10::int[], $11::int[], $12::bytea[], $13::bytea[])
                  AS e(log, id, seq, version, format, payload, dedup)
                  JOIN home h USING (log)
              ON CONFLICT (type, id) DO UPDATE SET seq = excluded.seq, version = excluded.version,
                  format = excluded.format, payload = excluded.payload, dedup = excluded.dedup
                  WHERE s.seq <= excluded.seq)
            SELECT log FROM home""";

    /** Sequence numbers of which one {@link #DELETE} deletes the events: the lane's commits wait for it. */
    static final int DELETED_AT_ONCE = 1_000;

    /**
     * Deletes the first events up to a sequence number, but never the last one; the snapshot where it is wanted. The
     * answer says whether more are to be deleted. The first event that a projection has not read stays, and all behind
     * it. A projection with an offset in any log of the type has read nothing of the logs where it has none.
     */
    static final String DELETE = HOME.formatted(ANY_TAIL) + """
            , snapshot AS (
              DELETE FROM shardbus_snapshot s USING home
              WHERE $10::boolean AND s.type = $7::int AND s.id = $8::text AND s.seq <= $9::bigint),
            reading AS (
              SELECT DISTINCT o.projection FROM shardbus_offset o JOIN shardbus_log l USING (log)
              WHERE l.type = $7::int),
            span AS (
              SELECT (SELECT n.seq FROM shardbus_event n WHERE n.type = $7::int AND n.id = $8::text
                  ORDER BY n.seq LIMIT 1) + $11::int AS now,
                (SELECT n.seq FROM shardbus_event n WHERE n.type = $7::int AND n.id = $8::text
                  ORDER BY n.seq DESC LIMIT 1) AS last),
            unread AS (
              SELECT min(u.seq) AS seq
              FROM shardbus_event u CROSS JOIN reading r
                  LEFT JOIN shardbus_offset o ON o.projection = r.projection AND o.log = u.log
              WHERE u.type = $7::int AND u.id = $8::text AND u.seq <= $9::bigint
                  AND u.seq < (SELECT span.now FROM span) AND u.position > coalesce(o.position, 0)),
            gone AS (
              SELECT span.now, least($9::bigint + 1, span.last, unread.seq) AS before FROM span, unread),
            events AS (
              DELETE FROM shardbus_event e USING home
              WHERE e.type = $7::int AND e.id = $8::text
                  AND e.seq < (SELECT least(gone.now, gone.before) FROM gone))
            SELECT log, coalesce((SELECT gone.now < gone.before FROM gone), false) FROM home""";

    /** The first opening of a layout makes it the newest in use. */
    static final String BEGIN_LAYOUT = "UPDATE shardbus_type SET opened = $2 WHERE type = $1 AND opened < $2";

    /**
     * Closes the logs of older layouts for good. A statement after the one before: it sees logs that another node made
     * meanwhile, and later ones are not made.
     */
    static final String SEAL = "UPDATE shardbus_log SET sealed = true WHERE type = $1 AND layout < $2 AND NOT sealed";

    /** Makes logs, unless a newer layout has begun; waits for one that is about to. */
    static final String MAKE_LOGS = """
            WITH t AS (SELECT type FROM shardbus_type WHERE type = $1 AND opened <= $2 FOR NO KEY UPDATE)
            INSERT INTO shardbus_log (type, layout, shard, term, incarnation, sequence, opening, sealed)
            SELECT t.type, $2, s, 0, 0, 0, 0, false FROM t, unnest($3::int[]) AS s
            WHERE NOT EXISTS (SELECT FROM shardbus_log l WHERE l.type = $1 AND l.layout = $2 AND l.shard = s)
            ON CONFLICT DO NOTHING""";

    static final String LOGS =
            "SELECT log, shard FROM shardbus_log WHERE type = $1 AND layout = $2 AND shard = ANY($3) AND NOT sealed";

    static final String ALL_LOGS = """
            SELECT l.log, l.layout, l.shard, l.sealed, coalesce(greatest(
                (SELECT e.position FROM shardbus_event e WHERE e.log = l.log ORDER BY e.position DESC LIMIT 1),
                (SELECT s.position FROM shardbus_state s WHERE s.log = l.log ORDER BY s.position DESC LIMIT 1)), 0)
            FROM shardbus_log l WHERE l.type = $1 ORDER BY l.layout, l.log""";

    static final String IDENTITY = """
            SELECT id::text, version, coalesce(greatest(
                    (SELECT max(term) FROM shardbus_log), (SELECT max(term) FROM shardbus_offset)), 0),
                current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
                (SELECT count(*)::int FROM pg_inherits WHERE inhparent = to_regclass('shardbus_event'))
            FROM shardbus_store""";

    static final String REGISTER = """
            INSERT INTO shardbus_type (name, model, layout, opened, shards, addressing) VALUES ($1, $2, 1, 1, $3, $4)
            ON CONFLICT DO NOTHING""";

    static final String TYPE = "SELECT type, model, layout, shards, addressing FROM shardbus_type WHERE name = $1";

    static final String NEXT_LAYOUT =
            "UPDATE shardbus_type SET layout = layout + 1, shards = $3, addressing = $4 WHERE type = $1 AND "
                    + "layout = $2";

    /** Bytes of the rows before a row of an answer, in the order that is put in its place. */
    private static final String BYTES_BEFORE = """
            coalesce(sum(coalesce(octet_length(payload), 0) + coalesce(octet_length(meta), 0)) OVER (
                ORDER BY %s ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)""";

    /** Snapshots, as rows of position 0, and the events behind them, up to the row that fills the answer. */
    static final String LOAD = """
            SELECT id, seq, position, name, version, format, payload, meta, tags
            FROM (SELECT r.*, %s AS bytes FROM (
                SELECT w.place, w.id, s.seq, 0::bigint AS position, '' AS name, s.version, s.format::int, s.payload,
                    s.dedup AS meta, NULL::text[] AS tags
                FROM unnest($2::text[]) WITH ORDINALITY AS w(id, place)
                    JOIN shardbus_snapshot s ON s.type = $1 AND s.id = w.id
                UNION ALL
                SELECT w.place, w.id, e.seq, e.position, e.name, e.version, e.format::int, e.payload, e.meta, e.tags
                FROM unnest($2::text[]) WITH ORDINALITY AS w(id, place)
                    LEFT JOIN shardbus_snapshot s ON s.type = $1 AND s.id = w.id
                    CROSS JOIN LATERAL (SELECT * FROM shardbus_event e
                        WHERE e.type = $1 AND e.id = w.id AND e.seq > coalesce(s.seq, 0)
                        ORDER BY e.seq LIMIT $3) e) r) c
            WHERE bytes < $4 ORDER BY place, seq""".formatted(BYTES_BEFORE.formatted("place, seq"));

    static final String LOAD_EVENTS = """
            SELECT id, seq, position, name, version, format::int, payload, meta, tags
            FROM (SELECT e.*, %s AS bytes FROM (
                SELECT * FROM shardbus_event WHERE type = $1 AND id = $2 AND seq > $3 ORDER BY seq LIMIT $4) e) c
            WHERE bytes < $5 ORDER BY seq""".formatted(BYTES_BEFORE.formatted("seq"));

    static final String LOAD_STATES = """
            SELECT id, revision, position, version, format::int, payload, meta
            FROM (SELECT r.*, %s AS bytes FROM (
                SELECT w.place, s.id, s.revision, s.position, s.version, s.format, s.payload, s.dedup AS meta
                FROM unnest($2::text[]) WITH ORDINALITY AS w(id, place)
                    JOIN shardbus_state s ON s.type = $1 AND s.id = w.id) r) c
            WHERE bytes < $3""".formatted(BYTES_BEFORE.formatted("place"));

    /** Rows of several logs, each behind a position, up to the one that fills the answer: events or states of a log. */
    static final String READ = """
            SELECT id, seq, position, name, version, format, payload, meta, tags, log, written
            FROM (SELECT r.*, %s AS bytes FROM (
                SELECT w.place, e.* FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS w(log, after, place)
                    CROSS JOIN LATERAL (
                        SELECT id, seq, position, name, version, format::int, payload, meta, tags, log,
                            (extract(epoch FROM written) * 1000)::bigint AS written FROM shardbus_event
                        WHERE log = w.log AND position > w.after ORDER BY position LIMIT $3) e
                UNION ALL
                SELECT w.place, s.* FROM unnest($1::int[], $2::bigint[]) WITH ORDINALITY AS w(log, after, place)
                    CROSS JOIN LATERAL (
                        SELECT id, revision, position, 'state', version, format::int, payload, dedup, NULL::text[], log,
                            (extract(epoch FROM written) * 1000)::bigint FROM shardbus_state
                        WHERE log = w.log AND position > w.after ORDER BY position LIMIT $3) s) r) c
            WHERE bytes < $4 ORDER BY place, position""".formatted(BYTES_BEFORE.formatted("place, position"));

    /** Writes the row of the projection, so that a claim and a pause wait for each other. */
    static final String CLAIM = """
            WITH state AS (
              INSERT INTO shardbus_projection AS p (projection, paused) VALUES ($1, false)
              ON CONFLICT (projection) DO UPDATE SET paused = p.paused RETURNING p.paused)
            INSERT INTO shardbus_offset AS o (projection, log, position, term, incarnation, sequence)
            SELECT $1, log, 0, $3, $4, $5 FROM unnest($2::int[]) AS log, state WHERE NOT state.paused ORDER BY log
            ON CONFLICT (projection, log) DO UPDATE SET term = excluded.term, incarnation = excluded.incarnation,
                sequence = excluded.sequence
                WHERE (o.term, o.incarnation, o.sequence) <= (excluded.term, excluded.incarnation, excluded.sequence)
            RETURNING log, position""";

    static final String MOVE = """
            UPDATE shardbus_offset SET position = $4, term = $5, incarnation = $6, sequence = $7
            WHERE projection = $1 AND log = $2 AND position = $3 AND (term, incarnation, sequence) <= ($5, $6, $7)""";

    /** {@link #MOVE} for several logs in one transaction; rows are locked in the order of their logs. */
    static final String MOVE_ALL = """
            UPDATE shardbus_offset o SET position = w.after, term = $5, incarnation = $6, sequence = $7
            FROM (SELECT w.* FROM unnest($2::int[], $3::bigint[], $4::bigint[]) AS w(log, before, after)
                JOIN shardbus_offset locked ON locked.projection = $1 AND locked.log = w.log
                ORDER BY w.log FOR NO KEY UPDATE OF locked) w
            WHERE o.projection = $1 AND o.log = w.log AND o.position = w.before
                AND (o.term, o.incarnation, o.sequence) <= ($5, $6, $7)
            RETURNING o.log""";

    static final String RESET = """
            WITH state AS (SELECT projection FROM shardbus_projection WHERE projection = $1 AND paused FOR UPDATE),
            forgotten AS (DELETE FROM shardbus_parked WHERE projection = $1 AND EXISTS (SELECT FROM state)),
            reset AS (DELETE FROM shardbus_offset WHERE projection = $1 AND EXISTS (SELECT FROM state))
            SELECT count(*) FROM state""";

    private Sql() {}
}
