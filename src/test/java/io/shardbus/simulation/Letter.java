package io.shardbus.simulation;

import org.jspecify.annotations.Nullable;

/**
 * A message of the simulation.
 *
 * @param sender whose messages must stay in order: a node, or the entities of the receiver's own shard on a node
 * @param amount what the entity adds to its value
 * @param number its place among the sender's messages to this entity
 */
record Letter(long id, String sender, String entity, long number, long amount, Work work) {
    /**
     * What the entity does with it.
     *
     * @param millis how long it takes; 0 for at once
     * @param blocks whether the code has a thread of its own meanwhile
     * @param next another message that the entity sends
     */
    record Work(
            long millis,
            boolean blocks,
            Ending ending,
            @Nullable Next next) {
        static final Work NONE = new Work(0, false, Ending.GOOD, null);
    }

    /** How the work ends. */
    enum Ending {
        GOOD,
        THROWS,
        PASSIVATES
    }

    /** A message that follows from another; awaited: the entity waits for the answer before it ends its own work. */
    record Next(String entity, boolean ask, boolean awaited, Work work) {}

    @Override
    public String toString() {
        return "#" + id + "(" + sender + "->" + entity + " " + number + ")";
    }
}
