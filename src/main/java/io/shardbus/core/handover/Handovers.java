package io.shardbus.core.handover;

import io.shardbus.FencingToken;
import io.shardbus.NodeId;
import io.shardbus.core.entity.EntityState;
import io.shardbus.core.entity.FrameItem;
import io.shardbus.core.entity.HandoverOutcome;
import io.shardbus.core.entity.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The states of moving shards on one lane: those that wait here for the next home to ask for them, and those that were asked for.
 * Who asks names the token of the life that ended; states of any other life are not given.
 */
public final class Handovers {
    private final NodeId self;
    private final HandoverSettings settings;
    private final HandoverPort port;
    private final Map<Integer, Shelved> shelf = new HashMap<>();
    private final Map<Integer, Arrival> arrivals = new HashMap<>();
    private long bytes;

    public Handovers(NodeId self, HandoverSettings settings, HandoverPort port) {
        this.self = self;
        this.settings = settings;
        this.port = port;
    }

    /** Whether no state waits here for another node. */
    public boolean isEmpty() {
        return shelf.isEmpty();
    }

    /** An entity of a shard that stops for a move hands this over. */
    public void give(int shard, FencingToken token, EntityState state) {
        Shelved present = shelf.get(shard);
        if (present != null && !present.token.equals(token)) {
            dropShelved(shard, present, HandoverOutcome.LOST);
            present = null;
        }
        if (admit(state)) {
            if (present == null) {
                present = new Shelved(token);
                shelf.put(shard, present);
            }
            present.states.add(state);
        }
    }

    private boolean admit(EntityState state) {
        int length = state.bytes().length;
        if (length > settings.entityBytes() || bytes + length > settings.laneBytes()) {
            port.count(HandoverOutcome.TOO_LARGE, 1);
            return false;
        }
        bytes += length;
        return true;
    }

    /** A state is no longer kept on this lane. */
    public void release(EntityState state) {
        bytes -= state.bytes().length;
    }

    /**
     * The shard has stopped.
     *
     * @param moves whether the coordinator finds it a next home; else nobody will ask
     * @return whether there are states for it
     */
    public boolean stopped(int shard, FencingToken token, boolean moves, long now) {
        Shelved present = shelf.get(shard);
        if (present == null || !present.token.equals(token)) {
            return false;
        }
        if (!moves) {
            dropShelved(shard, present, HandoverOutcome.LOST);
            return false;
        }
        present.until = now + settings.timeout();
        return true;
    }

    private void dropShelved(int shard, Shelved dropped, HandoverOutcome outcome) {
        shelf.remove(shard, dropped);
        drop(dropped.states, outcome);
    }

    private void drop(List<EntityState> states, HandoverOutcome outcome) {
        states.forEach(this::release);
        count(outcome, states.size());
    }

    private void count(HandoverOutcome outcome, int entities) {
        if (entities > 0) {
            port.count(outcome, entities);
        }
    }

    /** Another lane is the next home's and wants the states of the life that ended. */
    public void asked(PeerLane from, FrameItem.WantStates wanted) {
        List<EntityState> found = take(wanted.shard(), wanted.token());
        sendAll(found, wanted, item -> port.send(from, item));
        found.forEach(this::release);
    }

    private List<EntityState> take(int shard, FencingToken token) {
        Shelved present = shelf.get(shard);
        if (present == null || !present.token.equals(token) || present.until == Long.MAX_VALUE) {
            return List.of();
        }
        shelf.remove(shard);
        return present.states;
    }

    private static void sendAll(List<EntityState> found, FrameItem.WantStates wanted, Consumer<FrameItem.State> way) {
        int remaining = found.size();
        for (EntityState state : found) {
            way.accept(new FrameItem.State(wanted.shard(), wanted.token(), state, remaining--));
        }
        way.accept(new FrameItem.State(wanted.shard(), wanted.token(), null, 0));
    }

    /** The shard is to be at home here under this token, and had another home until just now. */
    public void fetch(FencingToken token, ShardHome former, long now) {
        int shard = former.shard();
        Arrival present = arrivals.get(shard);
        if (present != null && present.token.equals(token)) {
            if (present.complete) {
                port.ready(shard, token);
            }
            return;
        }
        dropArrival(shard, HandoverOutcome.LOST);
        Arrival arrival = new Arrival(token, former, now + settings.timeout());
        arrivals.put(shard, arrival);
        if (former.home().equals(self)) {
            arrival.states.addAll(take(shard, former.token()));
            complete(arrival, now);
        } else {
            PeerLane home = new PeerLane(former.home(), shard % former.lanes());
            port.send(home, new FrameItem.WantStates(shard, former.token()));
        }
    }

    /** A state that was asked for, or word that no more follow. */
    public void arrived(FrameItem.State item, long now) {
        Arrival arrival = arrivals.get(item.shard());
        EntityState state = item.state();
        if (arrival == null || arrival.complete || !arrival.former.token().equals(item.token())) {
            count(HandoverOutcome.LOST, state == null ? 0 : 1);
            return;
        }
        count(HandoverOutcome.LOST, arrival.follow(item.remaining()));
        if (state == null) {
            complete(arrival, now);
        } else if (admit(state)) {
            arrival.states.add(state);
        }
    }

    private void complete(Arrival arrival, long now) {
        arrival.complete = true;
        arrival.until = now + settings.timeout();
        port.ready(arrival.former.shard(), arrival.token);
    }

    /** The shard is at home here: the states that have come for this life of it. */
    public List<EntityState> open(int shard, FencingToken token) {
        Arrival arrival = arrivals.get(shard);
        if (arrival == null || !arrival.complete || !arrival.token.equals(token)) {
            dropArrival(shard, HandoverOutcome.LOST);
            return List.of();
        }
        arrivals.remove(shard);
        return arrival.states;
    }

    private void dropArrival(int shard, HandoverOutcome outcome) {
        Arrival dropped = arrivals.remove(shard);
        if (dropped != null) {
            drop(dropped.states, outcome);
        }
    }

    /** The shard ends here and its states do not move. */
    public void lose(EntityState state) {
        drop(List.of(state), HandoverOutcome.LOST);
    }

    /** Nothing more comes from this node. */
    public void nodeGone(NodeId node, long now) {
        for (Arrival arrival : List.copyOf(arrivals.values())) {
            if (!arrival.complete && arrival.former.home().equals(node)) {
                count(HandoverOutcome.LOST, arrival.missing());
                complete(arrival, now);
            }
        }
    }

    /** The lane ends: what is here, and what does not come any more, reaches no instance. */
    public void close() {
        for (Map.Entry<Integer, Shelved> entry : List.copyOf(shelf.entrySet())) {
            dropShelved(entry.getKey(), entry.getValue(), HandoverOutcome.LOST);
        }
        for (Arrival arrival : List.copyOf(arrivals.values())) {
            count(HandoverOutcome.LOST, arrival.complete ? 0 : arrival.missing());
            dropArrival(arrival.former.shard(), HandoverOutcome.LOST);
        }
    }

    /** Time passed: nobody waits for ever. */
    public void tick(long now) {
        for (Map.Entry<Integer, Shelved> entry : List.copyOf(shelf.entrySet())) {
            if (now >= entry.getValue().until) {
                dropShelved(entry.getKey(), entry.getValue(), HandoverOutcome.TIMED_OUT);
            }
        }
        for (Arrival arrival : List.copyOf(arrivals.values())) {
            if (now >= arrival.until) {
                overdue(arrival, now);
            }
        }
    }

    private void overdue(Arrival arrival, long now) {
        if (arrival.complete) {
            dropArrival(arrival.former.shard(), HandoverOutcome.TIMED_OUT);
        } else {
            count(HandoverOutcome.TIMED_OUT, arrival.missing());
            complete(arrival, now);
        }
    }

    /** The bytes of all states on this lane. */
    public long bytes() {
        return bytes;
    }
}
