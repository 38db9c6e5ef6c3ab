package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.StartEntity;
import io.shardbus.core.latency.LaneLatency;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.core.routing.Lane;
import io.shardbus.core.routing.PendingAsk;
import io.shardbus.model.FailureCode;
import io.shardbus.model.LatencyReport.Outcome;
import io.shardbus.runtime.entity.LaneTask;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.PromiseInternal;
import org.jspecify.annotations.Nullable;

/** An ask, from its sender to its lane, where it waits for its answer. */
final class FutureAsk extends PendingAsk implements LaneTask, LaneLatency.Asked {
    /** The readings of {@link LaneQueue#micros} come again after 71 minutes. */
    private static final long LONGEST_EXACT = 3_600_000;

    /**
     * The message and where it goes.
     *
     * @param from when it was asked, as {@link LaneQueue#micros} says; 0 if its time is not measured
     * @param ofHandler whether a handler of {@link OutsideCallers} asks
     */
    record Question(
            int shard,
            String entityId,
            Object payload,
            ItemHeaders headers,
            int from,
            boolean ofHandler,
            Origin origin) {}

    private final Question question;
    private final Promise<Object> promise;
    private final LaneQueue lane;
    private final int timeout;
    /** The ask that ended on its lane before this one; see {@link CallerAnswers}. */
    @Nullable
    FutureAsk before;

    /** Whether a worker thread is about to fail it; set on the thread that looks after blocked lanes. */
    private volatile boolean expiring;

    private @Nullable Object value;
    private @Nullable Failure failure;

    /**
     * @param timeout for how many milliseconds from now it waits
     * @param lane the one that this ask goes to
     */
    FutureAsk(Question question, Promise<Object> promise, long now, long timeout, LaneQueue lane) {
        super(now + timeout);
        this.question = question;
        this.promise = promise;
        this.timeout = (int) timeout;
        this.lane = lane;
    }

    @Override
    public void run(Lane on, long now) {
        if (expiring || isOver()) {
            measure(Outcome.TIMED_OUT);
            return;
        }
        int shard = question.shard();
        int from = question.origin().shard(shard);
        on.sendFrom(from, shard, question.entityId(), question.payload(), this, question.headers(), now);
    }

    @Override
    public void complete(@Nullable Object answer) {
        value = answer;
        measure(isOver() ? Outcome.TIMED_OUT : Outcome.OK);
        end();
    }

    @Override
    public void fail(Failure reason) {
        failure = reason;
        measure(reason.code() == FailureCode.TIMED_OUT || isOver() ? Outcome.TIMED_OUT : Outcome.FAILED);
        end();
    }

    /**
     * At its end, on the lane. An ask that reached its deadline counts with that time, also if its lane processed it
     * later.
     */
    private void measure(Outcome outcome) {
        LaneLatency latency = lane.latency();
        if (latency == null) {
            return;
        }
        long millis = lane.now() - (deadline() - timeout);
        boolean exact = question.from() != 0 && millis < LONGEST_EXACT;
        if (outcome == Outcome.OK && !exact && !latency.isSlow(millis * 1000)) {
            return;
        }
        long micros = outcome == Outcome.TIMED_OUT
                ? timeout * 1000L
                : exact ? lane.microsSince(question.from()) : Math.max(0, millis) * 1000;
        if (exact || outcome != Outcome.OK) {
            latency.asked(message(), remote(), outcome, micros);
        }
        if (latency.isSlow(micros)) {
            latency.slow(this, question.headers().trace(), outcome, micros, lane.wallMillis());
        }
    }

    @Override
    public Class<?> message() {
        return question.payload() == Envelope.START
                ? StartEntity.class
                : question.payload().getClass();
    }

    @Override
    public String entityId() {
        return question.entityId();
    }

    @Override
    public String failure() {
        Failure known = failure;
        if (known != null) {
            return known.code().name();
        }
        return isOver() ? FailureCode.TIMED_OUT.name() : "";
    }

    @Override
    public boolean remote() {
        return isRemote();
    }

    /** The caller gets it when the lane's machine is at rest. */
    private void end() {
        lane.answers().add(this);
    }

    /** Null if the caller had no context, or one of {@link OutsideCallers}: this asks as its caller did. */
    @Nullable
    ContextInternal caller() {
        return promise instanceof PromiseInternal<Object> known ? known.context() : null;
    }

    boolean isAskedByHandler() {
        return question.ofHandler();
    }

    @Override
    public boolean isOver() {
        return promise.future().isComplete();
    }

    /**
     * Fails it if its deadline has passed, also while its lane is busy; an answer that comes then is too late. On the
     * one thread that looks after blocked lanes.
     */
    void expire(long now) {
        if (deadline() > now || expiring || isOver()) {
            return;
        }
        expiring = true;
        RegionHandle<?> region = lane.region();
        Failure late = Failure.of(FailureCode.TIMED_OUT, region.lateness(question, timeout));
        Runnable fail = () -> {
            if (promise.tryFail(new ShardingException(late.code(), late.message()))) {
                region.counters().failed(late.code());
            }
        };
        if (caller() == null) {
            // the caller's handlers run on a thread that may block
            lane.outside().giveLate(fail, isAskedByHandler());
        } else {
            fail.run();
        }
    }

    /** On the caller's context if it has one; exceptions of its handlers end here. */
    void completeFuture() {
        Failure reason = failure;
        try {
            if (reason == null) {
                promise.tryComplete(value);
            } else {
                promise.tryFail(new ShardingException(reason.code(), text(reason), reason.entityCode(), null));
            }
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            CallerContext.handlerFailed(e);
        }
    }

    /** The lane knows of a late ask only that it is late. */
    private String text(Failure reason) {
        return reason.code() == FailureCode.TIMED_OUT ? lane.region().lateness(question, timeout) : reason.message();
    }
}
