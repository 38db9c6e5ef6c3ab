package io.shardbus.core.remember;

import java.util.EnumSet;
import java.util.Set;

/** State of a remembered id in its shard; an id that the shard does not know has none. */
enum IdState {
    /** Its start is being stored, or will be with the next write. */
    ADDING,
    /** Stored, and no instance was made yet. */
    REMEMBERED,
    /** Has an instance, or a cell that makes one. */
    ACTIVE,
    /** Stopped without being passivated: starts again after a pause. */
    RESTARTING,
    /** Put away, or moved to another shard: that is being stored, or will be with the next write. */
    REMOVING,
    /** Found in this shard, though addressing puts it into another now. */
    MOVING;

    private static final Set<IdState> FIRST = EnumSet.of(ADDING, REMEMBERED, MOVING);

    boolean mayBeFirst() {
        return FIRST.contains(this);
    }

    boolean mayFollow(IdState before) {
        return switch (this) {
            case ADDING -> before == REMOVING;
            case REMEMBERED -> before == ADDING;
            case ACTIVE -> before != ACTIVE && before != ADDING;
            case RESTARTING -> before == ACTIVE;
            case REMOVING -> before != REMOVING;
            case MOVING -> false;
        };
    }
}
