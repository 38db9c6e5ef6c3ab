/**
 * A node put together: start, queries across the cluster, shutdown.
 *
 * <p>Not allowed in: the parts themselves.
 */
@NullMarked
package io.shardbus.runtime.node;

import org.jspecify.annotations.NullMarked;
