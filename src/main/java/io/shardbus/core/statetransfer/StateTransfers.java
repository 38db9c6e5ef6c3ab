package io.shardbus.core.statetransfer;

import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.FrameItem;
import io.shardbus.core.protocol.PeerLane;
import io.shardbus.core.protocol.ShardHome;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The states of moving shards on one lane: those that wait here for the next home to ask for them, and those that were
 * asked for. The request names the token under which the shard lived here; states of any other token are not given.
 */
public final class StateTransfers {
    private final NodeId self;
    private final StateTransferSettings settings;
    private final StateTransferPort port;
    private final Map<Integer, Shelved> shelf = new HashMap<>();
    private final Map<Integer, Arrival> arrivals = new HashMap<>();
    private long bytes;
    private boolean closing;

    public StateTransfers(NodeId self, StateTransferSettings settings, StateTransferPort port) {
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
        clearFor(shard, token);
        if (admit(shard, state)) {
            shelve(shard, token, state);
        }
    }

    /** Drops states of an earlier stay of the shard on this node, so that they do not mix with those of this stay. */
    private void clearFor(int shard, FencingToken token) {
        Shelved present = shelf.get(shard);
        if (present != null && !present.token.equals(token)) {
            dropShelved(shard, present, StateTransferOutcome.LOST, "the shard was at home here again since");
        }
    }

    private void shelve(int shard, FencingToken token, EntityState state) {
        shelf.computeIfAbsent(shard, none -> new Shelved(token)).states.add(state);
    }

    /** Whether a shard that could as well stay does not move while a state of it cannot. */
    public boolean isRequired() {
        return settings.required();
    }

    /**
     * The same as {@link #give} of an entity whose shard may still stay: why there is no room for it; null if there is.
     */
    public @Nullable String offer(int shard, FencingToken token, EntityState state) {
        clearFor(shard, token);
        String refusal = refusal(state);
        if (refusal == null) {
            bytes += state.bytes().length;
            shelve(shard, token, state);
        }
        return refusal;
    }

    /** The shard stays: what its entities have offered is void. */
    public void withdraw(int shard, FencingToken token) {
        Shelved present = shelf.get(shard);
        if (present != null && present.token.equals(token)) {
            shelf.remove(shard);
            present.states.forEach(this::release);
        }
    }

    private boolean admit(int shard, EntityState state) {
        String refusal = refusal(state);
        if (refusal != null) {
            port.lost(StateLoss.of(StateTransferOutcome.TOO_LARGE, shard, state, refusal));
            return false;
        }
        bytes += state.bytes().length;
        return true;
    }

    /** The reason why there is no room for a state; null if there is. */
    private @Nullable String refusal(EntityState state) {
        int length = state.bytes().length;
        if (length > settings.entityBytes()) {
            return "it has more than maxPayloadBytes, " + settings.entityBytes();
        }
        return bytes + length > settings.laneBytes()
                ? bytes + " bytes of states are on its lane already, and handoverBytes allow " + settings.laneBytes()
                        + " there"
                : null;
    }

    /** A state is no longer kept on this lane. */
    public void release(EntityState state) {
        bytes -= state.bytes().length;
    }

    /**
     * The shard has stopped.
     *
     * @param moves whether the coordinator finds it a next home; else no home will ask
     * @return whether there are states for it
     */
    public boolean stopped(int shard, FencingToken token, boolean moves, long now) {
        Shelved present = shelf.get(shard);
        if (present == null || !present.token.equals(token)) {
            return false;
        }
        if (!moves) {
            dropShelved(shard, present, StateTransferOutcome.LOST, "the shard ends here and does not move");
            return false;
        }
        present.until = now + settings.timeout();
        return true;
    }

    private void dropShelved(int shard, Shelved dropped, StateTransferOutcome outcome, String reason) {
        shelf.remove(shard, dropped);
        // one without bytes only says that its entity ran, as a worker's does: nothing is lost with it
        dropped.states.removeIf(state -> state.bytes().length == 0);
        drop(shard, dropped.states, outcome, reason);
    }

    private void drop(int shard, List<EntityState> states, StateTransferOutcome outcome, String reason) {
        states.forEach(this::release);
        states.forEach(state -> tell(StateLoss.of(outcome, shard, state, reason)));
    }

    private void lost(Arrival arrival, StateTransferOutcome outcome, int entities, String reason) {
        if (entities > 0) {
            tell(StateLoss.of(outcome, arrival.former.shard(), entities, reason));
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
        dropArrival(shard, StateTransferOutcome.LOST, "the shard was assigned again before it was at home here");
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
            if (state != null) {
                port.lost(StateLoss.of(StateTransferOutcome.LOST, item.shard(), state, "it came too late"));
            }
            return;
        }
        int gap = arrival.follow(item.remaining());
        lost(arrival, StateTransferOutcome.LOST, gap, "the former home sent it, and it did not arrive");
        if (state == null) {
            complete(arrival, now);
        } else if (admit(item.shard(), state)) {
            arrival.states.add(state);
        }
    }

    private void complete(Arrival arrival, long now) {
        arrival.complete = true;
        arrival.until = now + settings.timeout();
        port.ready(arrival.former.shard(), arrival.token);
    }

    /** The shard is at home here: the states that have arrived for this stay. */
    public List<EntityState> open(int shard, FencingToken token) {
        Arrival arrival = arrivals.get(shard);
        if (arrival == null || !arrival.complete || !arrival.token.equals(token)) {
            dropArrival(shard, StateTransferOutcome.LOST, "the shard is at home here under another token");
            return List.of();
        }
        arrivals.remove(shard);
        return arrival.states;
    }

    private void dropArrival(int shard, StateTransferOutcome outcome, String reason) {
        Arrival dropped = arrivals.remove(shard);
        if (dropped != null) {
            drop(shard, dropped.states, outcome, reason);
        }
    }

    /** The shard ends here and its states do not move. */
    public void lose(int shard, EntityState state) {
        drop(shard, List.of(state), StateTransferOutcome.LOST, "the shard ended here before an instance took it");
    }

    /** Nothing more comes from this node. */
    public void nodeGone(NodeId node, long now) {
        for (Arrival arrival : List.copyOf(arrivals.values())) {
            if (!arrival.complete && arrival.former.home().equals(node)) {
                lost(arrival, StateTransferOutcome.LOST, arrival.missing(), "its former home " + node + " has left");
                complete(arrival, now);
            }
        }
    }

    private void tell(StateLoss loss) {
        port.lost(closing ? loss.atEnd() : loss);
    }

    /** The lane ends: what is here, and what does not come any more, reaches no instance. */
    public void close() {
        closing = true;
        for (Map.Entry<Integer, Shelved> entry : List.copyOf(shelf.entrySet())) {
            dropShelved(
                    entry.getKey(),
                    entry.getValue(),
                    StateTransferOutcome.LOST,
                    "the region left before it was fetched");
        }
        for (Arrival arrival : List.copyOf(arrivals.values())) {
            String reason = "the region left before the shard was at home here";
            lost(arrival, StateTransferOutcome.LOST, arrival.complete ? 0 : arrival.missing(), reason);
            dropArrival(arrival.former.shard(), StateTransferOutcome.LOST, reason);
        }
    }

    /** Time passed: states are kept for a limited time. */
    public void tick(long now) {
        for (Map.Entry<Integer, Shelved> entry : List.copyOf(shelf.entrySet())) {
            if (now >= entry.getValue().until) {
                dropShelved(
                        entry.getKey(),
                        entry.getValue(),
                        StateTransferOutcome.TIMED_OUT,
                        "no next home asked for it" + inTime());
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
            dropArrival(
                    arrival.former.shard(),
                    StateTransferOutcome.TIMED_OUT,
                    "the shard was not at home here" + inTime());
        } else {
            String reason = "the former home " + arrival.former.home() + " has not sent it" + inTime();
            lost(arrival, StateTransferOutcome.TIMED_OUT, arrival.missing(), reason);
            complete(arrival, now);
        }
    }

    private String inTime() {
        return " in handoverTimeoutMs, " + settings.timeout();
    }

    /** The bytes of all states on this lane. */
    public long bytes() {
        return bytes;
    }
}
