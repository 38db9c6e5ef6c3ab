/**
 * Spans of messages through the tracer of Vert.x: one where a message is sent, one where its entity handles it. Without
 * a tracer no object of this package exists.
 *
 * <p>Not allowed in: a library of tracing; {@link io.vertx.core.spi.tracing.VertxTracer} is the only way out.
 */
@NullMarked
package io.shardbus.runtime.tracing;

import org.jspecify.annotations.NullMarked;
