/**
 * Messages between data centers: each data center is a cluster of its own, and its nodes send messages to entities of
 * another one over links.
 *
 * <p>Not allowed in: membership and the election of the coordinator. A link carries only messages for entities and
 * their answers, so a cut of it changes nothing within a data center.
 */
@NullMarked
package io.shardbus.datacenter;

import org.jspecify.annotations.NullMarked;
