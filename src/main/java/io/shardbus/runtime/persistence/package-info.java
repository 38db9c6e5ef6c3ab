/** Persistent entities as plain ones: an entity of the library calls the user's, and stores what follows. */
@NullMarked
package io.shardbus.runtime.persistence;

import org.jspecify.annotations.NullMarked;
