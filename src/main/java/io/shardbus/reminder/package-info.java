/**
 * Reminders: messages that persistent entities have set for a time, and the workers that deliver them. Reminders are in
 * the store only: no timer runs for each, a worker reads the first ones when the first is due, at least every 500 ms.
 *
 * <p>Not allowed in: the delivery of a reminder to its entity, which {@code runtime.reminder} does for the test kit,
 * too.
 */
@NullMarked
package io.shardbus.reminder;

import org.jspecify.annotations.NullMarked;
