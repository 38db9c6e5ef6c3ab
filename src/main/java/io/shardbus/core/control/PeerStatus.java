package io.shardbus.core.control;

/**
 * Status of another node that this node has seen as a member.
 *
 * <pre>
 *            goodbye                      out of the view
 * MEMBER ---------------> DEPARTING MEMBER --------------> LEFT
 *   ^  |
 *   |  | out of the view          proven dead
 *   |  +----------------> LOST ---------------> DEAD
 *   |  back in the view    |
 *   +----------------------+
 * </pre>
 *
 * @param member whether it is in the view
 * @param goodbye whether it said that it leaves: its absence splits nothing
 * @param dead whether its process is proven to be gone
 * @param leasesEnd when leases that it was granted as a member have run out, once it is out of the view
 * @param newsUntil until when the proof of its death says that no other node can have gone on without it: never later
 *     than its leases end, and not put off when the clock gains time that may have passed after all
 */
public record PeerStatus(boolean member, boolean goodbye, boolean dead, long leasesEnd, long newsUntil) {
    /** A node that was never a member here. */
    static final PeerStatus UNSEEN = new PeerStatus(false, false, false, Long.MIN_VALUE, Long.MIN_VALUE);

    PeerStatus joined() {
        return new PeerStatus(true, goodbye, false, Long.MIN_VALUE, Long.MIN_VALUE);
    }

    PeerStatus withGoodbye() {
        return new PeerStatus(member, true, dead, leasesEnd, newsUntil);
    }

    PeerStatus outOfView(long end) {
        return new PeerStatus(false, goodbye, false, end, end);
    }

    PeerStatus provenDead() {
        return new PeerStatus(false, goodbye, true, leasesEnd, newsUntil);
    }

    PeerStatus postponed(long millis) {
        return member || leasesEnd == Long.MIN_VALUE
                ? this
                : new PeerStatus(false, goodbye, dead, leasesEnd + millis, newsUntil);
    }

    /** Whether it is a member that is about to leave. */
    public boolean isDeparting() {
        return member && goodbye;
    }

    /** Whether it is out of the view, and said goodbye before or is proven dead. */
    boolean hasEnded() {
        return !member && (goodbye || dead);
    }

    /** Whether it vanished without goodbye, and its process may still run. */
    public boolean isLost() {
        return !member && !goodbye && !dead && leasesEnd != Long.MIN_VALUE;
    }

    /** Whether it vanished so short a time ago that its loss is to be decided: it may hold leases. */
    public boolean isUndecided(long now) {
        return isLost() && now < leasesEnd;
    }

    /**
     * Whether it vanished so recently that no other node can have gone on without it. Unlike {@link #isUndecided}, this
     * does not last longer when the clock gains time that may not have passed.
     */
    public boolean isNews(long now) {
        return isLost() && now < newsUntil;
    }
}
