/**
 * The store of persistent entities in the memory of one process: for tests and the simulator.
 *
 * <p>Not allowed in: threads, clocks and files.
 */
@NullMarked
package io.shardbus.store.memory;

import org.jspecify.annotations.NullMarked;
