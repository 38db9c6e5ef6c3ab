package io.shardbus.store.infinispan;

/** Permission of an operation to try again: it ends when the operation has answered. */
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
