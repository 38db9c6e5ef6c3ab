/**
 * Placement of shards: pure functions from a snapshot of the homes to a placement, or to the shards that should move.
 */
package io.shardbus.core.allocation;
