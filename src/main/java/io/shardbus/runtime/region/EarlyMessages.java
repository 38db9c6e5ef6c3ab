package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * What users send to a region that starts, before it has its lanes: it waits in the order of each sender, as much as
 * the region's buffer takes, and goes to the lanes when these are there. Any thread.
 */
final class EarlyMessages {
    /** A message that waits. */
    interface Message {
        void pass(LaneQueue[] lanes);

        void refuse(Failure reason);
    }

    /** An ask that waits, until its deadline at most. */
    record Ask(FutureAsk.Question question, Promise<Object> promise, long asked, long timeout, RegionHandle<?> region)
            implements Message {
        @Override
        public void pass(LaneQueue[] lanes) {
            region.ask(lanes, this);
        }

        @Override
        public void refuse(Failure reason) {
            if (promise.tryFail(new ShardingException(reason.code(), reason.message()))) {
                region.counters().failed(reason.code());
            }
        }

        private boolean isLate(long now) {
            return now >= asked + timeout;
        }

        private void expire() {
            refuse(Failure.of(FailureCode.TIMED_OUT, region.lateness(question, (int) timeout)));
        }
    }

    private final int most;
    private final Failure full;
    private final Queue<Message> waiting = new ArrayDeque<>();
    private boolean over;

    /** @param most how many wait */
    EarlyMessages(String type, int most) {
        this.most = most;
        this.full = Failure.of(
                FailureCode.REGION_BUFFER_FULL,
                "the region of '" + type + "' starts, and " + most + " messages wait for it already");
    }

    /** False once the region has its lanes, or gets none; a message that is one too many is refused. */
    boolean offer(Message message) {
        synchronized (this) {
            if (over) {
                return false;
            }
            if (waiting.size() < most) {
                waiting.add(message);
                return true;
            }
        }
        message.refuse(full);
        return true;
    }

    /** All that waits goes to the lanes before anything that is sent once these are published. */
    void open(LaneQueue[] lanes, Runnable publish) {
        synchronized (this) {
            for (Message next = waiting.poll(); next != null; next = waiting.poll()) {
                next.pass(lanes);
            }
            over = true;
            publish.run();
        }
    }

    /** The region gets no lanes, or has none any more: all that waits is refused. */
    void close(Failure reason) {
        List<Message> refused;
        synchronized (this) {
            over = true;
            refused = List.copyOf(waiting);
            waiting.clear();
        }
        refused.forEach(message -> message.refuse(reason));
    }

    /** Fails asks whose deadlines have passed. */
    void expire(long now) {
        List<Ask> late = new ArrayList<>();
        synchronized (this) {
            for (Message message : waiting) {
                if (message instanceof Ask ask && ask.isLate(now)) {
                    late.add(ask);
                }
            }
            waiting.removeAll(late);
        }
        late.forEach(Ask::expire);
    }
}
