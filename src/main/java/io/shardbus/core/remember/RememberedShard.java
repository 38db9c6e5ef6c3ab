package io.shardbus.core.remember;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.model.FencingToken;
import io.shardbus.model.StartReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remembered ids of one shard at its home: the ids that are to have an entity, and which of them the store has. */
public final class RememberedShard {
    private static final int MOVES_UNDER_WAY = 100;
    private static final long FIRST_PAUSE = 50;
    private static final long NONE = 0;

    /** The hosted shard whose ids are remembered. */
    public interface Shard {
        int number();

        FencingToken token();

        long now();

        /** Whether entities may start without a message: the lease is valid, and the shard is not about to leave. */
        boolean startsByItself();

        /** The cell of an id that has none, or has one without an instance, starts one. */
        void start(String entityId, StartReason reason);

        /** The store has seen a newer token: the shard must end here. */
        void superseded();
    }

    /** A shard of a time with more shards, seen to by the home of one that there is now. */
    private record Leftover(int number, Shard keeper) implements Shard {
        @Override
        public FencingToken token() {
            return keeper.token();
        }

        @Override
        public long now() {
            return keeper.now();
        }

        @Override
        public boolean startsByItself() {
            return keeper.startsByItself();
        }

        @Override
        public void start(String entityId, StartReason reason) {
            throw new IllegalStateException("no id has shard " + number + " now, so not " + entityId);
        }

        @Override
        public void superseded() {
            keeper.superseded();
        }
    }

    private enum Phase {
        OPENING,
        READY,
        CLOSED
    }

    private final Shard shard;
    private final RememberedLane lane;
    private final RememberedIds ids = new RememberedIds();
    private final PendingChanges changes = new PendingChanges();
    private final Restarts restarts;
    private final ArrayDeque<String> toStart = new ArrayDeque<>();
    private final ArrayDeque<String> toMove = new ArrayDeque<>();
    /** Cells with messages that must not start before the store has answered. */
    private final Map<String, EntityCell> held = new LinkedHashMap<>();

    private Phase phase = Phase.OPENING;
    private boolean superseded;
    private boolean troubled;
    private long operations;
    private long underWay = NONE;
    private long deadline;
    private long nextTry = Long.MIN_VALUE;
    private long pause = FIRST_PAUSE;
    private long nextMove = Long.MIN_VALUE;
    private int moving;
    /**
     * The moment at which the store is asked for leftovers next; never again once it is asked, unless it does not say.
     */
    private long nextLook = Long.MIN_VALUE;

    RememberedShard(Shard shard, RememberedLane lane) {
        this.shard = shard;
        this.lane = lane;
        this.restarts =
                new Restarts(lane.settings().shortestBackoff(), lane.settings().longestBackoff());
    }

    int shard() {
        return shard.number();
    }

    RememberedShard leftover(int number, RememberedLane on) {
        return new RememberedShard(new Leftover(number, shard), on);
    }

    boolean isLeftoverOf(RememberedShard other) {
        return shard instanceof Leftover leftover && leftover.keeper == other.shard;
    }

    /** The store did not say: it is asked again. */
    void leftoversUnknown() {
        nextLook = shard.now() + lane.settings().retryInterval();
    }

    private void lookForLeftovers(long now) {
        if (phase == Phase.READY && now >= nextLook && !(shard instanceof Leftover)) {
            nextLook = Long.MAX_VALUE;
            lane.port().findLeftovers(shard.number(), shard.token());
        }
    }

    FencingToken token() {
        return shard.token();
    }

    /** Whether a message for this id may come in: it need not wait for the store, or there is room. */
    public boolean admits(String entityId, @Nullable EntityCell cell) {
        boolean live = cell != null && cell.isLive();
        return live || !lane.isFull() || !mustWait(entityId);
    }

    private boolean mustWait(String entityId) {
        IdState state = ids.state(entityId);
        return phase == Phase.OPENING || state == null || state == IdState.ADDING || state == IdState.REMOVING;
    }

    /** Gives a message to its cell, and counts it if it waits for the store. */
    public void offer(EntityCell cell, Envelope envelope) {
        boolean waits = !cell.isLive() && held.containsKey(cell.id());
        int before = cell.waiting();
        cell.offer(envelope);
        if (waits) {
            lane.waitFor(cell.waiting() - before);
        }
    }

    /** Whether an instance may start now; if not, the cell is started when the store has answered. */
    public boolean mayStart(EntityCell cell) {
        if (phase == Phase.CLOSED) {
            return true;
        }
        if (phase == Phase.OPENING || !isStored(cell.id())) {
            hold(cell);
            return false;
        }
        if (!ids.is(cell.id(), IdState.ACTIVE)) {
            ids.become(cell.id(), IdState.ACTIVE);
        }
        restarts.started(cell.id(), shard.now());
        return true;
    }

    private void hold(EntityCell cell) {
        if (held.putIfAbsent(cell.id(), cell) == null) {
            lane.waitFor(cell.waiting());
        }
    }

    /** Whether the store has the id; if not, it is to have it. */
    private boolean isStored(String id) {
        IdState state = ids.state(id);
        if (state == IdState.ADDING) {
            return false;
        }
        boolean stored = state != null && (state != IdState.REMOVING || changes.keep(id));
        if (!stored) {
            ids.become(id, IdState.ADDING);
            changes.add(id);
            lane.mark(this);
        }
        return stored;
    }

    /** The last instance of an id has ended. */
    public void ended(String id, boolean putAway) {
        release(id);
        if (phase != Phase.READY) {
            return;
        }
        if (putAway && (ids.is(id, IdState.ACTIVE) || ids.is(id, IdState.ADDING))) {
            remove(id);
        } else if (ids.is(id, IdState.ACTIVE)) {
            ids.become(id, IdState.RESTARTING);
            restarts.stopped(id, shard.now());
        }
    }

    private void remove(String id) {
        ids.become(id, IdState.REMOVING);
        restarts.forget(id);
        changes.remove(id);
        lane.mark(this);
    }

    /** The shard ends here; what is under way is fenced by its token. */
    public void close() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            List.copyOf(held.keySet()).forEach(this::release);
            trouble(false);
            lane.closed(this);
        }
    }

    private @Nullable EntityCell release(String id) {
        EntityCell cell = held.remove(id);
        if (cell != null) {
            lane.waitFor(-cell.waiting());
        }
        return cell;
    }

    boolean awaits(long operation) {
        return phase != Phase.CLOSED && operation == underWay;
    }

    /** Begins the next operation, if none is under way and there is one. */
    void proceed(long now) {
        boolean idle = phase == Phase.CLOSED || superseded || (phase == Phase.READY && changes.isEmpty());
        if (idle || underWay != NONE || now < nextTry) {
            return;
        }
        underWay = ++operations;
        deadline = now + lane.settings().timeout();
        RememberPort.Key key = new RememberPort.Key(shard.number(), shard.token(), underWay);
        if (phase == Phase.OPENING) {
            lane.port().open(key);
        } else {
            changes.begin();
            lane.port().store(key, changes.added(), changes.removed());
        }
    }

    void opened(Set<String> found) {
        succeeded();
        phase = Phase.READY;
        for (String id : found) {
            int home = lane.port().shardOf(id);
            boolean here = home == shard.number();
            // one that the type takes no more stays in the store
            if (home >= 0) {
                ids.become(id, here ? IdState.REMEMBERED : IdState.MOVING);
                (here ? toStart : toMove).add(id);
            }
        }
        startHeld(List.copyOf(held.keySet()));
        lane.mark(this);
    }

    void stored() {
        succeeded();
        List<String> stored = new ArrayList<>();
        changes.stored((id, added) -> {
            if (added) {
                ids.become(id, IdState.REMEMBERED);
                toStart.add(id);
                stored.add(id);
            } else {
                ids.remove(id);
            }
        });
        startHeld(stored);
        lane.mark(this);
    }

    private void startHeld(List<String> stored) {
        for (String id : stored) {
            EntityCell cell = release(id);
            if (cell != null) {
                cell.start(StartReason.MESSAGE);
            }
        }
    }

    private void succeeded() {
        underWay = NONE;
        pause = FIRST_PAUSE;
        trouble(false);
    }

    void failed() {
        underWay = NONE;
        changes.failed();
        nextTry = shard.now() + pause;
        pause = Math.min(2 * pause, lane.settings().retryInterval());
        trouble(true);
    }

    private void trouble(boolean is) {
        if (troubled != is) {
            troubled = is;
            lane.port().troubled(shard.number(), is);
        }
    }

    /** A shard that was refused at once by a store with a newer token would be back at once: it takes its time. */
    void stale() {
        underWay = NONE;
        superseded = true;
        nextTry = shard.now() + (phase == Phase.OPENING ? lane.settings().retryInterval() : 0);
    }

    void tick(long now) {
        if (underWay != NONE && now >= deadline) {
            failed();
        }
        if (superseded && now >= nextTry) {
            shard.superseded();
            return;
        }
        lookForLeftovers(now);
        if (phase == Phase.READY && shard instanceof Leftover && ids.size() == 0 && underWay == NONE) {
            close();
        } else if (phase == Phase.OPENING || !changes.isEmpty()) {
            lane.mark(this);
        }
    }

    /** Starts the next entity whose turn it is; false if there is none. */
    boolean startNext() {
        if (phase != Phase.READY || !shard.startsByItself()) {
            return false;
        }
        String failed = restarts.poll(shard.now(), id -> ids.is(id, IdState.RESTARTING));
        if (failed != null) {
            shard.start(failed, StartReason.RESTART);
            return true;
        }
        return startRemembered() || moveNext();
    }

    private boolean startRemembered() {
        while (!toStart.isEmpty() && !ids.is(toStart.element(), IdState.REMEMBERED)) {
            toStart.remove();
        }
        if (toStart.isEmpty() || !lane.port().takeStart()) {
            return false;
        }
        shard.start(toStart.remove(), StartReason.REMEMBERED);
        return true;
    }

    private boolean moveNext() {
        while (!toMove.isEmpty() && !ids.is(toMove.element(), IdState.MOVING)) {
            toMove.remove();
        }
        boolean may = !toMove.isEmpty() && moving < MOVES_UNDER_WAY && shard.now() >= nextMove;
        if (!may || !lane.port().takeStart()) {
            return false;
        }
        moving++;
        lane.port().startElsewhere(shard.number(), shard.token(), toMove.remove());
        return true;
    }

    void movedAway(String id, boolean started) {
        moving--;
        if (!ids.is(id, IdState.MOVING)) {
            return;
        }
        if (started) {
            remove(id);
        } else {
            toMove.add(id);
            nextMove = shard.now() + lane.settings().retryInterval();
        }
    }

    /** Whether the id is to have an entity. */
    public boolean remembers(String id) {
        IdState state = ids.state(id);
        return state != null && state != IdState.REMOVING;
    }

    /** Whether messages of the id, or its next instance, wait for the store. */
    public boolean isHeld(String id) {
        return held.containsKey(id);
    }

    /** Forgets an id that has no cell; false if it is not remembered, or the store has not been read yet. */
    public boolean forget(String id) {
        if (phase != Phase.READY || !remembers(id) || ids.is(id, IdState.MOVING)) {
            return false;
        }
        remove(id);
        return true;
    }

    /** The ids that are to have an entity. */
    public int remembered() {
        return ids.size() - ids.count(IdState.REMOVING);
    }

    /** The ids whose entity stopped by itself and waits for its pause. */
    public int restarting() {
        return ids.count(IdState.RESTARTING);
    }

    /** Whether the store fails for this shard. */
    boolean isTroubled() {
        return troubled;
    }
}
