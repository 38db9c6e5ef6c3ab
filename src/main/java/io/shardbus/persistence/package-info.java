/**
 * Persistent entities: event-sourced ones, and ones with a durable state.
 *
 * <p>The events or the state of a command are stored before the command is answered, and only by the present home of
 * the entity's shard.
 *
 * <p>Not allowed in: the implementation, which is in {@code core.persistence}, {@code runtime.persistence} and the
 * packages below {@code store}.
 */
@NullMarked
package io.shardbus.persistence;

import org.jspecify.annotations.NullMarked;
