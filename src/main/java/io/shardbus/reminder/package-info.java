/**
 * Reminders: messages that persistent entities have set for a time, and the workers that deliver them. Reminders are in
 * the store; a worker has one timer, for the first one that is due.
 */
@NullMarked
package io.shardbus.reminder;

import org.jspecify.annotations.NullMarked;
