package io.shardbus.runtime.tracing;

import io.shardbus.model.FailureCode;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.spi.tracing.TagExtractor;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The span of an entity that handles one message, and the context in which the entity's code runs meanwhile. */
public final class TracedTurn {
    private final VertxTracer<Object, Object> tracer;
    private final ContextInternal context;
    private final Object span;
    private final AtomicBoolean ended = new AtomicBoolean();

    TracedTurn(VertxTracer<Object, Object> tracer, ContextInternal context, Object span) {
        this.tracer = tracer;
        this.context = context;
        this.span = span;
    }

    /** Runs code on the lane's thread in the context of the turn, which blocking code that it orders has, too. */
    public <T> @Nullable T within(Callable<@Nullable T> code) throws Exception {
        ContextInternal before = context.beginDispatch();
        try {
            return code.call();
        } finally {
            context.endDispatch(before);
        }
    }

    /** The same for code without a result and without checked exceptions. */
    public void dispatch(Runnable code) {
        ContextInternal before = context.beginDispatch();
        try {
            code.run();
        } finally {
            context.endDispatch(before);
        }
    }

    /** The handling's code, with which the span ends, on the thread that the code has. */
    public Callable<Future<?>> watched(Callable<Future<?>> code, Function<Throwable, FailureCode> codes) {
        return () -> {
            try {
                return watch(code.call(), codes);
            } catch (Exception | Error e) {
                end(e, codes);
                throw e;
            }
        };
    }

    /** Ends the span when the future completes, also if its entity is gone by then; null for a future that is. */
    private @Nullable Future<?> watch(@Nullable Future<?> future, Function<Throwable, FailureCode> codes) {
        if (future == null || future.isComplete()) {
            end(future == null ? null : future.cause(), codes);
        } else {
            future.onComplete(result -> end(result.cause(), codes));
        }
        return future;
    }

    /** Ends the span, unless it has ended. */
    public void end(@Nullable Throwable failure, Function<Throwable, FailureCode> codes) {
        if (ended.compareAndSet(false, true)) {
            if (failure == null) {
                tracer.sendResponse(context, null, span, null, TagExtractor.empty());
            } else {
                tracer.sendResponse(context, new EndedSpan(codes.apply(failure)), span, failure, EndedSpan.TAGS);
            }
        }
    }
}
