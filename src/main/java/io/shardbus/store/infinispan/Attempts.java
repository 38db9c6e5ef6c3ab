package io.shardbus.store.infinispan;

/** Whether an operation may still try: until it has answered. */
final class Attempts {
    static final int MOST = 8;

    private volatile boolean ended;

    void end() {
        ended = true;
    }

    void requireOpen() {
        if (ended) {
            throw new IllegalStateException("the operation has been answered");
        }
    }
}
