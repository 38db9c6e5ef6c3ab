package io.shardbus.core.region;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion;
import io.shardbus.model.FencingToken;
import io.shardbus.model.HoldUp;
import io.shardbus.model.SharedStore;
import io.shardbus.model.StopReason;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The control of one region: its registration, its lease, and the list of shards that it is home of. The shards
 * themselves live on lanes; this object tells the lanes what to do and hears from them what they did.
 *
 * <p>Single owner: every method is an event at a moment {@code now} (elapsed milliseconds) and returns commands.
 */
public final class Region {
    private RegionProfile profile;
    private final LeaseTimes times;
    private final long retryInterval;
    private final List<RegionCommand> commands = new ArrayList<>();
    private final OwnShards shards = new OwnShards(commands);
    private final TreeSet<Integer> wanted = new TreeSet<>();
    private final Heartbeats heartbeats = new Heartbeats();
    private final Backoff backoff;
    private final Messages messages = new Messages();

    private TermId term = TermId.NONE;
    private RegionStatus status = RegionStatus.REGISTERING;
    private boolean accepted;
    private boolean leaving;
    private boolean leaveComplete;
    /** Whether a coordinator has said that shards of the type may have homes. */
    private boolean founded;
    /** The largest number of entities without their state that a coordinator has told. */
    private long statesLost;

    private long attempt;
    private long echo;
    /** Number of times that the lanes were told of a lost lease. */
    private long lapses;

    private long leaseEnd = Long.MIN_VALUE;
    private long nextHeartbeat = Long.MIN_VALUE;
    private long nextRetry = Long.MIN_VALUE;
    private long now;

    /**
     * @param retryInterval the longest pause between repeated messages, in milliseconds
     * @param firstAttempt greater than all attempts of an earlier region of the type on this node
     */
    public Region(RegionProfile profile, LeaseTimes times, long retryInterval, long firstAttempt) {
        this.attempt = firstAttempt;
        this.profile = profile;
        this.times = times;
        this.retryInterval = retryInterval;
        this.backoff = new Backoff(retryInterval);
    }

    public RegionStatus status() {
        return status;
    }

    /**
     * Whether its entities may run at this moment; a proxy has none, and its lease says that the coordinator hears it.
     */
    public boolean hasLease(long moment) {
        return moment < leaseEnd;
    }

    /** The remaining time of its lease in milliseconds; 0 if it has none. */
    public long leaseRemains(long moment) {
        return hasLease(moment) ? leaseEnd - moment : 0;
    }

    public TermId term() {
        return term;
    }

    /** The shards that it is home of, with their tokens. */
    public Map<Integer, FencingToken> hosted() {
        return shards.hosted();
    }

    /** From now on a shard waits until an external lease is held for it, too. */
    public void requireLeases() {
        shards.requireLeases();
    }

    /** The external lease of a shard is held from now on, or it is lost and the shard stops at once. */
    public List<RegionCommand> leaseChanged(int shard, boolean held, long moment) {
        enter(moment);
        shards.leaseChanged(shard, held, messages::hostShard);
        return leave();
    }

    /** The states of the shard's entities have come to its lane, as far as they will. */
    public List<RegionCommand> statesFetched(int shard, FencingToken token, long moment) {
        enter(moment);
        shards.fetched(shard, token, messages::hostShard);
        return leave();
    }

    /** A coordinator reigns under this term. A higher one than before ends all handoffs under way. */
    public List<RegionCommand> termSeen(TermId seen, long moment) {
        enter(moment);
        if (seen.isHigherThan(term)) {
            term = seen;
            commands.add(new RegionCommand.CancelHandoffs());
            registerAnew();
        }
        return leave();
    }

    /** A message of the coordinator; ignored if it is not of the present term. */
    public List<RegionCommand> received(TermId from, ToRegion message, long moment) {
        enter(moment);
        if (from.equals(term) && !status.isFinal()) {
            message.accept(messages);
        }
        return leave();
    }

    /** Time passed. */
    public List<RegionCommand> tick(long moment) {
        enter(moment);
        if (!status.isFinal() && !term.equals(TermId.NONE)) {
            if (!accepted && now >= nextRetry) {
                register();
            } else if (accepted && now >= nextHeartbeat) {
                beat();
            }
            repeat();
        }
        return leave();
    }

    /** A lane has no home for these shards and messages for them. */
    public List<RegionCommand> homesWanted(List<Integer> shards, long moment) {
        enter(moment);
        wanted.addAll(shards);
        if (accepted) {
            send(new ToCoordinator.GetShardHomes(attempt, List.copyOf(shards)));
        }
        return leave();
    }

    /** A lane has stopped a shard for a handoff. */
    public List<RegionCommand> shardStopped(int shard, FencingToken token, boolean states, long moment) {
        enter(moment);
        if (shards.stopped(shard, token, states)) {
            send(new ToCoordinator.ShardStopped(shard, token, states));
        }
        return leave();
    }

    /** A lane keeps a shard whose handoff was given up. */
    public List<RegionCommand> handoffAborted(int shard, FencingToken version, HoldUp cause, long moment) {
        enter(moment);
        send(new ToCoordinator.HandoffAborted(shard, version, cause));
        return leave();
    }

    /**
     * A lane met a message after its lease had run out.
     *
     * @param stay number of lease losses that the lane had executed; a report about an earlier lease is ignored
     */
    public List<RegionCommand> lapseSeen(long stay, long moment) {
        enter(moment);
        if (stay == lapses) {
            suspend("the lease ran out while messages waited on a lane");
        }
        return leave();
    }

    /** The last code of a shard has ended that is not at home here any more. */
    public List<RegionCommand> codeEnded(int shard, FencingToken token, long moment) {
        enter(moment);
        shards.codeEnded(shard, token);
        return leave();
    }

    /** Its entities may not run any more, though the lease may be valid. */
    public List<RegionCommand> suspended(String reason, long moment) {
        enter(moment);
        suspend(reason);
        return leave();
    }

    private void suspend(String reason) {
        if (!leaveComplete && !status.isFinal() && (accepted || leaseEnd != Long.MIN_VALUE)) {
            lapse(reason);
        }
    }

    /** The node does not fit the cluster: the region ends, and does not register again. */
    public List<RegionCommand> refused(String reason, long moment) {
        enter(moment);
        if (!leaveComplete && !status.isFinal()) {
            refuse(reason);
        }
        return leave();
    }

    private void refuse(String reason) {
        shards.forget();
        commands.add(new RegionCommand.StopAll(StopReason.SHUTDOWN));
        become(RegionStatus.REFUSED, reason);
    }

    /**
     * The last lane has stopped its last entity after StopAll.
     *
     * @param lost how many entities have lost what they knew in a move here
     */
    public List<RegionCommand> allStopped(long lost, long moment) {
        now = moment;
        if (leaveComplete && !status.isFinal()) {
            shards.forget();
            send(new ToCoordinator.Goodbye(attempt, lost));
            become(RegionStatus.LEFT, "all entities have ended");
        }
        return leave();
    }

    /** Sets the store of the entities, before the region first registers; null where it does not say. */
    public void storedIn(@Nullable SharedStore store) {
        profile = profile.storedIn(store);
    }

    /**
     * The store of the entities was asked again, as a reign has begun. The coordinator must know of a term in the store
     * that is higher than its own: another cluster had the store, and no log can be opened.
     */
    public List<RegionCommand> storeRead(SharedStore store, long moment) {
        enter(moment);
        SharedStore told = profile.persistence();
        if (told != null && store.id().equals(told.id()) && store.highestTerm() > told.highestTerm()) {
            profile = profile.storedIn(store);
            if (store.highestTerm() > term.number() && !leaveComplete) {
                registerAnew();
            }
        }
        return leave();
    }

    /** A proxy becomes a host: it registers anew with this profile; the ways of its messages stay. */
    public List<RegionCommand> hostingRequested(RegionProfile hosting, long moment) {
        enter(moment);
        if (profile.proxy() && !status.isFinal()) {
            profile = hosting;
            if (!leaveComplete) {
                become(RegionStatus.REGISTERING, "a proxy becomes a host");
            }
            registerAnew();
        }
        return leave();
    }

    /**
     * Ends the region in good order: its shards move to other homes first. A region that loses its lease meanwhile has
     * no shard left to move, and stops.
     */
    public List<RegionCommand> leaveRequested(long moment) {
        boolean isNew = !leaving;
        leaving = true;
        enter(moment);
        if (isNew && !leaveComplete) {
            shards.waitForNone();
            nextRetry = now;
            repeat();
        }
        return leave();
    }

    /**
     * Ends the region now: entities stop, shards do not wait for another home. The coordinator is told at once, as it
     * would give shards to the region while the last messages are acknowledged.
     */
    public List<RegionCommand> stopRequested(long moment) {
        enter(moment);
        if (!status.isFinal() && !leaveComplete) {
            complete();
            nextRetry = now;
            repeat();
        }
        return leave();
    }

    /** Before every event: without a lease nothing may run. */
    private void enter(long moment) {
        now = moment;
        if (leaseEnd == Long.MIN_VALUE || now < leaseEnd || status.isFinal()) {
            return;
        }
        if (leaveComplete) {
            shards.forget();
            leaseEnd = Long.MIN_VALUE;
        } else {
            lapse("no grant for " + times.lease() + " ms");
        }
    }

    private List<RegionCommand> leave() {
        List<RegionCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    /**
     * The registration is over, and another one begins at once: code that does not end keeps its own shard from
     * starting, no other. A region that leaves says under the new one when all of it has ended.
     */
    private void lapse(String reason) {
        lapses++;
        shards.lapse();
        leaseEnd = Long.MIN_VALUE;
        become(RegionStatus.LAPSED, reason);
        commands.add(new RegionCommand.StopAll(StopReason.LEASE_LOST));
        become(RegionStatus.REGISTERING, "registers again");
        registerAnew();
        if (leaving) {
            complete();
        }
    }

    private void registerAnew() {
        if (status.isFinal()) {
            return;
        }
        attempt++;
        accepted = false;
        echo = 0;
        backoff.reset();
        if (!term.equals(TermId.NONE)) {
            register();
        }
    }

    private void register() {
        nextRetry = now + backoff.pause();
        send(new ToCoordinator.Register(
                attempt,
                profile,
                shards.listAnew(term, this::send),
                heartbeats.send(now),
                founded,
                ShardReport.listOf(shards.ending()),
                statesLost));
    }

    private void beat() {
        nextHeartbeat = now + times.heartbeatInterval();
        shards.unrecordedStops().forEach(this::send);
        send(new ToCoordinator.Heartbeat(
                attempt,
                heartbeats.send(now),
                echo,
                ShardReport.listOf(shards.hosted()),
                ShardReport.listOf(shards.ending())));
    }

    private void repeat() {
        if (!accepted || now < nextRetry) {
            return;
        }
        nextRetry = now + retryInterval / 4;
        shards.unrecordedStops().forEach(this::send);
        if (leaving || leaveComplete) {
            send(new ToCoordinator.Leave(attempt));
        }
    }

    /**
     * The region ends. It keeps its registration until all is done: its last messages may need homes, its shards are
     * still here.
     */
    private void complete() {
        if (!leaveComplete) {
            leaveComplete = true;
            commands.add(new RegionCommand.StopAll(StopReason.SHUTDOWN));
        }
    }

    private void send(ToCoordinator message) {
        commands.add(new RegionCommand.Send(message));
    }

    private void become(RegionStatus next, String reason) {
        if (status != next) {
            status = next;
            commands.add(new RegionCommand.StatusChanged(next, reason));
        }
    }

    private final class Messages implements ToRegion.Visitor {
        @Override
        public void registered(ToRegion.Registered message) {
            if (message.attempt() != attempt || accepted) {
                return;
            }
            accepted = true;
            shards.keepOnly(message.keep());
            nextHeartbeat = now + times.heartbeatInterval();
            nextRetry = now;
            repeat();
            if (!wanted.isEmpty()) {
                send(new ToCoordinator.GetShardHomes(attempt, List.copyOf(wanted)));
            }
        }

        @Override
        public void refused(ToRegion.Refused message) {
            if (message.attempt() == attempt && !accepted) {
                refuse(message.reason());
            }
        }

        @Override
        public void leaseGranted(ToRegion.LeaseGranted message) {
            Long sent = heartbeats.sentAt(message.heartbeat());
            if (message.attempt() != attempt || !accepted || sent == null) {
                return;
            }
            founded |= message.founded();
            statesLost = Math.max(statesLost, message.statesLost());
            long until = sent + message.millis();
            if (until > leaseEnd && until > now) {
                leaseEnd = until;
                commands.add(new RegionCommand.ExtendLease(leaseEnd));
            }
            boolean first = echo == 0;
            echo = Math.max(echo, message.heartbeat());
            if (first) {
                beat();
            } else if (hasLease(now)) {
                // only from now on the coordinator knows that its word arrives here, and gives shards
                become(RegionStatus.REGISTERED, "term " + term.number());
            }
        }

        @Override
        public void registerAgain(ToRegion.RegisterAgain message) {
            if (message.attempt() == attempt && accepted) {
                registerAnew();
            }
        }

        @Override
        public void hostShard(ToRegion.HostShard message) {
            if (message.attempt() != attempt || !hasLease(now) || profile.proxy() || leaveComplete) {
                return;
            }
            boolean exists = message.shard() >= 0 && message.shard() < profile.numberOfShards();
            if (exists && shards.host(message, !leaving)) {
                send(new ToCoordinator.ShardHosted(attempt, message.shard(), message.token(), heartbeats.last()));
            }
        }

        @Override
        public void shardHomes(ToRegion.ShardHomes message) {
            message.homes().forEach(home -> wanted.remove(home.shard()));
            commands.add(new RegionCommand.ShowHomes(message.homes()));
        }

        @Override
        public void beginHandoff(ToRegion.BeginHandoff message) {
            commands.add(new RegionCommand.ForwardHandoff(message, !leaving));
        }

        @Override
        public void abortHandoff(ToRegion.AbortHandoff message) {
            commands.add(new RegionCommand.AbortHandoff(message.shard(), message.version()));
        }

        @Override
        public void stopRecorded(ToRegion.StopRecorded message) {
            shards.stopRecorded(message.shard(), message.token());
        }

        @Override
        public void leaveComplete(ToRegion.LeaveComplete message) {
            if (message.attempt() == attempt && leaving) {
                complete();
            }
        }
    }
}
