package io.shardbus.runtime.entity;

import io.shardbus.Entity;
import io.shardbus.core.entity.EntityOwner;
import io.shardbus.core.entity.StateLoss;
import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.core.protocol.FaultText;
import io.shardbus.spi.HandsOver;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Transfer of one entity's state while its shard moves: before it is known whether the shard moves, or in the
 * instance's last turn. Made when the entity is asked for the first time. On the lane, but for the static calls of the
 * user's code.
 */
final class EntityStateTransfer {
    private final EntityOwner owner;
    private final int shard;
    private final String entityId;
    /** Number of times that instances were asked while they might stay; answers to earlier questions are void. */
    private long offers;
    /** Whether an instance is in its last turn and has not handed over. */
    private boolean last;
    /** The state of the former home that the instance has not taken over yet; null for none. */
    private @Nullable EntityState untaken;

    EntityStateTransfer(EntityOwner owner, int shard, String entityId) {
        this.owner = owner;
        this.shard = shard;
        this.entityId = entityId;
    }

    static boolean applies(Entity<?> live) {
        return live instanceof HandsOver;
    }

    /** The instance is asked while it may stay; the number of the question. */
    long asked() {
        return ++offers;
    }

    /** Whether an answer is to the last question. */
    boolean isAwaited(long question) {
        return question == offers;
    }

    /** The instance is asked in its last turn. */
    void askedLast() {
        last = true;
    }

    /** The last turn has ended: gives what the instance said, or says why it could not. */
    void ended(@Nullable Object value, @Nullable Throwable failure) {
        if (!last) {
            return;
        }
        last = false;
        EntityState state = stateOf(entityId, value);
        if (failure != null) {
            lost(StateTransferOutcome.FAILED, "handOver failed: " + FaultText.whole(failure));
        } else if (state != null) {
            owner.giveState(state);
        }
    }

    /** The instance is given the state of the former home. */
    void taking(EntityState state) {
        untaken = state;
    }

    /** The shard moves: a state that the instance has not taken over goes with it. */
    void movesOn() {
        if (untaken != null) {
            owner.giveState(untaken);
            untaken = null;
        }
    }

    /** There is no instance any more. */
    void discarded(boolean asked) {
        if (untaken != null) {
            untaken = null;
            lost(StateTransferOutcome.TIMED_OUT, "takeOver had not ended when the entity was stopped by force");
        }
        if (last || asked) {
            last = false;
            lost(StateTransferOutcome.TIMED_OUT, "handOver had not ended when the entity was stopped by force");
        }
    }

    private void lost(StateTransferOutcome outcome, String reason) {
        owner.stateLost(StateLoss.of(outcome, shard, entityId, reason));
    }

    static Future<HandsOver.State> handOver(Entity<?> live) {
        try {
            Future<HandsOver.State> given = ((HandsOver) live).handOver();
            return given == null ? Future.succeededFuture() : given;
        } catch (Exception e) {
            return Future.failedFuture(e);
        }
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
        } catch (Exception e) {
            // a refusal, as for a version that the entity does not know, and not a failed entity
            return Future.failedFuture(e);
        }
    }
}
