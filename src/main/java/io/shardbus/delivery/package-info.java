/**
 * Commands that are sent again until they are confirmed, and take effect once: persistent entities store the id or
 * number of a command together with its effect.
 */
@NullMarked
package io.shardbus.delivery;

import org.jspecify.annotations.NullMarked;
