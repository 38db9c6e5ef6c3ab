/**
 * Meters for Micrometer, read from what the node counts anyway. The library is optional: without it nothing here is
 * loaded.
 *
 * <p>Not allowed in: anything that a message waits for.
 */
@NullMarked
package io.shardbus.metrics;

import org.jspecify.annotations.NullMarked;
