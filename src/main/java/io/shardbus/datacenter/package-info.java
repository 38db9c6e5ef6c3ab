/**
 * Several data centers: each is a cluster of its own, and nodes send messages to entities of another one over a link.
 *
 * <p>Not allowed in: membership and the election of the coordinator. A link carries only messages for entities, so that
 * a cut of it changes nothing within a data center.
 */
@NullMarked
package io.shardbus.datacenter;

import org.jspecify.annotations.NullMarked;
