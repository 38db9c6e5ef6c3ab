/**
 * Several data centers: each is a cluster of its own, and nodes pass messages on to entities of another one over a
 * link.
 *
 * <p>Not allowed in: anything about who is a member or who coordinates. A link carries messages for entities, nothing
 * else, so that a cut of it changes nothing within a data center.
 */
@NullMarked
package io.shardbus.datacenter;

import org.jspecify.annotations.NullMarked;
