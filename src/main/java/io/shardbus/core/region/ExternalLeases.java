package io.shardbus.core.region;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The external leases of one region's shards: when each is requested, requested again and given back.
 *
 * <pre>
 *          want                    answer: true
 *   IDLE ---------> ACQUIRING -------------------> HELD
 *    ^ ^                |                            | the shard has ended,
 *    | +----------------+                            | or does not start
 *    |   answer: false, failed, lost                 v
 *    +------------------------------------------ RELEASING
 * </pre>
 *
 * <p>One request for a shard at a time. A failed request may have obtained the lease: it is released when the shard
 * does not want it any more. A lost lease is released, too, when the shard has ended.
 *
 * <p>Single owner: every method but {@link #loss} is an event and returns commands, which are to be carried out in
 * their order.
 */
public final class ExternalLeases {
    private enum Step {
        IDLE,
        ACQUIRING,
        HELD,
        RELEASING
    }

    private static final class Entry {
        Step step = Step.IDLE;
        boolean wanted;
        /**
         * Whether the shard runs under it, or still ends: a later life of the shard that gives up its wait does not
         * give it back.
         */
        boolean used;
        /** Whether a request failed, so that the lease may have been obtained, or was not given back. */
        boolean doubtful;
        /** Whether the end of the shard is told after the release. */
        boolean endAwaited;

        String loss = "";
        /** The reason why it was lost before its answer was here; null if it was not. */
        @Nullable
        String lostEarly;
    }

    private final long retryInterval;
    private final Map<Integer, Entry> entries = new TreeMap<>();
    private final List<LeaseCommand> commands = new ArrayList<>();
    private boolean closing;
    private boolean closed;

    /** @param retryInterval the pause after a lease was not obtained, in milliseconds */
    public ExternalLeases(long retryInterval) {
        this.retryInterval = retryInterval;
    }

    /** A shard is to start: its lease is requested until it is held, or not wanted any more. */
    public List<LeaseCommand> want(int shard) {
        Entry entry = entries.computeIfAbsent(shard, number -> new Entry());
        entry.wanted = true;
        begin(shard, entry);
        return leave();
    }

    /** The shard does not start after all. */
    public List<LeaseCommand> cancel(int shard) {
        Entry entry = entries.get(shard);
        if (entry != null) {
            giveUp(shard, entry);
        }
        return leave();
    }

    /** The last code of the shard has ended: its end is told when the lease is given back, or could not be. */
    public List<LeaseCommand> ended(int shard) {
        Entry entry = entries.get(shard);
        if (entry != null) {
            entry.used = false;
            release(shard, entry);
        }
        if (entry != null && entry.step == Step.RELEASING) {
            entry.endAwaited = true;
        } else {
            commands.add(new LeaseCommand.Ended(shard));
        }
        return leave();
    }

    /**
     * All shards have stopped for good, and every lease is given back. Another region on the node would request the
     * same leases: it begins after {@link LeaseCommand.Closed}.
     */
    public List<LeaseCommand> close() {
        closing = true;
        entries.forEach((shard, entry) -> {
            entry.used = false;
            giveUp(shard, entry);
        });
        return leave();
    }

    /** The provider has answered: the lease is held, or another owner holds it. */
    public List<LeaseCommand> acquired(int shard, boolean held) {
        return answered(shard, held, held ? null : "another owner holds it", false);
    }

    /** The request failed, or took too long: the lease may have been obtained. */
    public List<LeaseCommand> acquireFailed(int shard, String reason) {
        return answered(shard, false, reason, true);
    }

    /** The region has heard that the lease is held: the shard runs under it, unless it was cancelled. */
    public List<LeaseCommand> heldTold(int shard) {
        Entry entry = entries.get(shard);
        if (entry != null) {
            entry.used = entry.step == Step.HELD;
        }
        return leave();
    }

    /** The provider says that the lease is lost; perhaps before its answer, or after the release was requested. */
    public List<LeaseCommand> lost(int shard, String reason) {
        Entry entry = entries.get(shard);
        if (entry != null && entry.step == Step.HELD) {
            entry.loss = reason;
            commands.add(new LeaseCommand.Lost(shard));
        } else if (entry != null && entry.step == Step.ACQUIRING) {
            entry.lostEarly = reason;
        }
        return leave();
    }

    /** The pause after a request is over. */
    public List<LeaseCommand> retryDue(int shard) {
        Entry entry = entries.get(shard);
        if (entry != null) {
            begin(shard, entry);
        }
        return leave();
    }

    /**
     * The release has ended.
     *
     * @param succeeded otherwise the lease may be held until it expires
     */
    public List<LeaseCommand> released(int shard, boolean succeeded) {
        Entry entry = entries.get(shard);
        if (entry != null && entry.step == Step.RELEASING) {
            entry.doubtful = !succeeded;
            entry.step = Step.IDLE;
            if (entry.endAwaited) {
                entry.endAwaited = false;
                commands.add(new LeaseCommand.Ended(shard));
            }
            begin(shard, entry);
        }
        return leave();
    }

    /** The reason why the lease of a shard was lost last; empty if it never was. */
    public String loss(int shard) {
        Entry entry = entries.get(shard);
        return entry == null ? "" : entry.loss;
    }

    private List<LeaseCommand> answered(int shard, boolean held, @Nullable String otherwise, boolean failed) {
        Entry entry = entries.get(shard);
        if (entry == null || entry.step != Step.ACQUIRING) {
            return leave();
        }
        String early = entry.lostEarly;
        entry.step = held && early == null ? Step.HELD : Step.IDLE;
        entry.doubtful |= failed || early != null;
        if (!entry.wanted) {
            release(shard, entry);
        } else if (entry.step == Step.HELD) {
            entry.wanted = false;
            commands.add(new LeaseCommand.Held(shard));
        } else {
            commands.add(new LeaseCommand.RetryLater(shard, retryInterval, early == null ? "" + otherwise : early));
        }
        return leave();
    }

    private void begin(int shard, Entry entry) {
        if (entry.step == Step.IDLE && entry.wanted) {
            entry.step = Step.ACQUIRING;
            entry.lostEarly = null;
            commands.add(new LeaseCommand.Acquire(shard));
        }
    }

    private void giveUp(int shard, Entry entry) {
        entry.wanted = false;
        if (!entry.used) {
            release(shard, entry);
        }
    }

    private void release(int shard, Entry entry) {
        if (entry.step == Step.HELD || entry.step == Step.IDLE && entry.doubtful) {
            entry.step = Step.RELEASING;
            commands.add(new LeaseCommand.Release(shard));
        }
    }

    private List<LeaseCommand> leave() {
        if (closing && !closed && entries.values().stream().allMatch(entry -> entry.step == Step.IDLE)) {
            closed = true;
            commands.add(new LeaseCommand.Closed());
        }
        List<LeaseCommand> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }
}
