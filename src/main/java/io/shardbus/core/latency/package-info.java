/**
 * How long asks, handling and waiting take on one lane: recorders with one writer and bounded memory, and what they
 * say of the last minute, quarter of an hour and hour.
 *
 * <p>Not allowed in: clocks. Callers give durations and moments.
 */
@NullMarked
package io.shardbus.core.latency;

import org.jspecify.annotations.NullMarked;
