package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.model.StopReason;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The calls to entities that keep what they know while their shard moves. */
final class Moving {
    private Moving() {}

    static boolean handsOver(Entity<?> live, StopReason reason) {
        return reason == StopReason.HANDOFF && live instanceof HandsOver;
    }

    /** Ends an instance; gives what it hands over, if anything. */
    static Future<Object> stop(Entity<?> live, StopReason reason, boolean handsOver) {
        if (!handsOver) {
            return end(live, reason).mapEmpty();
        }
        return handOver(live).eventually(() -> end(live, reason)).map(Object.class::cast);
    }

    static Future<HandsOver.State> handOver(Entity<?> live) {
        try {
            Future<HandsOver.State> given = ((HandsOver) live).handOver();
            return given == null ? Future.succeededFuture() : given;
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private static Future<?> end(Entity<?> live, StopReason reason) {
        Future<?> ended = live.stopping(reason);
        return ended == null ? Future.succeededFuture() : ended;
    }

    static @Nullable EntityState stateOf(String entityId, @Nullable Object given) {
        return given instanceof HandsOver.State state
                ? new EntityState(entityId, state.version(), state.bytes().getBytes())
                : null;
    }

    static Future<?> takeOver(Entity<?> created, EntityState state) {
        if (!(created instanceof HandsOver moved)) {
            return Future.failedFuture("the entity does not take states over");
        }
        Buffer bytes = Buffer.buffer(state.bytes());
        try {
            Future<?> taken = moved.takeOver(new HandsOver.State(state.version(), bytes));
            return Objects.requireNonNullElseGet(taken, Future::succeededFuture);
        } catch (RuntimeException e) {
            // a refusal, as for a version that the entity does not know, and not a failed entity
            return Future.failedFuture(e);
        }
    }

    /** Gives what an instance said in its last turn; says so where that failed. */
    static void give(
            EntityOwner owner, int shard, String entityId, @Nullable Object value, @Nullable Throwable failure) {
        EntityState state = stateOf(entityId, value);
        if (failure != null) {
            owner.stateLost(StateLoss.of(StateTransferOutcome.FAILED, shard, entityId, "handOver failed: " + failure));
        } else if (state != null) {
            owner.giveState(state);
        }
    }

    /** Says that an instance was stopped by force while it was to say what it knows. */
    static void notGivenInTime(EntityOwner owner, int shard, String entityId) {
        String text = "handOver had not ended when the entity was stopped by force";
        owner.stateLost(StateLoss.of(StateTransferOutcome.TIMED_OUT, shard, entityId, text));
    }
}
