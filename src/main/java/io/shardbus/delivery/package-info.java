/**
 * Commands that arrive at least once and take effect once: senders repeat them, and persistent entities remember them
 * with their effect.
 */
@NullMarked
package io.shardbus.delivery;

import org.jspecify.annotations.NullMarked;
