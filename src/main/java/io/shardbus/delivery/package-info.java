/**
 * Commands that are sent again until they are confirmed, and take effect once: persistent entities store the id or
 * number of a command together with its effect.
 *
 * <p>Not allowed in: the deduplication at the entity, which {@code core.persistence} and {@code runtime.persistence}
 * do.
 */
@NullMarked
package io.shardbus.delivery;

import org.jspecify.annotations.NullMarked;
