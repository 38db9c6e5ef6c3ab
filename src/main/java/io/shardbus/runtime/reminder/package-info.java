/**
 * Delivery of due reminders to their entities, on a node and in the test kit.
 *
 * <p>Not allowed in: workers and timers; {@code reminder} and the test kit say when to deliver.
 */
@NullMarked
package io.shardbus.runtime.reminder;

import org.jspecify.annotations.NullMarked;
