/**
 * The shards at home on a lane: their entities, their stop, their handoff.
 *
 * <pre>
 *  HostedShards --> HostedShard --> EntityCell (core.entity)
 *                       +--> RememberedShard, StateTransfers, ShardPassivation
 * </pre>
 *
 * <p>Not allowed in: routes and channels; a hosted shard knows its lane as {@link HostingLane}.
 */
@NullMarked
package io.shardbus.core.hosting;

import org.jspecify.annotations.NullMarked;
