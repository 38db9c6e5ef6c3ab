/**
 * Coordination of the shards of one type: allocation, handoffs, moves, registrations of regions, leases granted
 * to them.
 *
 * <p>Not allowed in: the election of the coordinator ({@code core.control}), regions, messages on their way.
 */
@NullMarked
package io.shardbus.core.coordinator;

import org.jspecify.annotations.NullMarked;
