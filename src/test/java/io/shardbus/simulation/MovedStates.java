package io.shardbus.simulation;

import io.shardbus.core.entity.StateTransferOutcome;
import io.shardbus.core.protocol.EntityState;
import io.shardbus.simulation.Violation.Kind;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many messages every entity has had since it knew nothing: what it hands over must be just that. */
final class MovedStates {
    private final Map<String, Long> messages = new HashMap<>();
    private final Map<StateTransferOutcome, Long> outcomes = new EnumMap<>(StateTransferOutcome.class);

    private long given;

    void handed(String entity) {
        messages.merge(entity, 1L, Long::sum);
    }

    void count(StateTransferOutcome outcome, int entities) {
        outcomes.merge(outcome, (long) entities, Long::sum);
    }

    long count(StateTransferOutcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    /** How often entities have handed over what they knew. */
    long given() {
        return given;
    }

    /**
     * Whether each state that was handed over has come to an end: an instance has it, or it is counted why none has.
     * Who has waited in vain does not know for how many: it counts one, and those that come late once more.
     */
    boolean isSettled() {
        long settled = outcomes.values().stream().mapToLong(Long::longValue).sum();
        long unsure = count(StateTransferOutcome.TIMED_OUT) > 0 ? given / 10 : 0;
        return Math.abs(given - settled) <= unsure;
    }

    /** Whether more than half of them have reached an instance, if there were many. */
    boolean areMostlyTaken() {
        return given < 10 || 2 * count(StateTransferOutcome.TAKEN) > given;
    }

    /** What became of the states that were handed over. */
    @Override
    public String toString() {
        return given + " states handed over, " + outcomes;
    }

    EntityState state(String entity) {
        given++;
        long known = messages.getOrDefault(entity, 0L);
        return new EntityState(
                entity, 1, ByteBuffer.allocate(Long.BYTES).putLong(known).array());
    }

    /** An instance begins to be with what the one before has handed over, or without. */
    void begins(String entity, @Nullable EntityState state) {
        if (state == null) {
            messages.put(entity, 0L);
            return;
        }
        long known = ByteBuffer.wrap(state.bytes()).getLong();
        long had = messages.getOrDefault(entity, 0L);
        if (known != had) {
            throw new Violation(
                    Kind.STATE, "entity " + entity + " goes on from " + known + " messages, and has had " + had);
        }
        count(StateTransferOutcome.TAKEN, 1);
    }
}
