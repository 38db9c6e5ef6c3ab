/**
 * Operator's view of the cluster over HTTP: JSON about the cluster, its types, shards and entities; health; drain
 * and rebalance.
 */
@NullMarked
package io.shardbus.admin;

import org.jspecify.annotations.NullMarked;
