package io.shardbus.persistence;

/** Retention of stored events. */
public sealed interface Retention {
    /** All of them. */
    record All() implements Retention {}

    /**
     * Those behind a snapshot, and so many before it.
     *
     * @param keep events before the snapshot, 0 to 1,000,000
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
     * Deletes events that a snapshot has made superfluous, but for so many, and never the entity's last one, nor one
     * that a projection with offsets in this store has not read: those go with a later snapshot. A projection that
     * starts later, or keeps its offsets in another database, does not see events that were deleted before it came to
     * them.
     */
    static Retention afterSnapshots(long keep) {
        return new AfterSnapshots(keep);
    }
}
