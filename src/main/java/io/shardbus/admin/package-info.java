/**
 * What operators see and do over HTTP: JSON about the cluster, its types, shards and entities; health; drain and
 * rebalance.
 */
@NullMarked
package io.shardbus.admin;

import org.jspecify.annotations.NullMarked;
