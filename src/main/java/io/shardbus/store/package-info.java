/** Implementations of the state store, which holds what nodes agree on. */
@NullMarked
package io.shardbus.store;

import org.jspecify.annotations.NullMarked;
