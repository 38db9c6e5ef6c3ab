package io.shardbus.core.passivation;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One order of replacement: a newcomer takes the place of who goes next. */
final class PlainLimit implements LimitPolicy {
    private final Replacement residents;
    private final Consumer<PassivationNode> victims;
    private int limit = Integer.MAX_VALUE;

    PlainLimit(Replacement residents, Consumer<PassivationNode> victims) {
        this.residents = residents;
        this.victims = victims;
    }

    @Override
    public void add(PassivationNode resident) {
        evictAbove(limit - 1);
        residents.add(resident);
    }

    private void evictAbove(int most) {
        while (residents.size() > most) {
            @Nullable PassivationNode victim = residents.evict();
            if (victim != null) {
                victims.accept(victim);
            }
        }
    }

    @Override
    public void touch(PassivationNode resident) {
        residents.touch(resident);
    }

    @Override
    public void remove(PassivationNode resident) {
        residents.remove(resident);
    }

    @Override
    public void limit(int most) {
        limit = most;
        evictAbove(most);
        residents.limit(most);
    }
}
