/**
 * Persistent entities as plain ones: an entity of the library calls the user's, and stores what follows.
 *
 * <p>Not allowed in: decisions about commits, which {@code core.persistence} makes, and the library of a store, which
 * is behind {@code persistence.spi}.
 */
@NullMarked
package io.shardbus.runtime.persistence;

import org.jspecify.annotations.NullMarked;
