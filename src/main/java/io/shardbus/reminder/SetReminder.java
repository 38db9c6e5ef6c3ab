package io.shardbus.reminder;

import java.time.Instant;

/**
 * A reminder of an entity that is not done.
 *
 * @param name by which the entity set it
 * @param at when it is due; after a failed delivery the time of the next attempt
 */
public record SetReminder(String name, Instant at) {}
