package io.shardbus.core.passivation;

import org.jspecify.annotations.Nullable;

/**
 * The place of one entity in the lists of its shard's policy. The links are fields, so that a message costs no
 * look-up.
 */
public final class PassivationNode {
    /** An entity as passivation sees it. */
    @FunctionalInterface
    public interface Owner {
        String id();

        /** Whether it is not idle, however long ago its last message came; only asked when that is long ago. */
        default boolean isAwaited() {
            return false;
        }

        /** Whether a message waits for the entity when it starts. */
        default boolean isWanted() {
            return false;
        }
    }

    private final Owner owner;

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

    public PassivationNode(Owner owner) {
        this.owner = owner;
    }

    public String id() {
        return owner.id();
    }

    boolean isAwaited() {
        return owner.isAwaited();
    }

    boolean isWanted() {
        return owner.isWanted();
    }
}
