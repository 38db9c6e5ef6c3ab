/**
 * Projections: views that follow the stored events of a type. The workers of a {@link
 * io.shardbus.daemon.ShardedDaemonProcess} share the logs of the type, read each log in order, and store its offset.
 */
@NullMarked
package io.shardbus.projection;

import org.jspecify.annotations.NullMarked;
