package io.shardbus.integration;

import io.shardbus.Ask;
import io.shardbus.EntityType;

/** The messages of the tests' counters. */
public sealed interface CounterMessage {
    EntityType<CounterMessage> COUNTER = EntityType.of("counter", CounterMessage.class);

    /** Adds without an answer. */
    record Add(long amount) implements CounterMessage {}

    /** The value. */
    record Get() implements CounterMessage, Ask<Long> {}

    /** Adds and answers the value. */
    record AddAndGet(long amount) implements CounterMessage, Ask<Long> {}

    /** Where the instance is: node, incarnation. */
    record Where() implements CounterMessage, Ask<Place> {}

    /** Throws. */
    record Crash() implements CounterMessage, Ask<Long> {}

    /** Refuses with a code of its own. */
    record Refuse() implements CounterMessage, Ask<Long> {}

    /** Answers after a while. */
    record Slow(long millis) implements CounterMessage, Ask<Long> {}

    /** The reason for which the instance started; only of those that move. */
    record WhyStarted() implements CounterMessage, Ask<String> {}

    /** Asks to be passivated. */
    record PutAway() implements CounterMessage {}

    /** Never answers. */
    record Hang() implements CounterMessage, Ask<Long> {}

    /** An instance. */
    record Place(String node, String incarnation, int shard, long term, long sequence) {}
}
