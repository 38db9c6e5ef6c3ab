package io.shardbus.persistence;

/** Retention of stored events. */
public sealed interface Retention {
    /** Keeps all events. */
    record All() implements Retention {}

    /**
     * Keeps the events after the last snapshot, and {@code keep} events before it.
     *
     * @param keep number of events before the snapshot that are kept, 0 to 1,000,000
     */
    record AfterSnapshots(long keep) implements Retention {
        public AfterSnapshots {
            if (keep < 0 || keep > 1_000_000) {
                throw new IllegalArgumentException("keep " + keep + " events: use 0 to 1,000,000");
            }
        }
    }

    /** Keeps all events. */
    static Retention all() {
        return new All();
    }

    /**
     * Deletes the events before a snapshot, except the last {@code keep} of them. The entity's last event is never
     * deleted. Events that a projection with offsets in this store has not read are deleted with a later snapshot. A
     * projection that starts later, or keeps its offsets in another database, does not see events that were deleted
     * before it reached them.
     */
    static Retention afterSnapshots(long keep) {
        return new AfterSnapshots(keep);
    }
}
