/**
 * The secret of a cluster, and messages between nodes that are sealed with it: without it none can be made or repeated.
 *
 * <p>Not allowed in: connections, and the content of messages; callers give bytes.
 */
@NullMarked
package io.shardbus.transport.seal;

import org.jspecify.annotations.NullMarked;
