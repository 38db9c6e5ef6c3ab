/** Which entities of a shard are put away, and when: policies that hear of every message and name victims. */
@NullMarked
package io.shardbus.core.passivation;

import org.jspecify.annotations.NullMarked;
