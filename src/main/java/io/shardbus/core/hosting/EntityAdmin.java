package io.shardbus.core.hosting;

import io.shardbus.core.entity.EntityCell;
import io.shardbus.core.protocol.EntityOrder;
import io.shardbus.core.protocol.Failure;
import io.shardbus.core.remember.RememberedLane;
import io.shardbus.core.remember.RememberedShard;
import io.shardbus.model.FailureCode;
import io.shardbus.model.StopReason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Operator queries and orders for single entities at their home. On the lane. */
public final class EntityAdmin {
    /** The text of an order that is carried out. */
    private static final String DONE = "";

    private static final String NO_INSTANCE = "no instance of it is live";
    private static final String ENDS = "its instance is about to end";

    private final HostedShards hosted;

    EntityAdmin(HostedShards hosted) {
        this.hosted = hosted;
    }

    /** Whether the shard of the entity is here. */
    public boolean hosts(int shard) {
        return hosted.get(shard) != null;
    }

    /** The place of an entity that has one. */
    public Optional<EntityCell> find(int shard, String entityId) {
        return hosted.cell(shard, entityId);
    }

    /** Whether the entity is remembered: it starts without being asked. */
    public boolean isRemembered(int shard, String entityId) {
        RememberedShard memory = memory(shard);
        return memory != null && memory.remembers(entityId);
    }

    /**
     * Carries an order out.
     *
     * @return why it is refused, empty text if it is not; nothing where the shard is not here
     */
    public Optional<String> carryOut(int shard, String entityId, EntityOrder order) {
        HostedShard found = hosted.get(shard);
        if (found == null) {
            return Optional.empty();
        }
        if (found.phase() != HostedShard.Phase.ACTIVE) {
            return Optional.of("its shard is about to leave this node");
        }
        RememberedShard memory = memory(shard);
        if (memory != null && memory.isHeld(entityId)) {
            return Optional.of("it waits for the store of remembered entities");
        }
        EntityCell cell = found.find(entityId).orElse(null);
        return Optional.of(
                switch (order) {
                    case PASSIVATE -> passivate(cell);
                    case RESTART -> restart(cell);
                    case FORGET -> forget(cell, memory, entityId);
                });
    }

    private static String passivate(@Nullable EntityCell cell) {
        if (cell == null || !cell.isLive()) {
            return NO_INSTANCE;
        }
        cell.putAway();
        return DONE;
    }

    private static String restart(@Nullable EntityCell cell) {
        if (cell == null) {
            return NO_INSTANCE;
        }
        return cell.restart() ? DONE : ENDS;
    }

    private static String forget(@Nullable EntityCell cell, @Nullable RememberedShard memory, String entityId) {
        if (memory == null) {
            return "its type does not remember entities: see EntityDefinition.withRememberEntities";
        }
        if (!memory.remembers(entityId)) {
            return "it is not remembered";
        }
        if (cell != null) {
            String text = "an operator has ended entity '" + entityId + "' for good";
            cell.failWaiting(Failure.of(FailureCode.ENTITY_STOPPED, text));
            cell.stop(StopReason.PASSIVATION);
            return DONE;
        }
        return memory.forget(entityId) ? DONE : "its id is about to move to another shard, or not read yet";
    }

    private @Nullable RememberedShard memory(int shard) {
        RememberedLane lane = hosted.rememberedShards();
        HostedShard found = hosted.get(shard);
        return lane == null || found == null ? null : lane.find(shard, found.token);
    }
}
