/** Reachability of another data center, and when to connect to it. Pure. */
@NullMarked
package io.shardbus.core.datacenter;

import org.jspecify.annotations.NullMarked;
