/** Passivation of the entities of a shard: policies that see every message and select victims. */
@NullMarked
package io.shardbus.core.passivation;

import org.jspecify.annotations.NullMarked;
