/**
 * Extensions of JGroups protocols that notice lost members sooner, and avoid known deadlocks and busy loops.
 *
 * <p>Not allowed in: Infinispan and Vert.x; the classes are protocols and sockets of JGroups.
 */
@NullMarked
package io.shardbus.membership.detection;

import org.jspecify.annotations.NullMarked;
