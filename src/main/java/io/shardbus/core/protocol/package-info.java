/**
 * The messages between nodes and the records that they agree on.
 *
 * <p>Not allowed in: decisions, and any other package of Shardbus but {@code model}.
 */
@NullMarked
package io.shardbus.core.protocol;

import org.jspecify.annotations.NullMarked;
