/**
 * Entities with the code of users: calls on the event loop or on threads, contexts, timers, failures.
 *
 * <p>Not allowed in: regions; an entity knows its own as {@link EntityRegion} and its lane as {@link EntityLane}.
 */
@NullMarked
package io.shardbus.runtime.entity;

import org.jspecify.annotations.NullMarked;
