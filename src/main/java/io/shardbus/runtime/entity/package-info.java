/**
 * Entities with the code of users: calls on the event loop or on threads, contexts, timers, failures.
 *
 * <pre>
 * EntityHost      all entities of a type on this node
 * EntityPlace     those of one shard: UserCalls, Handling of a message, MessageTimes
 * LiveEntity      one: its instance, and what it has from its first need on:
 *                 OwnTimes, EntityStateTransfer, Supervision, Inspection
 * </pre>
 *
 * <p>Not allowed in: regions; an entity knows its own as {@link EntityRegion} and its lane as {@link EntityLane}.
 */
@NullMarked
package io.shardbus.runtime.entity;

import org.jspecify.annotations.NullMarked;
