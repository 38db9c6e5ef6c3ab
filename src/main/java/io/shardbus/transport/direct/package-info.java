/**
 * Connections from lane to lane on the lanes' own event loops, for frames that would go over the event bus otherwise.
 */
@NullMarked
package io.shardbus.transport.direct;

import org.jspecify.annotations.NullMarked;
