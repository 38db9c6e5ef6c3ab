package counter;

import io.shardbus.Ask;

/** What a counter understands. Every message is answered with the state that it leaves behind. */
public sealed interface CounterMessage extends Ask<CounterState> {
    /** Adds an amount, which may be negative. */
    record Add(long amount) implements CounterMessage {}

    /** Changes nothing. */
    record Get() implements CounterMessage {}
}
