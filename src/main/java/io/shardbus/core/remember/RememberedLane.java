package io.shardbus.core.remember;

import io.shardbus.model.FencingToken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The remembered shards of a lane: the room for messages that wait for the store, and the turns of entities to start.
 */
public final class RememberedLane {
    /** Starts of one tick: messages must be served between them. */
    static final int STARTS_PER_TICK = 256;

    private final RememberPort port;
    private final RememberSettings settings;
    private final Map<Integer, RememberedShard> shards = new HashMap<>();
    private final Set<RememberedShard> marked = new LinkedHashSet<>();
    private int waiting;
    private int nextTurn;

    public RememberedLane(RememberPort port) {
        this.port = port;
        this.settings = port.settings();
    }

    RememberPort port() {
        return port;
    }

    RememberSettings settings() {
        return settings;
    }

    /** The memory of a shard that is at home from now on; the one before has been closed. */
    public RememberedShard open(RememberedShard.Shard shard) {
        RememberedShard memory = new RememberedShard(shard, this);
        shards.put(shard.number(), memory);
        mark(memory);
        return memory;
    }

    void closed(RememberedShard memory) {
        shards.remove(memory.shard(), memory);
        List.copyOf(shards.values()).stream()
                .filter(other -> other.isLeftoverOf(memory))
                .forEach(RememberedShard::close);
    }

    /** The shard has reads or writes for the store. */
    void mark(RememberedShard memory) {
        marked.add(memory);
    }

    /** Begins what is to be read and written; at the end of a burst, so that a write takes all of its changes. */
    public void flush(long now) {
        if (!marked.isEmpty()) {
            List<RememberedShard> all = List.copyOf(marked);
            marked.clear();
            all.forEach(memory -> memory.proceed(now));
        }
    }

    /** Time passed: operations fail, others are tried again, entities start. */
    public void tick(long now) {
        if (shards.isEmpty()) {
            return;
        }
        List<RememberedShard> all = new ArrayList<>(shards.values());
        all.forEach(memory -> memory.tick(now));
        int idle = 0;
        for (int starts = 0; starts < STARTS_PER_TICK && idle < all.size(); nextTurn++) {
            boolean started = all.get(Math.floorMod(nextTurn, all.size())).startNext();
            starts += started ? 1 : 0;
            idle = started ? 0 : idle + 1;
        }
    }

    public void opened(RememberPort.Key key, Set<String> ids) {
        answer(key, memory -> memory.opened(ids));
    }

    /**
     * Shards that existed while the type had more shards, and of which this one takes care: their ids start in the
     * shards that they have now.
     *
     * @param found null where the store did not answer
     */
    public void leftovers(int shard, FencingToken token, @Nullable Set<Integer> found) {
        RememberedShard memory = find(shard, token);
        if (memory != null && found != null) {
            found.stream().filter(number -> !shards.containsKey(number)).forEach(number -> {
                RememberedShard leftover = memory.leftover(number, this);
                shards.put(number, leftover);
                mark(leftover);
            });
        } else if (memory != null) {
            memory.leftoversUnknown();
        }
    }

    public void stored(RememberPort.Key key) {
        answer(key, RememberedShard::stored);
    }

    /** The outcome of the operation is unknown. */
    public void failed(RememberPort.Key key) {
        answer(key, RememberedShard::failed);
    }

    /** Another home has opened the shard under a newer token. */
    public void stale(RememberPort.Key key) {
        answer(key, RememberedShard::stale);
    }

    private void answer(RememberPort.Key key, Consumer<RememberedShard> answer) {
        RememberedShard memory = find(key.shard(), key.token());
        if (memory != null && memory.awaits(key.operation())) {
            answer.accept(memory);
        }
    }

    /** Another shard has started the id, or has not answered in time. */
    public void movedAway(int shard, FencingToken token, String entityId, boolean started) {
        RememberedShard memory = find(shard, token);
        if (memory != null) {
            memory.movedAway(entityId, started);
        }
    }

    /** The memory of a shard that is at home here under this token; null for none. */
    public @Nullable RememberedShard find(int shard, FencingToken token) {
        RememberedShard memory = shards.get(shard);
        return memory != null && memory.token().equals(token) ? memory : null;
    }

    /** Counts of the lane for operators, by name. */
    public Map<String, Long> counts() {
        long remembered = 0;
        long restarting = 0;
        for (RememberedShard memory : shards.values()) {
            remembered += memory.remembered();
            restarting += memory.restarting();
        }
        return Map.of("remembered", remembered, "restarting", restarting);
    }

    boolean isFull() {
        return waiting >= settings.room();
    }

    void waitFor(int messages) {
        waiting += messages;
    }

    /** Messages that wait for the store. */
    public int waiting() {
        return waiting;
    }
}
