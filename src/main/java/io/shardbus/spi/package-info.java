/**
 * The ports that a user may replace.
 *
 * <p>Not allowed in: any other package of Shardbus but {@code model}.
 */
@NullMarked
package io.shardbus.spi;

import org.jspecify.annotations.NullMarked;
