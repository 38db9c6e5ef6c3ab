package io.shardbus.reminder;

import java.time.Instant;

/**
 * A reminder of an entity that has not been delivered.
 *
 * @param at when it is due; after a failed delivery the time of the next try
 */
public record SetReminder(String name, Instant at) {}
