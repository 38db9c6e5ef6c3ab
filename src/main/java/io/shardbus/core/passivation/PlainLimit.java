package io.shardbus.core.passivation;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A limit with one eviction order: a new entity takes the place of the next victim. */
final class PlainLimit implements LimitPolicy {
    private final Replacement entities;
    private final Consumer<PassivationNode> victims;
    private int limit = Integer.MAX_VALUE;

    PlainLimit(Replacement entities, Consumer<PassivationNode> victims) {
        this.entities = entities;
        this.victims = victims;
    }

    @Override
    public void add(PassivationNode node) {
        evictAbove(limit - 1);
        entities.add(node);
    }

    private void evictAbove(int most) {
        while (entities.size() > most) {
            @Nullable PassivationNode victim = entities.evict();
            if (victim != null) {
                victims.accept(victim);
            }
        }
    }

    @Override
    public void touch(PassivationNode node) {
        entities.touch(node);
    }

    @Override
    public void remove(PassivationNode node) {
        entities.remove(node);
    }

    @Override
    public void limit(int most) {
        limit = most;
        evictAbove(most);
        entities.limit(most);
    }
}
