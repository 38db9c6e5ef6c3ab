/**
 * Connections from lane to lane on the lanes' own event loops, for frames that would go over the event bus otherwise.
 *
 * <p>Not allowed in: the event bus, and the content of frames.
 */
@NullMarked
package io.shardbus.transport.direct;

import org.jspecify.annotations.NullMarked;
