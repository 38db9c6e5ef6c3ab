/** Delivery of due reminders to their entities, on a node and in the test kit. */
@NullMarked
package io.shardbus.runtime.reminder;

import org.jspecify.annotations.NullMarked;
