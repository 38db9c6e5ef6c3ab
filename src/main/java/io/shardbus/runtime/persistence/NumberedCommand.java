package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.DeliveryWindow;
import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.CodedFailure;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A delivery of a numbered producer. Its producer hears that it was taken, and no answer. */
record NumberedCommand(DeliveryNumber number) implements RepeatedCommand {
    static NumberedCommand of(String tag) {
        try {
            return new NumberedCommand(DeliveryNumber.parse(tag));
        } catch (IllegalArgumentException e) {
            throw new CodedFailure(FailureCode.DELIVERY_REFUSED, "'" + tag + "' is no delivery: " + e.getMessage());
        }
    }

    @Override
    public boolean isNewTo(TakenCommands taken, long nowMillis) {
        return switch (taken.judge(number)) {
            case NEXT -> true;
            case TAKEN -> false;
            case GAP ->
                throw new CodedFailure(
                        FailureCode.DELIVERY_GAP,
                        "delivery " + number.number() + " of '" + number.producer() + "' comes after "
                                + number.previous() + ", and the entity has taken "
                                + taken.highest(number.producer()) + ": send that one first");
            case TOO_MANY ->
                throw new CodedFailure(
                        FailureCode.DELIVERY_REFUSED,
                        "producer '" + number.producer() + "' is new, and the entity knows "
                                + DeliveryWindow.MOST_PRODUCERS + ", the most that it can");
        };
    }

    @Override
    public @Nullable Object firstAnswer(TakenCommands taken, String entity) {
        return null;
    }

    @Override
    public @Nullable Object answer(Supplier<@Nullable Object> said) {
        return null;
    }

    @Override
    public Consumer<TakenCommands> note(@Nullable Object answer) {
        return taken -> taken.deliveries().take(number.producer(), number.number());
    }

    @Override
    public boolean isNotedWithoutEffect() {
        return true;
    }

    @Override
    public Optional<CommandId> commandId() {
        return Optional.empty();
    }
}
