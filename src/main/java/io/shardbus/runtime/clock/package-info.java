/**
 * The clock of a node: elapsed time, from the boot of the machine where the system tells it.
 *
 * <p>Not allowed in: anything else. All other packages are given their time.
 */
@NullMarked
package io.shardbus.runtime.clock;

import org.jspecify.annotations.NullMarked;
