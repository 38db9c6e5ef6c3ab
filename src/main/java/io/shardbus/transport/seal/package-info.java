/**
 * The secret of a cluster, and messages between nodes that are sealed with it: without it none can be made or repeated.
 */
@NullMarked
package io.shardbus.transport.seal;

import org.jspecify.annotations.NullMarked;
