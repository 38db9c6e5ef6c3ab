/**
 * Entities whose state lasts: event-sourced ones, and ones with a durable state.
 *
 * <p>An answered command of a persistent entity is stored, once; a home that lost its shard stores nothing.
 */
@NullMarked
package io.shardbus.persistence;

import org.jspecify.annotations.NullMarked;
