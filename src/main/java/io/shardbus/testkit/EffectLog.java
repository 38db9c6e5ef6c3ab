package io.shardbus.testkit;

import io.shardbus.EntityDefinition;
import io.shardbus.model.StartReason;
import io.shardbus.model.StopReason;
import io.shardbus.spi.EntityFailureHandler;
import io.shardbus.spi.ShardingMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Keeps what becomes of an entity; the metrics and the failure handler of its definition hear it, too. */
final class EffectLog {
    private final Queue<EntityEffect> effects = new ConcurrentLinkedQueue<>();
    private volatile boolean unseen;

    <M> EntityDefinition<M> listenTo(EntityDefinition<M> definition) {
        EntityFailureHandler ownHandler = definition.failureHandler().orElse(report -> {});
        return definition
                .withMetrics(new Metrics(definition.metrics().orElse(null)))
                .withFailureHandler(report -> {
                    add(new EntityEffect.Failed(report.failure(), report.action()));
                    ownHandler.entityFailed(report);
                });
    }

    /** The effects since the last call, in order. */
    List<EntityEffect> take() {
        List<EntityEffect> taken = new ArrayList<>();
        for (EntityEffect next = effects.poll(); next != null; next = effects.poll()) {
            taken.add(next);
        }
        return taken;
    }

    /** Whether something was kept since this was asked last. */
    boolean hasNews() {
        boolean news = unseen;
        unseen = false;
        return news;
    }

    private void add(EntityEffect effect) {
        effects.add(effect);
        unseen = true;
    }

    private final class Metrics implements ShardingMetrics {
        private final @Nullable ShardingMetrics own;

        Metrics(@Nullable ShardingMetrics own) {
            this.own = own;
        }

        @Override
        public void entityStarted(String type, int shard, StartReason reason) {
            add(new EntityEffect.Started(reason));
            if (own != null) {
                own.entityStarted(type, shard, reason);
            }
        }

        @Override
        public void entityStopped(String type, int shard, StopReason reason) {
            add(new EntityEffect.Stopped(reason));
            if (own != null) {
                own.entityStopped(type, shard, reason);
            }
        }

        @Override
        public void entityFailed(String type, int shard, Throwable failure) {
            if (own != null) {
                own.entityFailed(type, shard, failure);
            }
        }
    }
}
