/**
 * Implementations of the state store, which holds what nodes agree on.
 *
 * <p>Not allowed in: the library of a store; Infinispan, PostgreSQL and SQLite have a package each below this one.
 */
@NullMarked
package io.shardbus.store;

import org.jspecify.annotations.NullMarked;
