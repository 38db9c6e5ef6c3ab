/**
 * Messages and states as bytes: records to JSON and back, classes by name of the type.
 *
 * <p>Not allowed in: frames; those are in {@code transport}.
 */
@NullMarked
package io.shardbus.codec;

import org.jspecify.annotations.NullMarked;
