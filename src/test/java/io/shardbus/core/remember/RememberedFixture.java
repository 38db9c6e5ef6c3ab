package io.shardbus.core.remember;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.entity.EntityCode;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.protocol.Envelope;
import io.shardbus.core.protocol.Failure;
import io.shardbus.model.FailureCode;
import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.RestartPolicy;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Shards of one lane, with their entities, a clock that is set, and a store that keeps what is asked of it. */
final class RememberedFixture implements RememberPort {
    static final FencingToken TOKEN = new FencingToken(1, 1, 1);
    static final int ROOM = 4;

    final List<String> log = new ArrayList<>();
    final RememberedLane lane;
    /** What the store was asked for last. */
    @Nullable
    Key key;

    int movedFrom = Integer.MAX_VALUE;
    int starts = Integer.MAX_VALUE;
    boolean broken;
    /** Whether an entity that is to stop does so only when the test says it. */
    boolean slowStops;

    long now;

    RememberedFixture() {
        lane = new RememberedLane(this);
    }

    /** A shard with its entities, as its home sees it. */
    final class Shard implements RememberedShard.Shard, EntityOwner {
        final int number;
        final RememberedShard memory;
        final Map<String, EntityCell> cells = new HashMap<>();
        boolean quiet;

        Shard(int number) {
            this.number = number;
            memory = lane.open(this);
        }

        void send(String id) {
            send(id, "message");
        }

        void send(String id, String message) {
            Envelope envelope = new Envelope(number, id, message, 0, null);
            if (memory.admits(id, cells.get(id))) {
                memory.offer(cells.computeIfAbsent(id, key -> new Code(key, this).cell), envelope);
            } else {
                log.add("refused " + id);
            }
        }

        /** The ids of its live entities. */
        Set<String> live() {
            Set<String> live = new TreeSet<>();
            cells.values().stream().filter(EntityCell::isLive).forEach(cell -> live.add(cell.id()));
            return live;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public FencingToken token() {
            return TOKEN;
        }

        @Override
        public boolean startsByItself() {
            return !quiet;
        }

        @Override
        public void start(String entityId, StartReason reason) {
            cells.computeIfAbsent(entityId, key -> new Code(key, this).cell).start(reason);
        }

        @Override
        public void superseded() {
            log.add("superseded");
        }

        @Override
        public boolean mayStart(EntityCell cell) {
            return memory.mayStart(cell);
        }

        @Override
        public void live(int change) {}

        @Override
        public void starting(EntityCell cell) {}

        @Override
        public void ended(EntityCell cell, @Nullable StopReason reason) {
            cells.remove(cell.id());
            memory.ended(cell.id(), reason == StopReason.PASSIVATION);
        }

        @Override
        public void answered(Envelope envelope, @Nullable Object value) {}

        @Override
        public void failed(Envelope envelope, Failure failure) {}

        @Override
        public void ready(EntityCell cell) {
            cell.runWaiting();
        }

        @Override
        public boolean mayRun() {
            return true;
        }

        @Override
        public boolean holdsLease() {
            return true;
        }

        @Override
        public boolean isLost() {
            return false;
        }

        @Override
        public boolean isRunning() {
            return false;
        }

        @Override
        public void running(@Nullable EntityCell cell) {}

        @Override
        public void wakeAt(EntityCell cell, long moment) {}

        @Override
        public int mailboxSize() {
            return 10;
        }

        @Override
        public long stopTimeout() {
            return 100;
        }

        @Override
        public long now() {
            return now;
        }
    }

    /** An entity that answers everything at once, and cannot start while the fixture is broken. */
    final class Code implements EntityCode {
        private final EntityCell cell;

        Code(String id, Shard shard) {
            this.cell = new EntityCell(id, shard, this);
        }

        @Override
        public void broken(Throwable fault) {
            throw new AssertionError(fault);
        }

        @Override
        public RestartPolicy restartPolicy() {
            return RestartPolicy.stop();
        }

        @Override
        public void beginStart(StartReason reason) {
            log.add(reason.name().toLowerCase(Locale.ROOT) + " " + cell.id());
            if (broken) {
                cell.startFailed(Failure.of(FailureCode.ENTITY_FAILED, "broken"));
            } else {
                cell.begun();
            }
        }

        @Override
        public void beginReceive(Envelope envelope) {
            log.add("handles " + cell.id());
            boolean fatal = envelope.payload().equals("fatal");
            cell.handled(envelope, null, fatal ? Failure.of(FailureCode.ENTITY_FAILED, "fatal") : null, fatal);
        }

        @Override
        public void beginTurn() {
            cell.turnEnded();
        }

        @Override
        public void beginOffer() {
            cell.offered(null, null);
        }

        @Override
        public void beginStop(StopReason reason, boolean offered) {
            if (!slowStops) {
                cell.stopped();
            }
        }

        @Override
        public void discard() {}

        @Override
        public boolean occupiesThread() {
            return false;
        }

        @Override
        public Object location() {
            return new NodeId("here");
        }
    }

    /** Ends a burst, and gives what was said since the last. */
    List<String> flush() {
        lane.flush(now);
        List<String> taken = List.copyOf(log);
        log.clear();
        return taken;
    }

    List<String> tick(long moment) {
        now = moment;
        lane.tick(now);
        return flush();
    }

    /** The shard has been opened and holds these ids. */
    Shard opened(int number, String... ids) {
        Shard shard = new Shard(number);
        lane.flush(now);
        lane.opened(key(), Set.of(ids));
        log.clear();
        return shard;
    }

    Key key() {
        Key present = key;
        if (present == null) {
            throw new AssertionError("the store was not asked");
        }
        return present;
    }

    @Override
    public RememberSettings settings() {
        return new RememberSettings(ROOM, 1_000, 2_000, 100, 800);
    }

    @Override
    public int shardOf(String entityId) {
        int number = Integer.parseInt(entityId);
        return number >= movedFrom ? 2 : 1;
    }

    @Override
    public void open(Key asked) {
        key = asked;
        log.add("open " + asked.shard());
    }

    @Override
    public void store(Key asked, Set<String> added, Set<String> removed) {
        key = asked;
        log.add("store +" + new TreeSet<>(added) + " -" + new TreeSet<>(removed));
    }

    @Override
    public boolean takeStart() {
        return starts-- > 0;
    }

    @Override
    public void startElsewhere(int shard, FencingToken token, String entityId) {
        log.add("elsewhere " + entityId);
    }

    @Override
    public void troubled(int shard, boolean isTroubled) {
        log.add(isTroubled ? "troubled" : "well");
    }
}
