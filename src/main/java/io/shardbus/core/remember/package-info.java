/**
 * Entities that live without being asked: what a shard remembers of its ids, see docs/guides/remembered-entities.md.
 */
@NullMarked
package io.shardbus.core.remember;

import org.jspecify.annotations.NullMarked;
