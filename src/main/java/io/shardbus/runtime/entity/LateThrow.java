package io.shardbus.runtime.entity;

/**
 * Failure of a message whose code threw, and which is told only when the messages before it are answered. It counts as
 * thrown at that time.
 */
public final class LateThrow extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Throwable thrown;

    public LateThrow(Throwable thrown) {
        super(null, thrown, false, false);
        this.thrown = thrown;
    }

    Throwable thrown() {
        return thrown;
    }
}
