/**
 * The events that a node records for operators: bounded, in memory.
 *
 * <p>Not allowed in: Vert.x, and other nodes.
 */
@NullMarked
package io.shardbus.runtime.events;

import org.jspecify.annotations.NullMarked;
