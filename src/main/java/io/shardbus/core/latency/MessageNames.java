package io.shardbus.core.latency;

/** Under which names classes of messages are measured: a bounded number of them. */
@FunctionalInterface
public interface MessageNames {
    /** Of all classes that have no name of their own. */
    String OTHER = "other";

    /** The name of a class. A class that has got a name keeps it. */
    String of(Class<?> message);
}
