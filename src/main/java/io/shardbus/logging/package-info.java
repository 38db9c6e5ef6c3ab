/**
 * Rate limits and levels of log lines.
 *
 * <p>Not allowed in: any other package of Shardbus.
 */
@NullMarked
package io.shardbus.logging;

import org.jspecify.annotations.NullMarked;
