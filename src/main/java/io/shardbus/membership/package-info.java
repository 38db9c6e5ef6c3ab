/** Membership of the cluster, eligibility for coordinator, and whether this side of the cluster may act. */
@NullMarked
package io.shardbus.membership;

import org.jspecify.annotations.NullMarked;
