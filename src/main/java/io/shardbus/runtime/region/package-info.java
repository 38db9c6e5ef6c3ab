/**
 * Region and lane verticles: carry out what {@code core.region}, {@code core.routing} and {@code core.hosting} decide.
 *
 * <p>Not allowed in: decisions.
 */
@NullMarked
package io.shardbus.runtime.region;

import org.jspecify.annotations.NullMarked;
