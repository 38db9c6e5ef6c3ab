/**
 * Reminders: messages that persistent entities have set for a time, and the workers that deliver them. What is due is
 * in the store; a worker has one timer, for the first of them.
 */
@NullMarked
package io.shardbus.reminder;

import org.jspecify.annotations.NullMarked;
