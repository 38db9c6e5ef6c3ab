/**
 * Membership of the cluster: the cluster manager, the views, the nodes' attributes, the seats, and whether this side of
 * a split may act.
 *
 * <p>Not allowed in: regions, and messages between nodes. Infinispan is used only here and in {@code store.infinispan}.
 */
@NullMarked
package io.shardbus.membership;

import org.jspecify.annotations.NullMarked;
