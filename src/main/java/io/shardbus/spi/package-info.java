/**
 * The ports that a user may replace.
 *
 * <p>Not allowed in: uses of any other package of Shardbus than {@code model}.
 */
@NullMarked
package io.shardbus.spi;

import org.jspecify.annotations.NullMarked;
