package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.model.AllocationSnapshot;
import io.shardbus.model.FencingToken;
import io.shardbus.model.MemberStatus;
import io.shardbus.model.NodeId;
import io.shardbus.model.RegionInfo;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shard table of one coordinator: the home of each shard, rebuilt from the regions' reports in every term,
 * never stored.
 */
final class ShardTable implements AllocationSnapshot {
    private final TermId term;
    private final LeaseTimes times;
    private final ShardOrders shardOrders;
    private final Map<NodeId, Session> sessions = new LinkedHashMap<>();
    private final TreeMap<Integer, Assignment> assignments = new TreeMap<>();
    private final Set<Integer> inHandoff = new LinkedHashSet<>();
    /** Shards in handoff whose turn has not come, in the order of their turns. */
    private final Set<Integer> waiting = new LinkedHashSet<>();

    private final Set<Integer> outranked = new LinkedHashSet<>();
    /** Shards whose former home has lost them, while their code there may still run. */
    private final Set<Integer> ending = new LinkedHashSet<>();

    private final Drains drains = new Drains();
    private final Set<NodeId> cordoned = new LinkedHashSet<>();

    private long sequence;
    private long now;
    private long statesLost;

    /** @param shardOrders where operators want single shards */
    ShardTable(TermId term, LeaseTimes times, ShardOrders shardOrders) {
        this.term = term;
        this.times = times;
        this.shardOrders = shardOrders;
    }

    /** The moment at which the snapshot is looked at. */
    void at(long moment) {
        now = moment;
    }

    FencingToken nextToken() {
        return new FencingToken(term.number(), term.incarnation(), ++sequence);
    }

    @Nullable
    Session session(NodeId node) {
        return sessions.get(node);
    }

    Collection<Session> sessions() {
        return sessions.values();
    }

    void addSession(Session session) {
        drains.registered(sessions.get(session.node), session);
        session.cordoned = cordoned.contains(session.node);
        sessions.put(session.node, session);
    }

    /** The node gets no more shards, and keeps what it has; or may have more again. */
    void cordon(NodeId node, boolean wanted) {
        if (wanted) {
            cordoned.add(node);
        } else {
            cordoned.remove(node);
        }
        Session session = sessions.get(node);
        if (session != null) {
            session.cordoned = wanted;
        }
    }

    /** Nodes that get no more shards. */
    Set<NodeId> cordoned() {
        return cordoned;
    }

    /**
     * The region of the node is to have no shards, or the one that registers next; what has stayed there is tried again
     * at once.
     */
    void drain(NodeId node) {
        Session session = sessions.get(node);
        boolean isNew = drains.begin(node, session);
        if (session != null && isNew) {
            assignmentsOf(session).forEach(Assignment::wake);
        }
    }

    boolean isDrained(NodeId node) {
        return drains.contains(node);
    }

    /** Nodes that are to have no shards. */
    Set<NodeId> drained() {
        return drains.nodes();
    }

    /** The drain was taken back, or the node has left. */
    void endDrain(NodeId node) {
        drains.end(node);
    }

    /** The region is no more; one that is started in its place may have shards, unless the drain was for that one. */
    void endDrain(NodeId node, long attempt) {
        drains.goodbye(node, attempt, sessions.get(node));
    }

    /** A region has ended that saw so many entities lose what they knew in a move: its own count is gone. */
    void addStatesLost(long entities) {
        statesLost += entities;
    }

    /** A region knows the number from a coordinator before. */
    void knowStatesLost(long entities) {
        statesLost = Math.max(statesLost, entities);
    }

    /** Number of entities that lost their state in moves, as reported by the regions that have ended. */
    long statesLost() {
        return statesLost;
    }

    void removeSession(NodeId node) {
        drains.removed(sessions.remove(node));
    }

    @Nullable
    Assignment assignment(int shard) {
        return assignments.get(shard);
    }

    Collection<Assignment> assignments() {
        return assignments.values();
    }

    void assign(Assignment assignment) {
        assignments.put(assignment.shard, assignment);
        Session session = sessions.get(assignment.home);
        if (session != null) {
            session.shards.add(assignment.shard);
        }
    }

    /** The shard has no home any more. */
    void release(Assignment assignment) {
        assignments.remove(assignment.shard, assignment);
        waiting.remove(assignment.shard);
        inHandoff.remove(assignment.shard);
        outranked.remove(assignment.shard);
        ending.remove(assignment.shard);
        Session session = sessions.get(assignment.home);
        if (session != null) {
            session.shards.remove(assignment.shard);
        }
    }

    /** The home has lost the shard, and its code is waited for until this moment at most. */
    void endsBy(Assignment assignment, long moment) {
        endHandoff(assignment);
        assignment.endsBy(moment);
        ending.add(assignment.shard);
    }

    /** The shards whose code has not ended in time. */
    List<Assignment> overdue() {
        return ending.isEmpty()
                ? List.of()
                : assignments(ending).stream()
                        .filter(assignment -> now >= assignment.endingUntil)
                        .toList();
    }

    /** Another region has the shard under a newer token: stores that have seen that one refuse the home's. */
    void outrank(Assignment assignment) {
        outranked.add(assignment.shard);
    }

    /** Shards that need a newer token than their home has. */
    Set<Integer> outranked() {
        return outranked;
    }

    /** The shard waits for its handoff to begin; until then it is served at its home. */
    void awaitHandoff(Assignment assignment) {
        if (inHandoff.add(assignment.shard)) {
            waiting.add(assignment.shard);
        }
    }

    /** The shards whose turn to leave has not come, in its order. */
    Set<Integer> waiting() {
        return Collections.unmodifiableSet(waiting);
    }

    /** The shard that leaves next; a shard of a drained node has no turn while no other region takes it. */
    @Nullable
    Assignment nextToLeave() {
        if (waiting.isEmpty() || !someoneAccepts()) {
            return null;
        }
        for (int shard : waiting) {
            Assignment assignment = assignments.get(shard);
            if (assignment != null && (!isDraining(assignment.home) || isTakenElsewhere(assignment))) {
                return assignment;
            }
        }
        return null;
    }

    /** Whether the region of the node is to have no shards. */
    boolean isDraining(NodeId node) {
        Session session = sessions.get(node);
        return session != null && session.draining;
    }

    /** Keeps the shards whose turn has not come at home, and forgets where operators wanted them to go. */
    void forgetWaiting() {
        forgetWaiting(new LinkedHashSet<>(waiting));
    }

    /** Keeps the waiting shards of the region at home. */
    void forgetWaiting(Session session) {
        Set<Integer> staying = new LinkedHashSet<>(waiting);
        staying.retainAll(session.shards);
        forgetWaiting(staying);
    }

    private void forgetWaiting(Set<Integer> staying) {
        inHandoff.removeAll(staying);
        waiting.removeAll(staying);
        staying.forEach(shardOrders::forget);
    }

    void beginHandoff(Assignment assignment, Handoff handoff) {
        waiting.remove(assignment.shard);
        assignment.handoff = handoff;
        assignment.version = handoff.version;
        inHandoff.add(assignment.shard);
    }

    void endHandoff(Assignment assignment) {
        assignment.handoff = null;
        waiting.remove(assignment.shard);
        inHandoff.remove(assignment.shard);
    }

    /**
     * The statement about a shard that senders may follow; null while there is none, or while its home is not heard of.
     */
    @Nullable
    ShardHome home(Assignment assignment) {
        Session session = sessions.get(assignment.home);
        if (!assignment.confirmed || assignment.handoff != null || session == null || session.gone) {
            return null;
        }
        return new ShardHome(
                assignment.shard, assignment.version, assignment.token, assignment.home, session.profile.lanes());
    }

    /** Whether there is such a shard, and its token may have been given by this reign or by one before. */
    boolean isPossible(ShardReport report, int numberOfShards) {
        return report.shard() >= 0
                && report.shard() < numberOfShards
                && report.token().term() <= term.number();
    }

    /** Whether the home has said that it runs the shard under this token. */
    boolean isHome(int shard, NodeId node, FencingToken token) {
        Assignment assignment = assignments.get(shard);
        return assignment != null && assignment.home.equals(node) && assignment.token.equals(token);
    }

    int hostingSessions() {
        int count = 0;
        for (Session session : sessions.values()) {
            count += session.hosts() ? 1 : 0;
        }
        return count;
    }

    /**
     * All nodes that may run shards by a lease, and the proxies that may send to a home of which they were told here:
     * one that is gone may be cut off, and no move waits for it.
     */
    Set<NodeId> leaseHolders() {
        Set<NodeId> holders = new LinkedHashSet<>();
        for (Session session : sessions.values()) {
            if (!session.profile.proxy() || !session.gone) {
                holders.add(session.node);
            }
        }
        return holders;
    }

    boolean someoneAccepts() {
        for (Session session : sessions.values()) {
            if (session.accepts(now, times)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the node of the shard's home is not there any more, while its lease may still hold. */
    boolean isHomeGone(Assignment assignment) {
        Session home = sessions.get(assignment.home);
        return home == null || home.gone;
    }

    /** Whether a region other than the shard's home would be given it now. */
    boolean isTakenElsewhere(Assignment assignment) {
        for (Session session : sessions.values()) {
            if (!session.node.equals(assignment.home)
                    && session.accepts(now, times)
                    && !session.isEnding(assignment.shard)) {
                return true;
            }
        }
        return false;
    }

    List<Assignment> assignmentsOf(Session session) {
        return assignments(session.shards);
    }

    /** The shards that leave their home or wait for their turn to. */
    List<Assignment> assignmentsInHandoff() {
        return assignments(inHandoff);
    }

    private List<Assignment> assignments(Set<Integer> shards) {
        List<Assignment> found = new ArrayList<>(shards.size());
        for (int shard : shards) {
            Assignment assignment = assignments.get(shard);
            if (assignment != null) {
                found.add(assignment);
            }
        }
        return found;
    }

    @Override
    public Set<NodeId> regions() {
        Set<NodeId> hosts = new LinkedHashSet<>();
        for (Session session : sessions.values()) {
            if (session.hosts() && (session.accepts(now, times) || !session.shards.isEmpty())) {
                hosts.add(session.node);
            }
        }
        return hosts;
    }

    @Override
    public RegionInfo region(NodeId region) {
        Session session = known(region);
        boolean up = session.accepts(now, times);
        return new RegionInfo(region, session.profile.appVersion(), up ? MemberStatus.UP : MemberStatus.LEAVING);
    }

    @Override
    public SortedSet<Integer> shardsOf(NodeId region) {
        return Collections.unmodifiableSortedSet(known(region).shards);
    }

    @Override
    public int count(NodeId region) {
        return known(region).shards.size();
    }

    private Session known(NodeId region) {
        Session session = sessions.get(region);
        if (session == null) {
            throw new NoSuchElementException("no region on node " + region);
        }
        return session;
    }

    @Override
    public Set<Integer> inHandoff() {
        return Collections.unmodifiableSet(inHandoff);
    }

    @Override
    public Set<Integer> resting() {
        Set<Integer> resting = new LinkedHashSet<>();
        for (Assignment assignment : assignments.values()) {
            if (now < assignment.restUntil) {
                resting.add(assignment.shard);
            }
        }
        shardOrders.pins().forEach((shard, node) -> {
            Assignment assignment = assignments.get(shard);
            if (assignment != null && assignment.home.equals(node)) {
                resting.add(shard);
            }
        });
        return resting;
    }

    @Override
    public boolean memberUnreachable() {
        for (Session session : sessions.values()) {
            if (session.gone) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean memberJoining() {
        for (Session session : sessions.values()) {
            if (session.hosts() && !session.leaving && !session.draining && session.echo == 0) {
                return true;
            }
        }
        return false;
    }
}
