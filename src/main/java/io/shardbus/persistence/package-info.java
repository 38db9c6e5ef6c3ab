/**
 * Persistent entities: event-sourced ones, and ones with a durable state.
 *
 * <p>The events or the state of a command are stored before the command is answered, and only by the present home of
 * the entity's shard.
 */
@NullMarked
package io.shardbus.persistence;

import org.jspecify.annotations.NullMarked;
