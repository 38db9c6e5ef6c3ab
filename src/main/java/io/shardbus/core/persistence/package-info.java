/**
 * Writes of a lane to the logs of its shards: which commits go together, in which order they take effect, and what
 * became of those whose answer was lost.
 */
@NullMarked
package io.shardbus.core.persistence;

import org.jspecify.annotations.NullMarked;
