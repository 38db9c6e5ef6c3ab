/** Shards that get homes and leave them: strategies, handoffs, states that travel, drains, restarts of regions. */
package io.shardbus.integration.moves;
