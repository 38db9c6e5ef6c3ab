/** The ports that a user may replace. */
@NullMarked
package io.shardbus.spi;

import org.jspecify.annotations.NullMarked;
