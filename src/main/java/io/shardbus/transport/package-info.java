/**
 * Everything between nodes: control messages, frames of entity messages, queries. The only user of the event bus.
 *
 * <p>Not allowed in: routing, regions and entities; it carries the messages of {@code core.protocol}.
 */
@NullMarked
package io.shardbus.transport;

import org.jspecify.annotations.NullMarked;
