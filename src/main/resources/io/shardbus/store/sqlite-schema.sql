-- The tables of a store of persistent entities in one file, version 1. Statements end with a line that is ";" alone.
-- One row: which store this is.
CREATE TABLE IF NOT EXISTS shardbus_store (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    id TEXT NOT NULL,
    version INTEGER NOT NULL) STRICT
;
-- An entity type, and how its ids become shards now; layout counts the changes of that, opened is the newest in use.
CREATE TABLE IF NOT EXISTS shardbus_type (
    type INTEGER PRIMARY KEY,
    name TEXT UNIQUE NOT NULL,
    model TEXT NOT NULL,
    layout INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    shards INTEGER NOT NULL,
    addressing TEXT NOT NULL) STRICT
;
-- A log: all that one shard of a layout stores. The token and the opening are the fence.
CREATE TABLE IF NOT EXISTS shardbus_log (
    log INTEGER PRIMARY KEY,
    type INTEGER NOT NULL,
    layout INTEGER NOT NULL,
    shard INTEGER NOT NULL,
    term INTEGER NOT NULL,
    incarnation INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    opening INTEGER NOT NULL,
    sealed INTEGER NOT NULL,
    UNIQUE (type, layout, shard)) STRICT
;
-- An event: seq counts those of its entity, position those of its log. A null payload is a tombstone.
CREATE TABLE IF NOT EXISTS shardbus_event (
    type INTEGER NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    log INTEGER NOT NULL,
    position INTEGER NOT NULL,
    written INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    format INTEGER NOT NULL,
    payload BLOB,
    meta BLOB,
    tags TEXT,
    PRIMARY KEY (type, id, seq)) STRICT, WITHOUT ROWID
;
CREATE UNIQUE INDEX IF NOT EXISTS shardbus_event_log ON shardbus_event (log, position)
;
CREATE TABLE IF NOT EXISTS shardbus_snapshot (
    type INTEGER NOT NULL,
    id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    version INTEGER NOT NULL,
    format INTEGER NOT NULL,
    payload BLOB NOT NULL,
    dedup BLOB,
    PRIMARY KEY (type, id)) STRICT
;
-- The whole state of a durable-state entity. Its position moves with each write.
CREATE TABLE IF NOT EXISTS shardbus_state (
    type INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    log INTEGER NOT NULL,
    position INTEGER NOT NULL,
    written INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    version INTEGER NOT NULL,
    format INTEGER NOT NULL,
    payload BLOB,
    dedup BLOB,
    PRIMARY KEY (type, id)) STRICT
;
CREATE UNIQUE INDEX IF NOT EXISTS shardbus_state_log ON shardbus_state (log, position)
;
-- How far a projection has come in a log; the token is that of its worker.
CREATE TABLE IF NOT EXISTS shardbus_offset (
    projection TEXT NOT NULL,
    log INTEGER NOT NULL,
    position INTEGER NOT NULL,
    term INTEGER NOT NULL,
    incarnation INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (projection, log)) STRICT
;
-- An operator's order to a projection, by its name.
CREATE TABLE IF NOT EXISTS shardbus_projection (
    projection TEXT PRIMARY KEY,
    paused INTEGER NOT NULL) STRICT
;
-- Events that a projection or a reaction could not take, with the reason.
CREATE TABLE IF NOT EXISTS shardbus_parked (
    projection TEXT NOT NULL,
    log INTEGER NOT NULL,
    position INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000 AS INTEGER)),
    PRIMARY KEY (projection, log, position)) STRICT
;
-- A message that wakes its entity at a time, in milliseconds since 1970; part is by the hash of the id.
CREATE TABLE IF NOT EXISTS shardbus_reminder (
    type INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    part INTEGER NOT NULL,
    number INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL,
    payload BLOB NOT NULL,
    PRIMARY KEY (type, id, name)) STRICT
;
CREATE INDEX IF NOT EXISTS shardbus_reminder_due ON shardbus_reminder (type, due, part)
;
