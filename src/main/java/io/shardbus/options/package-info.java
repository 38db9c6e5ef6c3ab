/**
 * Every type of options, and the tables of their keys: names, ranges, JSON, equality.
 *
 * <p>Not allowed in: code that acts on an option.
 */
@NullMarked
package io.shardbus.options;

import org.jspecify.annotations.NullMarked;
