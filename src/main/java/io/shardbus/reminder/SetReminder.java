package io.shardbus.reminder;

import java.time.Instant;

/**
 * A reminder of an entity that has not been delivered.
 *
 * @param at when it is due; later than it was set to where a delivery has failed
 */
public record SetReminder(String name, Instant at) {}
