/**
 * Writes of a lane to the logs of its shards: which commits go together, in which order they take effect, and what
 * became of those whose answer was lost.
 *
 * <p>Not allowed in: stores and clocks. {@code runtime.persistence} calls the store, and gives moments and outcomes.
 */
@NullMarked
package io.shardbus.core.persistence;

import org.jspecify.annotations.NullMarked;
