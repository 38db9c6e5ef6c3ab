/** Elapsed time from clocks that stand still, drift and are set. Pure: clocks are read elsewhere. */
@NullMarked
package io.shardbus.core.time;

import org.jspecify.annotations.NullMarked;
