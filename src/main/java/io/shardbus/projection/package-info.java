/**
 * Projections: views that follow the stored events of a type. The workers of a {@link
 * io.shardbus.daemon.ShardedDaemonProcess} share the logs of the type, read each log in order, and store its offset.
 *
 * <p>Not allowed in: writes to logs; a projection reads them, and writes its offsets.
 */
@NullMarked
package io.shardbus.projection;

import org.jspecify.annotations.NullMarked;
