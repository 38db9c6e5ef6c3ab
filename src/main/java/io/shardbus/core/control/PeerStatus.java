package io.shardbus.core.control;

/**
 * What this node knows of another node that it has seen as a member.
 *
 * <pre>
 *            goodbye                      out of the view
 * MEMBER ---------------> DEPARTING MEMBER --------------> LEFT
 *   ^  \   out of the view                  proven dead
 *   |   +---------------> LOST (undecided) -------------> DEAD
 *   |  back in the view    |  its leases have run out
 *   +----------------------+---------------------------> LOST (nothing to decide any more)
 * </pre>
 *
 * @param member whether it is in the view
 * @param goodbye whether it said that it leaves: its absence splits nothing
 * @param dead whether its process is proven to be gone
 * @param undecided whether it vanished without goodbye, is not proven dead, and may hold leases
 * @param leasesEnd when leases that it was granted as a member have run out, once it is out of the view
 */
public record PeerStatus(boolean member, boolean goodbye, boolean dead, boolean undecided, long leasesEnd) {
    /** A node that was never a member here. */
    static final PeerStatus UNSEEN = new PeerStatus(false, false, false, false, Long.MIN_VALUE);

    PeerStatus joined() {
        return new PeerStatus(true, goodbye, false, false, Long.MIN_VALUE);
    }

    PeerStatus withGoodbye() {
        return new PeerStatus(member, true, dead, undecided, leasesEnd);
    }

    PeerStatus outOfView(long end) {
        return new PeerStatus(false, goodbye, false, !goodbye, end);
    }

    PeerStatus provenDead() {
        return new PeerStatus(false, goodbye, true, false, leasesEnd);
    }

    PeerStatus withLeasesEnded() {
        return new PeerStatus(member, goodbye, dead, false, leasesEnd);
    }

    PeerStatus postponed(long millis) {
        return new PeerStatus(
                member, goodbye, dead, undecided, leasesEnd == Long.MIN_VALUE ? leasesEnd : leasesEnd + millis);
    }

    /** Whether it is a member that is about to leave. */
    public boolean isDeparting() {
        return member && goodbye;
    }

    /** Whether it vanished without goodbye, and nothing has explained that since. */
    public boolean isLost() {
        return !member && !goodbye && !dead;
    }
}
