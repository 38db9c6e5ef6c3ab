/**
 * Projections: views that follow the stored events of a type. Workers of a {@link
 * io.shardbus.daemon.ShardedDaemonProcess} share the logs, read them in order, and store the offset of each.
 */
@NullMarked
package io.shardbus.projection;

import org.jspecify.annotations.NullMarked;
