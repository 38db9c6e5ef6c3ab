/**
 * Operator's view of the cluster over HTTP: JSON about the cluster, its types, shards and entities; health; drain
 * and rebalance.
 *
 * <p>Not allowed in: the state of regions and coordinators; what is shown is read through the public API. {@code
 * io.vertx.ext.web} is used only here and in {@code launcher}.
 */
@NullMarked
package io.shardbus.admin;

import org.jspecify.annotations.NullMarked;
