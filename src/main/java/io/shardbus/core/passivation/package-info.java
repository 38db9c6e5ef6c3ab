/**
 * Passivation of the entities of a shard: policies that see every message and select victims.
 *
 * <p>Not allowed in: entities and their messages, which a policy sees as a {@link PassivationNode} alone. No other
 * package of Shardbus is used here.
 */
@NullMarked
package io.shardbus.core.passivation;

import org.jspecify.annotations.NullMarked;
