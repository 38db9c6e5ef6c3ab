package benchmark;

import io.shardbus.Ask;
import io.vertx.core.buffer.Buffer;

/** What a counter understands. The padding makes messages as large as the run wants them. */
sealed interface CounterMessage {
    long amount();

    Buffer padding();

    /** Adds without an answer. */
    record Add(long amount, Buffer padding) implements CounterMessage {}

    /** Adds, and is answered with the sum. */
    record AddAndGet(long amount, Buffer padding) implements CounterMessage, Ask<Long> {}
}
