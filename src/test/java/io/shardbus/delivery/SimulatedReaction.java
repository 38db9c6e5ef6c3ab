package io.shardbus.delivery;

import io.shardbus.ClusterSharding;
import io.shardbus.projection.EventEnvelope;
import io.shardbus.runtime.clock.ElapsedClock;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Function;

/** Reactions on time that the simulator moves. */
public final class SimulatedReaction {
    private SimulatedReaction() {}

    public static <E> Reaction<E> of(
            Vertx vertx,
            ClusterSharding sharding,
            Function<EventEnvelope<E>, List<? extends EntityCommand<?>>> commands,
            ElapsedClock clock) {
        return new Reaction<>(vertx, sharding, commands, false, Reaction.LONGEST_BATCH_MS, clock);
    }
}
