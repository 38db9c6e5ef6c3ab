/**
 * Meters for Micrometer, read from counters that the node has anyway. The library is optional: without it no class of
 * this package is loaded.
 *
 * <p>Not allowed in: code that runs while a message waits.
 */
@NullMarked
package io.shardbus.metrics;

import org.jspecify.annotations.NullMarked;
