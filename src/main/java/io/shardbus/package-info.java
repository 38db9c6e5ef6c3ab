/**
 * The public face: start sharding on a Vertx, define entity types, send to entities.
 *
 * <p>Not allowed in: the implementation. It uses {@code model}, {@code options} and {@code spi} alone; the rest of the
 * library is found through {@link io.shardbus.ShardingProvider}.
 */
@NullMarked
package io.shardbus;

import org.jspecify.annotations.NullMarked;
