/**
 * A store of persistent entities in one file, by SQLite and its JDBC driver {@code org.xerial:sqlite-jdbc}, which an
 * application brings. The only user of {@code java.sql}.
 *
 * <p>One thread writes, and stores all calls that wait in one transaction; two threads read. Several processes of one
 * machine may share the file: {@code BEGIN IMMEDIATE} gives one of them the right to write, and the fences are compared
 * inside that transaction. No event loop waits for the file.
 *
 * <p>Not allowed in: group commit of a lane, recovery and deduplication, which are above {@code persistence.spi}.
 */
@NullMarked
package io.shardbus.store.sqlite;

import org.jspecify.annotations.NullMarked;
