-- The tables of a store of persistent entities, version 1. Statements end with a line that is ";" alone.
-- One row: which store this is.
CREATE TABLE IF NOT EXISTS shardbus_store (
    one boolean PRIMARY KEY CHECK (one),
    id uuid NOT NULL,
    version int NOT NULL)
;
-- An entity type, and how its ids become shards now; layout counts the changes of that, opened is the newest in use.
CREATE TABLE IF NOT EXISTS shardbus_type (
    type int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" UNIQUE NOT NULL,
    model text NOT NULL,
    layout int NOT NULL,
    opened int NOT NULL,
    shards int NOT NULL,
    addressing text NOT NULL)
;
-- A log: all that one shard of a layout stores. The token and the opening are the fence.
CREATE TABLE IF NOT EXISTS shardbus_log (
    log int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    type int NOT NULL,
    layout int NOT NULL,
    shard int NOT NULL,
    term bigint NOT NULL,
    incarnation bigint NOT NULL,
    sequence bigint NOT NULL,
    opening bigint NOT NULL,
    sealed boolean NOT NULL,
    UNIQUE (type, layout, shard)) WITH (fillfactor = 50)
;
-- An event: seq counts those of its entity, position those of its log. A null payload is a tombstone.
CREATE TABLE IF NOT EXISTS shardbus_event (
    type int NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    log int NOT NULL,
    position bigint NOT NULL,
    written timestamptz NOT NULL DEFAULT clock_timestamp(),
    name text COLLATE "C" NOT NULL,
    version int NOT NULL,
    format int NOT NULL,
    payload bytea,
    meta bytea,
    tags text[],
    PRIMARY KEY (type, id, seq))
;
CREATE UNIQUE INDEX IF NOT EXISTS shardbus_event_log ON shardbus_event (log, position)
;
CREATE TABLE IF NOT EXISTS shardbus_snapshot (
    type int NOT NULL,
    id text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    version int NOT NULL,
    format int NOT NULL,
    payload bytea NOT NULL,
    dedup bytea,
    PRIMARY KEY (type, id))
;
-- The whole state of a durable-state entity. Its position moves with each write.
CREATE TABLE IF NOT EXISTS shardbus_state (
    type int NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    log int NOT NULL,
    position bigint NOT NULL,
    written timestamptz NOT NULL DEFAULT clock_timestamp(),
    version int NOT NULL,
    format int NOT NULL,
    payload bytea,
    dedup bytea,
    PRIMARY KEY (type, id)) WITH (fillfactor = 70)
;
CREATE UNIQUE INDEX IF NOT EXISTS shardbus_state_log ON shardbus_state (log, position)
;
-- How far a projection has come in a log; the token is that of its worker.
CREATE TABLE IF NOT EXISTS shardbus_offset (
    projection text NOT NULL,
    log int NOT NULL,
    position bigint NOT NULL,
    term bigint NOT NULL,
    incarnation bigint NOT NULL,
    sequence bigint NOT NULL,
    PRIMARY KEY (projection, log)) WITH (fillfactor = 50)
;
-- An operator's order to a projection, by its name.
CREATE TABLE IF NOT EXISTS shardbus_projection (
    projection text PRIMARY KEY,
    paused boolean NOT NULL)
;
-- Events that a projection or a reaction could not take, with the reason.
CREATE TABLE IF NOT EXISTS shardbus_parked (
    projection text NOT NULL,
    log int NOT NULL,
    position bigint NOT NULL,
    reason text NOT NULL,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (projection, log, position))
;
-- A message that wakes its entity at a time, in milliseconds since 1970; part is by the hash of the id.
CREATE TABLE IF NOT EXISTS shardbus_reminder (
    type int NOT NULL,
    id text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    part int NOT NULL,
    number bigint NOT NULL DEFAULT 0,
    due bigint NOT NULL,
    payload bytea NOT NULL,
    PRIMARY KEY (type, id, name))
;
CREATE INDEX IF NOT EXISTS shardbus_reminder_due ON shardbus_reminder (type, due, part)
;
