/**
 * Reachability of another data center, and when to connect to it. Pure.
 *
 * <p>Not allowed in: clocks and connections, which {@code datacenter} has. Of Shardbus only {@code model} is used
 * here.
 */
@NullMarked
package io.shardbus.core.datacenter;

import org.jspecify.annotations.NullMarked;
