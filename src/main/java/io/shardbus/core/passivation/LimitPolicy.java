package io.shardbus.core.passivation;

import io.shardbus.core.passivation.PassivationSettings.ActiveLimit;
import java.util.function.Consumer;

/** Keeps the active entities of a shard at a limit. A victim is not counted any more. */
interface LimitPolicy {
    static LimitPolicy of(ActiveLimit settings, Consumer<PassivationNode> victims) {
        return settings.admission() == null
                ? new PlainLimit(Replacement.of(settings.main()), victims)
                : new CompositeLimit(settings.main(), settings.admission(), victims);
    }

    /** A newcomer got its first message; the newcomer itself is a victim only if an admission filter says so. */
    void add(PassivationNode node);

    /** A counted entity got a message. */
    void touch(PassivationNode node);

    /** A counted entity ended by itself. */
    void remove(PassivationNode node);

    /** Sets another limit. */
    void limit(int entities);
}
