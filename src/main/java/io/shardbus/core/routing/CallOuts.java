package io.shardbus.core.routing;

import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.protocol.FrameItem;

/**
 * Completes asks and reports dead letters, after the lane has changed its state. An exception of one callback does not
 * stop the others.
 */
final class CallOuts {
    private final LanePort port;

    CallOuts(LanePort port) {
        this.port = port;
    }

    void end(PendingAsk ask, FrameItem.Reply reply) {
        Failure failure = reply.failure();
        try {
            if (!reply.headers().isEmpty()) {
                ask.headers(reply.headers());
            }
            if (failure == null) {
                ask.complete(reply.value());
            } else {
                ask.fail(failure);
            }
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            port.fault(e);
        }
    }

    void fail(PendingAsk ask, Failure failure) {
        try {
            ask.fail(failure);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            port.fault(e);
        }
    }

    void deadLetter(Envelope envelope, Failure reason) {
        try {
            port.deadLetter(envelope, reason);
        } catch (Exception | AssertionError | LinkageError | StackOverflowError e) {
            port.fault(e);
        }
    }
}
