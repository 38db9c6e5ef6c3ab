package io.shardbus.core.coordinator;

import io.shardbus.core.protocol.LeaseTimes;
import io.shardbus.core.protocol.RegionProfile;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator.ShardStopped;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.core.protocol.ToRegion.ShardHomes;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The wanted shards without a home, and how they get one: those with most requesters first. */
final class Placement {
    private static final Comparator<Map.Entry<Integer, Set<NodeId>>> MOST_REQUESTERS = Comparator.comparingInt(
            (Map.Entry<Integer, Set<NodeId>> entry) -> -entry.getValue().size());

    private final ShardTable table;
    private final Supplier<CoordinatorSettings> settings;
    private final ShardOrders shardOrders;
    private final List<CoordinatorCommand> commands;
    private final Map<Integer, Set<NodeId>> wanted = new LinkedHashMap<>();
    private final Set<Integer> asked = new HashSet<>();
    /** The former homes of shards that were freed while the whole cluster was about to stop. */
    private final Map<Integer, NodeId> heldBack = new HashMap<>();
    /** Former homes that keep states of entities for the next home of the shard, and for no later one. */
    private final Map<Integer, ShardHome> formers = new HashMap<>();
    /** The newest life of each shard of which this reign knows that it is over. */
    private final Map<Integer, FencingToken> ended = new HashMap<>();

    /** Reports of stopped shards from regions that are not registered yet. */
    private final Map<NodeId, Map<Integer, ShardStopped>> unregistered = new HashMap<>();

    private long nextTry = LeaseTimes.NEVER;

    Placement(
            ShardTable table,
            Supplier<CoordinatorSettings> settings,
            List<CoordinatorCommand> commands,
            ShardOrders shardOrders) {
        this.shardOrders = shardOrders;
        this.table = table;
        this.settings = settings;
        this.commands = commands;
    }

    /** A requester wants a home for the shard. */
    void want(int shard, NodeId requester) {
        if (wanted.computeIfAbsent(shard, key -> new LinkedHashSet<>()).add(requester)) {
            nextTry = LeaseTimes.NEVER;
        }
    }

    /** Asks the strategy for each wanted shard, once. */
    void placeWaiting(boolean mayAllocate, long now) {
        if (!mayAllocate || wanted.isEmpty() || now < nextTry) {
            return;
        }
        nextTry = now + settings.get().retryInterval() / 4;
        for (Map.Entry<Integer, Set<NodeId>> entry : inOrder()) {
            if (asked.add(entry.getKey())) {
                NodeId requester = entry.getValue().iterator().next();
                commands.add(new CoordinatorCommand.PlaceShard(entry.getKey(), requester));
            }
        }
    }

    private List<Map.Entry<Integer, Set<NodeId>>> inOrder() {
        List<Map.Entry<Integer, Set<NodeId>>> entries = new ArrayList<>(wanted.entrySet());
        entries.sort(MOST_REQUESTERS);
        return entries;
    }

    /** The strategy has answered; a home that does not accept shards now is no answer, and it is asked again later. */
    void placed(int shard, @Nullable NodeId home, boolean mayAllocate, long now) {
        asked.remove(shard);
        Session session = takerOf(shard, wished(shard, home, now), now);
        Assignment present = table.assignment(shard);
        if (present != null) {
            settled(present);
        } else if (mayAllocate
                && session != null
                && session.accepts(now, settings.get().times())) {
            wanted.remove(shard);
            shardOrders.forget(shard);
            Assignment assignment = new Assignment(shard, session.node, table.nextToken());
            assignment.former = formers.remove(shard);
            assignment.chosenAt = now;
            table.assign(assignment);
            host(assignment, session);
        }
    }

    /** The region that an operator wants for the shard, if that region takes it; else the strategy's choice. */
    private @Nullable Session wished(int shard, @Nullable NodeId home, long now) {
        NodeId target = shardOrders.target(shard);
        Session there = target == null ? null : table.session(target);
        if (there != null && there.accepts(now, settings.get().times()) && !there.isEnding(shard)) {
            return there;
        }
        Session chosen = home == null ? null : table.session(home);
        NodeId avoided = shardOrders.avoided(shard);
        Session other = avoided != null && avoided.equals(home) ? fewest(shard, avoided, now) : null;
        return other == null ? chosen : other;
    }

    /** The region with fewest shards of those that take the shard, but for one. */
    private @Nullable Session fewest(int shard, NodeId without, long now) {
        Session taker = null;
        for (Session session : table.sessions()) {
            boolean takes = !session.node.equals(without)
                    && session.accepts(now, settings.get().times())
                    && !session.isEnding(shard);
            if (takes && (taker == null || session.shards.size() < taker.shards.size())) {
                taker = session;
            }
        }
        return taker;
    }

    /**
     * The strategy's choice; where code of the shard's last life still runs on its node, the region with fewest shards
     * of the others.
     */
    private @Nullable Session takerOf(int shard, @Nullable Session chosen, long now) {
        if (chosen == null || !chosen.isEnding(shard)) {
            return chosen;
        }
        return fewest(shard, chosen.node, now);
    }

    /**
     * The shard has no home any more.
     *
     * @param stopping whether the whole cluster is about to stop: it then gets a home only if it is asked for
     */
    void freed(Assignment assignment, boolean stopping) {
        ended.merge(assignment.shard, assignment.token, (one, other) -> one.isNewerThan(other) ? one : other);
        if (stopping) {
            heldBack.put(assignment.shard, assignment.home);
        } else {
            want(assignment.shard, assignment.home);
        }
    }

    /** The cluster does not stop after all: shards that were freed meanwhile get homes. */
    void goOn() {
        Map<Integer, NodeId> all = Map.copyOf(heldBack);
        heldBack.clear();
        all.forEach((shard, home) -> {
            if (table.assignment(shard) == null) {
                want(shard, home);
            }
        });
    }

    /**
     * The reason why no home can have said this, or why it cannot be kept until the home registers; null if there is
     * none.
     *
     * @param most the number of the type's shards, or the largest possible one while it is not settled
     */
    @Nullable
    String refusal(ShardStopped message, NodeId from, int most) {
        if (!table.isPossible(new ShardReport(message.shard(), message.token()), most)) {
            return from + " stopped shard " + message.shard() + " under " + message.token()
                    + ", which it cannot have been given";
        }
        Map<Integer, ShardStopped> kept = unregistered.getOrDefault(from, Map.of());
        boolean isNew = table.session(from) == null && !kept.containsKey(message.shard());
        return isNew && unregistered.values().stream().mapToInt(Map::size).sum() >= RegionProfile.MOST_SHARDS
                ? from + " has no region here, and stopped more shards than a type has"
                : null;
    }

    /**
     * A home says that its entities of the shard have ended, perhaps under the reign before, which did not find a next
     * home any more. The states that they have handed over are for the next home if no newer life is known.
     */
    void stopped(ShardStopped message, NodeId from) {
        Session home = table.session(from);
        if (home == null) {
            unregistered.computeIfAbsent(from, key -> new LinkedHashMap<>()).put(message.shard(), message);
        } else {
            stopped(message, home);
        }
    }

    /** A region registers: shards that it had reported as stopped before are treated as stopped now. */
    void registered(Session home) {
        Map<Integer, ShardStopped> stops = unregistered.remove(home.node);
        if (stops != null) {
            stops.values().forEach(stop -> stopped(stop, home));
        }
    }

    private void stopped(ShardStopped message, Session home) {
        int shard = message.shard();
        FencingToken known = ended.getOrDefault(shard, FencingToken.NONE);
        if (!home.mayHost(shard) || table.assignment(shard) != null || known.isNewerThan(message.token())) {
            return;
        }
        ended.put(shard, message.token());
        if (message.states()) {
            formers.put(shard, new ShardHome(shard, message.token(), message.token(), home.node, home.profile.lanes()));
            // perhaps no message will come for it, and entities that were live are to be live again
            want(shard, home.node);
        } else if (message.token().isNewerThan(known)) {
            formers.remove(shard);
        }
    }

    /** A node that is no member cannot be asked for states. */
    void viewChanged(Set<NodeId> members) {
        formers.values().removeIf(former -> !members.contains(former.home()));
        unregistered.keySet().retainAll(members);
    }

    /** Tells the home; again until it has confirmed. */
    void host(Assignment assignment, Session session) {
        commands.add(new CoordinatorCommand.Send(
                session.node, new HostShard(session.attempt, assignment.shard, assignment.token, assignment.former)));
    }

    /** The shard has turned out to have a home; regions that have asked for it before are told. */
    void settled(Assignment assignment) {
        formers.remove(assignment.shard);
        Set<NodeId> requesters = wanted.remove(assignment.shard);
        ShardHome home = table.home(assignment);
        if (requesters == null || home == null) {
            return;
        }
        for (NodeId requester : requesters) {
            Session session = table.session(requester);
            if (session != null && !session.gone) {
                commands.add(new CoordinatorCommand.Send(requester, new ShardHomes(List.of(home))));
            }
        }
    }

    /** The shards that wait for a home. */
    int waiting() {
        return wanted.size();
    }
}
