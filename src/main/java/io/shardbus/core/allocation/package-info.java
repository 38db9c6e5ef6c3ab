/**
 * Placement of shards: pure functions from a snapshot of the homes to a placement, or to the shards that should move.
 *
 * <p>Not allowed in: the coordinator's state; a rule sees a snapshot. Of Shardbus only {@code model} is used here.
 */
@NullMarked
package io.shardbus.core.allocation;

import org.jspecify.annotations.NullMarked;
