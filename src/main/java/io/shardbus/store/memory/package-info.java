/** The store of persistent entities in the memory of one process: for tests and the simulator. */
@NullMarked
package io.shardbus.store.memory;

import org.jspecify.annotations.NullMarked;
