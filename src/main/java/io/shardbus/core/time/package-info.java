/**
 * Elapsed time from clocks that stand still, drift and are set.
 *
 * <p>Not allowed in: reading a clock, which {@code runtime.clock} does.
 */
@NullMarked
package io.shardbus.core.time;

import org.jspecify.annotations.NullMarked;
