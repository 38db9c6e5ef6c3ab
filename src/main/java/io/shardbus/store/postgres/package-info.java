/**
 * A store of persistent entities in PostgreSQL, by {@code vertx-pg-client}, which an application brings. The only user
 * of {@code io.vertx.pgclient} and {@code io.vertx.sqlclient}.
 *
 * <p>Each lane has a connection on its own event loop, and sends statements without waiting for the answers of those
 * before. Each statement is a transaction of its own, with the fence in its condition.
 *
 * <p>Not allowed in: group commit, recovery and deduplication, which are above {@code persistence.spi}.
 */
@NullMarked
package io.shardbus.store.postgres;

import org.jspecify.annotations.NullMarked;
