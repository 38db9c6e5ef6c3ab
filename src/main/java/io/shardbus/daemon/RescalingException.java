package io.shardbus.daemon;

/** A set of workers cannot be rescaled, because an earlier rescaling is under way. */
public final class RescalingException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** @param message names the set, and the number of workers to which it is being rescaled */
    public RescalingException(String message) {
        super(message);
    }
}
