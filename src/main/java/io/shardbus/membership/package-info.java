/**
 * Membership of the cluster, eligibility for coordinator, and whether this side of the cluster may act.
 *
 * <p>Not allowed in: regions, and messages between nodes. Infinispan is used only here and in {@code store.infinispan}.
 */
@NullMarked
package io.shardbus.membership;

import org.jspecify.annotations.NullMarked;
