package io.shardbus.core.passivation;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of automatic passivation of a type: of entities that are idle for too long, of the surplus above a limit,
 * both, or none.
 */
public record PassivationSettings(
        @Nullable Idle idle, @Nullable ActiveLimit limit) {
    /** No entity is passivated. */
    public static final PassivationSettings NONE = new PassivationSettings(null, null);

    /**
     * Put away without a message for a time.
     *
     * @param timeout in milliseconds
     * @param interval how often is looked, in milliseconds
     */
    public record Idle(long timeout, long interval) {}

    /**
     * A number of active entities of a region, divided by its shards.
     *
     * @param admission null: every new entity is admitted
     */
    public record ActiveLimit(
            int entities, Replacing main, @Nullable Admission admission) {}

    /** Eviction order. */
    public enum Order {
        LEAST_RECENT,
        MOST_RECENT,
        LEAST_FREQUENT,
        LEAST_FREQUENT_AGING
    }

    /**
     * An order of replacement.
     *
     * @param proportions the shares of the levels, lowest first, of LEAST_RECENT; empty for one level
     */
    public record Replacing(Order order, List<Double> proportions) {
        /** The one touched longest ago, on one level. */
        public static final Replacing RECENT = new Replacing(Order.LEAST_RECENT, List.of());
    }

    /**
     * Admission of a new entity to the main area.
     *
     * @param sketch null: every entity is admitted
     * @param climbing null: the window keeps its share
     */
    public record Admission(
            @Nullable Window window,
            @Nullable Sketch sketch,
            @Nullable Climbing climbing) {}

    /** Window in which new entities begin; its share of the limit stays between the bounds. */
    public record Window(Replacing order, double proportion, double minimum, double maximum) {}

    /**
     * Sketch that estimates how often ids were used.
     *
     * @param counterBits 4 or 8
     * @param widthMultiplier counters of a row per active entity
     * @param resetMultiplier uses per active entity until all counters are halved
     */
    public record Sketch(int depth, int counterBits, int widthMultiplier, double resetMultiplier) {}

    /** The search for the window's share: messages per active entity between steps, and the steps. */
    public record Climbing(double adjustMultiplier, double initialStep, double restartThreshold, double stepDecay) {}
}
