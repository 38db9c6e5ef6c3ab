/** What nodes agree on and keep: implementations of the state store. */
@NullMarked
package io.shardbus.store;

import org.jspecify.annotations.NullMarked;
