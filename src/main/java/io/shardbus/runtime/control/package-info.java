/**
 * The coordinator verticle: carries out what {@code core.control} and {@code core.coordinator} decide.
 *
 * <p>Not allowed in: decisions.
 */
@NullMarked
package io.shardbus.runtime.control;

import org.jspecify.annotations.NullMarked;
