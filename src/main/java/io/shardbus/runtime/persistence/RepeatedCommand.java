package io.shardbus.runtime.persistence;

import io.shardbus.model.CommandId;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.transport.PayloadWire;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A command that its sender retries until it knows the outcome, and that takes effect once. */
interface RepeatedCommand {
    /**
     * @param tag what travelled beside the message
     * @throws CodedFailure for a tag that is none
     */
    static RepeatedCommand of(String tag, Object message, PayloadWire payloads) {
        return DeliveryNumber.isMeantBy(tag) ? NumberedCommand.of(tag) : IdentifiedCommand.of(tag, message, payloads);
    }

    /**
     * @param nowMillis since 1970
     * @throws CodedFailure if it may not be executed and has no answer
     */
    boolean isNewTo(TakenCommands taken, long nowMillis);

    /** The answer of the first execution of a command that is not new. */
    @Nullable
    Object firstAnswer(TakenCommands taken, String entity);

    /** The answer for its sender, from the answer of the entity. */
    @Nullable
    Object answer(Supplier<@Nullable Object> said);

    /** The note of it that is stored with its effect. */
    Consumer<TakenCommands> note(@Nullable Object answer);

    /** Whether the live instance also notes it if it has stored nothing. */
    boolean isNotedWithoutEffect();

    Optional<CommandId> commandId();
}
