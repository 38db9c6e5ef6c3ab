/**
 * Latencies of asks, handling and waiting on one lane: recorders with one writer and bounded memory, and their
 * summaries of the last minute, quarter of an hour and hour.
 *
 * <p>Not allowed in: clocks. Callers give durations and moments.
 */
@NullMarked
package io.shardbus.core.latency;

import org.jspecify.annotations.NullMarked;
