package io.shardbus.core.region;

import io.shardbus.core.protocol.ShardHome;
import io.shardbus.core.protocol.ShardReport;
import io.shardbus.core.protocol.ToCoordinator;
import io.shardbus.core.protocol.ToRegion.HostShard;
import io.shardbus.model.FencingToken;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The shards that a region is home of, the stopped shards whose end the coordinator has not confirmed, and, where
 * external leases are required, the shards that wait for theirs. A waiting shard is not acknowledged: no region is told
 * of its home, so its messages wait with their senders, in order and within their bounds, and no handoff of it can
 * begin.
 */
final class OwnShards {
    private final List<RegionCommand> commands;
    private final TreeMap<Integer, FencingToken> hosted = new TreeMap<>();
    private final TreeMap<Integer, FencingToken> stopped = new TreeMap<>();
    /**
     * Shards that are lost while code of their entities still runs here: none of them is started again before it has
     * ended.
     */
    private final TreeMap<Integer, FencingToken> ending = new TreeMap<>();
    /**
     * The newest token under which each shard has ended here. An order to host that token may still arrive after the
     * coordinator has recorded the end: it is ignored.
     */
    private final Map<Integer, FencingToken> ended = new HashMap<>();

    private final TreeMap<Integer, HostShard> waiting = new TreeMap<>();
    private final Set<Integer> leased = new HashSet<>();
    private boolean leasesRequired;
    /**
     * Orders whose lane still asks the former home for the states that entities have handed over, and those for which
     * it has.
     */
    private final Map<Integer, HostShard> fetching = new HashMap<>();

    private final Map<Integer, FencingToken> fetched = new HashMap<>();
    private final Set<Integer> givesStates = new HashSet<>();
    /** Shards of {@link #givesStates} that have stopped since the last registration. */
    private final Set<Integer> notListed = new HashSet<>();

    private TermId listedIn = TermId.NONE;

    OwnShards(List<RegionCommand> commands) {
        this.commands = commands;
    }

    Map<Integer, FencingToken> hosted() {
        return hosted;
    }

    /** The shards that cannot be started here now, though they are not at home here any more. */
    Map<Integer, FencingToken> ending() {
        return ending;
    }

    /** The last code of a lost shard has ended on its lane. */
    void codeEnded(int shard, FencingToken token) {
        ending.remove(shard, token);
    }

    void requireLeases() {
        leasesRequired = true;
    }

    /**
     * Takes an order to host; true when the shard is at home here under its token and the coordinator may know.
     *
     * @param mayWait whether the shard may wait for its lease; if not, it is given back
     */
    boolean host(HostShard order, boolean mayWait) {
        FencingToken present = hosted.get(order.shard());
        if (present != null) {
            return present.equals(order.token());
        }
        FencingToken over = ended.get(order.shard());
        // a repeated order may come when the life that it is about is over already
        if (over != null && !order.token().isNewerThan(over)) {
            return false;
        }
        if (ending.containsKey(order.shard())) {
            end(order.shard(), order.token());
            return false;
        }
        if (!hasStates(order)) {
            return false;
        }
        if (leasesRequired && !leased.contains(order.shard())) {
            if (!mayWait) {
                end(order.shard(), order.token());
            } else if (waiting.put(order.shard(), order) == null) {
                commands.add(new RegionCommand.WantLease(order.shard(), true));
            }
            return false;
        }
        hosted.put(order.shard(), order.token());
        fetched.remove(order.shard());
        stopped.remove(order.shard());
        givesStates.remove(order.shard());
        commands.add(new RegionCommand.HostShard(order.shard(), order.token()));
        return true;
    }

    /** Whether there is nothing to fetch from the former home, or it has come. */
    private boolean hasStates(HostShard order) {
        ShardHome former = order.former();
        if (former == null || order.token().equals(fetched.get(order.shard()))) {
            return true;
        }
        HostShard known = fetching.put(order.shard(), order);
        if (known == null || !known.token().equals(order.token())) {
            commands.add(new RegionCommand.FetchStates(order.shard(), order.token(), former));
        }
        return false;
    }

    /** The lane has what there is: the order that waited for it goes on. */
    void fetched(int shard, FencingToken token, Consumer<HostShard> goOn) {
        HostShard order = fetching.get(shard);
        if (order != null && order.token().equals(token)) {
            fetching.remove(shard);
            fetched.put(shard, token);
            goOn.accept(order);
        }
    }

    /**
     * A lease is held: the order that waited for it goes on, and without one the lease is given back. Or it is lost.
     */
    void leaseChanged(int shard, boolean held, Consumer<HostShard> goOn) {
        if (!held) {
            leaseLost(shard);
            return;
        }
        HostShard order = waiting.remove(shard);
        if (order != null) {
            leased.add(shard);
            goOn.accept(order);
        }
        if (!hosted.containsKey(shard)) {
            leased.remove(shard);
            commands.add(new RegionCommand.WantLease(shard, false));
        }
    }

    /** When the shard has stopped, the coordinator gives it a home again. */
    private void leaseLost(int shard) {
        FencingToken token = hosted.get(shard);
        if (token != null && leased.remove(shard)) {
            commands.add(new RegionCommand.StopShard(shard, token));
        }
    }

    /** A region that leaves gives shards back for which it still waits. */
    void waitForNone() {
        waiting.forEach((shard, order) -> end(shard, order.token()));
        stopWaiting();
    }

    private void stopWaiting() {
        waiting.keySet().forEach(shard -> commands.add(new RegionCommand.WantLease(shard, false)));
        waiting.clear();
        fetching.clear();
    }

    /** A lane has stopped the shard; false if it was given up already. */
    boolean stopped(int shard, FencingToken token, boolean states) {
        boolean was = hosted.remove(shard, token);
        codeEnded(shard, token);
        if (was) {
            leased.remove(shard);
            end(shard, token);
            if (states) {
                givesStates.add(shard);
                notListed.add(shard);
            }
        }
        return was;
    }

    private void end(int shard, FencingToken token) {
        stopped.put(shard, token);
        ended.put(shard, token);
    }

    /**
     * Stopped shards that the coordinator has not confirmed. It goes before every heartbeat: what is sent in one turn
     * travels together, so no list says that a shard is gone before its states are known.
     */
    List<ToCoordinator.ShardStopped> unrecordedStops() {
        List<ToCoordinator.ShardStopped> stops = new ArrayList<>();
        stopped.forEach(
                (shard, token) -> stops.add(new ToCoordinator.ShardStopped(shard, token, givesStates.contains(shard))));
        return stops;
    }

    void stopRecorded(int shard, FencingToken token) {
        if (stopped.remove(shard, token)) {
            givesStates.remove(shard);
        }
    }

    /**
     * The shards at home here, for a registration. What has stopped is said before: a reign that opens with this
     * registration gives shards away at once that are not listed. It may have done so all the same, as a message may be
     * lost, before it hears of their states, and the one after it would not know of the life between: that one is not
     * told that there are states.
     */
    List<ShardReport> listAnew(TermId term, Consumer<ToCoordinator.ShardStopped> before) {
        if (!term.equals(listedIn)) {
            listedIn = term;
            givesStates.retainAll(notListed);
        }
        notListed.clear();
        unrecordedStops().forEach(before);
        return ShardReport.listOf(hosted);
    }

    /**
     * Shards that the coordinator did not keep have another home. Waiting shards are ordered again if they still belong
     * here.
     */
    void keepOnly(Collection<Integer> kept) {
        stopWaiting();
        for (Map.Entry<Integer, FencingToken> entry : new ArrayList<>(hosted.entrySet())) {
            if (!kept.contains(entry.getKey())) {
                hosted.remove(entry.getKey());
                leased.remove(entry.getKey());
                ending.put(entry.getKey(), entry.getValue());
                commands.add(new RegionCommand.DropShard(entry.getKey(), entry.getValue()));
            }
        }
    }

    /** The lanes stop everything, or have: nothing is at home here any more. */
    void forget() {
        stopWaiting();
        hosted.clear();
        fetched.clear();
        leased.clear();
        givesStates.clear();
    }

    /** The lanes stop everything, and the region goes on: what they have not ended yet is not started again. */
    void lapse() {
        ending.putAll(hosted);
        forget();
        stopped.clear();
    }
}
