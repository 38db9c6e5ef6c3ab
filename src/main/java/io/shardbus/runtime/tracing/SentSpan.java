package io.shardbus.runtime.tracing;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.FailureCode;
import io.vertx.core.Context;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import org.jspecify.annotations.Nullable;

/**
 * The span of a message that was sent: of an ask until its answer, of a tell until it is on its lane.
 *
 * @param span as the tracer knows it
 * @param headers what travels beside the message
 */
public record SentSpan(VertxTracer<Object, Object> tracer, Context sender, Object span, ItemHeaders headers) {
    /** The message was sent, or the answer came. */
    public void succeeded() {
        tracer.receiveResponse(sender, null, span, null, TagExtractor.empty());
    }

    /** The message failed. */
    public void failed(Throwable failure) {
        FailureCode code = failure instanceof ShardingException known ? known.code() : null;
        end(code, failure);
    }

    private void end(@Nullable FailureCode code, Throwable failure) {
        EndedSpan end = code == null ? null : new EndedSpan(code);
        tracer.receiveResponse(sender, end, span, failure, EndedSpan.TAGS);
    }
}
