package io.shardbus.projection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * The logs of a worker that have a batch under way. The number of batches that are handled at once is limited; a batch
 * whose handler has ended and whose offset is being stored does not count. Used on one event loop.
 */
final class LogsUnderWay {
    private final Vertx vertx;
    private final int most;
    private final long patienceMs;
    private final Runnable movedLate;
    private final Map<Integer, Future<Boolean>> underWay = new HashMap<>();
    private int handling;
    private Group group = new Group(new ArrayDeque<>(), log -> Batch.of(Future.succeededFuture(false)));

    /**
     * A batch of a log.
     *
     * @param handled completes when the batch of another log may begin
     * @param moved true if the offset moved; until then the log is under way. Does not fail.
     */
    record Batch(Future<?> handled, Future<Boolean> moved) {
        /** A batch whose handler moves the offset. */
        static Batch of(Future<Boolean> handling) {
            return new Batch(handling, handling);
        }
    }

    /**
     * @param most limit of the batches that are handled at once
     * @param patienceMs how long a group is waited for after its last batch has begun, in milliseconds
     * @param movedLate runs when an offset has moved with a batch that was no longer waited for
     */
    LogsUnderWay(Vertx vertx, int most, long patienceMs, Runnable movedLate) {
        this.vertx = vertx;
        this.most = most;
        this.patienceMs = patienceMs;
        this.movedLate = movedLate;
    }

    boolean has(int log) {
        return underWay.containsKey(log);
    }

    /**
     * Handles a batch of each of these logs, none of which is under way. Called when the previous group has ended.
     *
     * @return true if an offset moved; completes when all batches have begun, and have ended or are no longer waited
     *     for
     */
    Future<Boolean> handle(List<Integer> logs, IntFunction<Batch> handle) {
        group = new Group(new ArrayDeque<>(logs), handle);
        group.next();
        return group.ended.future();
    }

    /** Completes when no batch is under way. */
    Future<?> ended() {
        return Future.join(List.copyOf(underWay.values()));
    }

    private final class Group {
        private final Deque<Integer> waiting;
        private final IntFunction<Batch> handle;
        private final Promise<Boolean> ended = Promise.promise();
        private int open;
        private boolean isBeginning;
        private boolean hasMoved;
        private long timer = -1;

        Group(Deque<Integer> waiting, IntFunction<Batch> handle) {
            this.waiting = waiting;
            this.handle = handle;
        }

        void next() {
            if (isBeginning) {
                // a batch has ended at once: without this, thousands of logs would be as many nested calls
                return;
            }
            isBeginning = true;
            try {
                while (!waiting.isEmpty() && handling < most) {
                    begin(waiting.remove());
                }
            } finally {
                isBeginning = false;
            }
            if (!waiting.isEmpty()) {
                return;
            }
            if (open == 0) {
                end();
            } else if (timer == -1) {
                timer = vertx.setTimer(patienceMs, late -> end());
            }
        }

        private void begin(int log) {
            open++;
            handling++;
            Batch batch = handle.apply(log);
            underWay.put(log, batch.moved());
            batch.handled().onComplete(answer -> {
                handling--;
                group.next();
            });
            batch.moved().onComplete(answer -> {
                underWay.remove(log);
                open--;
                boolean moved = answer.succeeded() && answer.result();
                hasMoved |= moved;
                if (moved && ended.future().isComplete()) {
                    movedLate.run();
                }
                group.next();
            });
        }

        private void end() {
            vertx.cancelTimer(timer);
            ended.tryComplete(hasMoved);
        }
    }
}
