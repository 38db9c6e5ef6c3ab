/** Rate limits of log lines. */
@NullMarked
package io.shardbus.logging;

import org.jspecify.annotations.NullMarked;
