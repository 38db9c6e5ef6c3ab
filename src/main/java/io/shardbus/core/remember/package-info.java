/**
 * Entities that live without being asked: what a shard remembers of its ids, see docs/guides/remembered-entities.md.
 *
 * <p>Not allowed in: the store of the ids, which a {@link RememberPort} reads and writes.
 */
@NullMarked
package io.shardbus.core.remember;

import org.jspecify.annotations.NullMarked;
