package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/**
 * An entity as passivation sees it. Its places in the lists of its shard's policy are fields of its own, so that a
 * message costs no look-up; {@link io.shardbus.core.entity.EntityCell} is one.
 */
public abstract class PassivationNode {
    private final String id;

    @Nullable
    RecencyList list;

    @Nullable
    PassivationNode older;

    @Nullable
    PassivationNode newer;

    @Nullable
    PassivationNode idleBefore;

    @Nullable
    PassivationNode idleAfter;

    long touched;
    boolean counted;
    boolean inWindow;

    protected PassivationNode(String id) {
        this.id = id;
    }

    public final String id() {
        return id;
    }

    /** Whether it is not idle, however long ago its last message came; only asked when that is long ago. */
    protected boolean isAwaited() {
        return false;
    }

    /** Whether a message waits for it as it starts. */
    protected boolean isWanted() {
        return false;
    }

    /** Whether it counts as active. One that is being put away does not, until a new instance starts. */
    public final boolean isCounted() {
        return counted;
    }
}
