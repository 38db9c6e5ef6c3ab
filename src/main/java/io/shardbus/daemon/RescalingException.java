package io.shardbus.daemon;

/** A set of workers is being rescaled, so it cannot be rescaled again yet. */
public final class RescalingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** @param message says which set, and what it is rescaled to */
    public RescalingException(String message) {
        super(message);
    }
}
