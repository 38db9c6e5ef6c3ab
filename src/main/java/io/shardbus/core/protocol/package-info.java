/** The messages between nodes and the records that they agree on. */
@NullMarked
package io.shardbus.core.protocol;

import org.jspecify.annotations.NullMarked;
