package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import org.jspecify.annotations.Nullable;

/** A shard's row in the table: its home under one token, and what was last said about it. */
final class Assignment {
    final int shard;
    final NodeId home;
    final FencingToken token;
    FencingToken version;
    boolean confirmed;
    /** When this coordinator chose the home; {@link LeaseTimes#NEVER} for one that was reported. */
    long chosenAt = LeaseTimes.NEVER;
    /** The home's last heartbeat before it confirmed: older ones do not list the shard. */
    long confirmedAfter;

    @Nullable
    Handoff handoff;

    /** Until when it stays for code that the home has said to be ending: of a lease that the home has given up. */
    long endingUntil = LeaseTimes.NEVER;

    /** Former home, whose entities have handed over their states for this one. */
    @Nullable
    ShardHome former;

    /** Until when it is not chosen to move, as it was and stayed; and for how long it rested then. */
    long restUntil = LeaseTimes.NEVER;

    private long rest;

    /** A new home that has not confirmed. */
    Assignment(int shard, NodeId home, FencingToken token) {
        this.shard = shard;
        this.home = home;
        this.token = token;
        this.version = token;
    }

    /** A home that was reported: its token stays, what is said about it from now on is of this term. */
    Assignment(int shard, NodeId home, FencingToken token, FencingToken version) {
        this(shard, home, token);
        this.version = version;
        this.confirmed = true;
    }

    /**
     * The home has lost it, and its code still runs there: it has no home until then, or until the lease would have run
     * out. Code that had begun mostly ends sooner; then it does not overlap with the next instance.
     */
    void endsBy(long moment) {
        confirmed = false;
        endingUntil = moment;
    }

    /** Whether its former code is waited for. */
    boolean isEnding() {
        return endingUntil != LeaseTimes.NEVER;
    }

    /** It may move now, also after several aborted handoffs. */
    void wake() {
        rest = 0;
        restUntil = LeaseTimes.NEVER;
    }

    /** A handoff came to nothing: the next may begin after this time, and after longer each time, up to a bound. */
    long rest(long first, long longest, long now) {
        rest = Math.min(longest, Math.max(first, 2 * rest));
        restUntil = now + rest;
        return rest;
    }
}
