package io.shardbus.runtime.region;

import io.shardbus.ShardingException;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Buffer of users' messages to one lane of a region that starts, before the lanes exist: they wait in the order of each
 * sender, as many as the lane's share of the region's buffer holds, and pass to the lane when it exists. Any thread.
 */
final class EarlyMessages {
    /** A message that waits. */
    interface Message {
        void pass(LaneQueue[] lanes);

        void refuse(Failure reason);
    }

    /** An ask that waits, until its deadline at most. */
    record Ask(FutureAsk.Question question, Promise<Object> promise, long asked, long timeout, RegionSender sender)
            implements Message {
        @Override
        public void pass(LaneQueue[] lanes) {
            CallerContext.guarded(() -> sender.ask(lanes, question, promise, asked, timeout));
        }

        @Override
        public void refuse(Failure reason) {
            sender.counters().failed(reason.code());
            CallerContext.fail(promise, new ShardingException(reason.code(), reason.message()));
        }

        private boolean isLate(long now) {
            return now >= asked + timeout;
        }

        private void expire() {
            refuse(Failure.of(FailureCode.TIMED_OUT, sender.lateness(question, (int) timeout)));
        }
    }

    /** Messages that wait, or the lanes that have taken over. */
    private sealed interface State {}

    /** The last message that waits, and those before it; {@link #EMPTY} for none. */
    private record Waiting(
            @Nullable Message message, @Nullable Waiting before, int count) implements State {
        Waiting with(Message next) {
            return new Waiting(next, this, count + 1);
        }

        /** In the order in which they came. */
        List<Message> inOrder() {
            List<Message> messages = new ArrayList<>(count);
            for (Waiting next = this; next != null && next.message != null; next = next.before) {
                messages.add(next.message);
            }
            Collections.reverse(messages);
            return messages;
        }
    }

    private static final class Over implements State {
        /** The lanes for a message that comes before these are published. */
        final LaneQueue[] lanes;

        Over(LaneQueue[] lanes) {
            this.lanes = lanes;
        }
    }

    private static final Waiting EMPTY = new Waiting(null, null, 0);
    private static final Over PUBLISHED = new Over(new LaneQueue[0]);

    private final int most;
    private final Failure full;
    private final AtomicReference<State> state = new AtomicReference<>(EMPTY);

    /** @param most how many wait */
    EarlyMessages(String type, int lane, int most) {
        this.most = most;
        this.full = Failure.of(
                FailureCode.REGION_BUFFER_FULL,
                "the region of '" + type + "' starts, and " + most + " messages wait for its lane " + lane
                        + " already");
    }

    /**
     * Null for a message that waits from now on, or is refused as the buffer is full. Otherwise the lanes for the
     * message; none if the region itself decides on its lanes.
     */
    LaneQueue @Nullable [] offer(Message message) {
        State present = state.get();
        while (present instanceof Waiting waiting) {
            if (waiting.count() >= most) {
                message.refuse(full);
                return null;
            }
            if (state.compareAndSet(waiting, waiting.with(message))) {
                return null;
            }
            present = state.get();
        }
        return present instanceof Over over ? over.lanes : null;
    }

    /** All that waits goes to its lane before anything that is sent from now on. On one thread, once. */
    void open(LaneQueue[] lanes) {
        Over opened = new Over(lanes);
        while (!state.compareAndSet(EMPTY, opened)) {
            if (!(state.get() instanceof Waiting)) {
                return;
            }
            State taken = state.getAndUpdate(present -> present instanceof Waiting ? EMPTY : present);
            if (taken instanceof Waiting waiting) {
                waiting.inOrder().forEach(message -> message.pass(lanes));
            }
        }
    }

    /** The region itself decides on its lanes. */
    void published() {
        if (state.get() instanceof Over opened) {
            state.compareAndSet(opened, PUBLISHED);
        }
    }

    /** The region gets no lanes, or has none any more: all that waits is refused. */
    void close(Failure reason) {
        if (state.getAndSet(PUBLISHED) instanceof Waiting waiting) {
            waiting.inOrder().forEach(message -> message.refuse(reason));
        }
    }

    /** Fails asks whose deadlines have passed. */
    void expire(long now) {
        while (state.get() instanceof Waiting waiting) {
            List<Ask> late = new ArrayList<>();
            Waiting rest = EMPTY;
            for (Message message : waiting.inOrder()) {
                if (message instanceof Ask ask && ask.isLate(now)) {
                    late.add(ask);
                } else {
                    rest = rest.with(message);
                }
            }
            if (late.isEmpty() || state.compareAndSet(waiting, rest)) {
                late.forEach(Ask::expire);
                return;
            }
        }
    }
}
