/**
 * A region of one type on one node: registers with the coordinator, keeps its lease, knows its shards.
 *
 * <p>Not allowed in: messages to entities.
 */
@NullMarked
package io.shardbus.core.region;

import org.jspecify.annotations.NullMarked;
