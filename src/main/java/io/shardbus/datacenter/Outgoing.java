package io.shardbus.datacenter;

import io.shardbus.ShardingException;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A message under way to an entity of another data center. Created on any thread, then used on the link's event loop
 * only.
 */
final class Outgoing {
    private final Frame.Kind kind;
    private final String type;
    private final String id;
    private final Buffer payload;
    private final long timeout;
    private final @Nullable Answer answer;
    private long number;
    private long timer = -1;
    private boolean ended;

    /** Callback of an ask over a link. Called once, on the link's event loop. */
    interface Answer {
        void answered(Buffer payload);

        void failed(ShardingException failure);
    }

    /** @param answer null for a message without an answer */
    Outgoing(Frame.Kind kind, String type, String id, Buffer payload, long timeout, @Nullable Answer answer) {
        this.kind = kind;
        this.type = type;
        this.id = id;
        this.payload = payload;
        this.timeout = timeout;
        this.answer = answer;
    }

    @Nullable
    Answer answer() {
        return answer;
    }

    long timeout() {
        return timeout;
    }

    /** The number of an ask, which its answer names; 0 before it is sent, and for a message without an answer. */
    long number() {
        return number;
    }

    void number(long given) {
        number = given;
    }

    /** The timer of its deadline; -1 for none. */
    long timer() {
        return timer;
    }

    void timer(long set) {
        timer = set;
    }

    /** Marks the message as ended; false if it had ended before. */
    boolean end() {
        boolean first = !ended;
        ended = true;
        return first;
    }

    Frame frame() {
        return Frame.message(kind, number, timeout, type, id, payload);
    }
}
