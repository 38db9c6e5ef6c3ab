package io.shardbus.core.hosting;

/**
 * A region's right to run its shards, as its control has it and its lanes read it at any moment: they see an extension,
 * and a lapse, before they come to what waits in their queues. With each lapse another stay begins. A lane runs what it
 * hosts only under the lease of the stay in which it was told to host it, so a lease that is granted after a lapse does
 * not revive what was there before.
 *
 * @param stay how many lapses there were
 * @param until the moment of elapsed milliseconds at which it ends
 */
public record Lease(long stay, long until) {
    /** Before the first grant. */
    public static final Lease NONE = new Lease(0, Long.MIN_VALUE);

    /** The lease after a grant; a lease that has ended before {@code now} stays ended. */
    public Lease extended(long end, long now) {
        return wasGranted() && now >= until ? this : new Lease(stay, Math.max(until, end));
    }

    /** The lease after a loss: the hosted shards end, and the next grant is for those that are hosted then. */
    public Lease lapsed() {
        return new Lease(stay + 1, Long.MIN_VALUE);
    }

    /** Whether there was a grant in this stay. */
    public boolean wasGranted() {
        return until != Long.MIN_VALUE;
    }

    /** Whether shards that are hosted since that stay may run. */
    public boolean isHeld(long since, long now) {
        return since == stay && now < until;
    }
}
