package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.DedupWindow;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A command that its sender may send again.
 *
 * @param key in the entity's window: apart from others where an event-bus client has sent it, which could guess a
 *     trusted sender's id
 * @param fingerprint of its bytes: the same id with other bytes is a mistake of the sender
 */
record IdentifiedCommand(CommandId id, String key, DedupWindow.Fingerprint fingerprint, PayloadWire payloads)
        implements RepeatedCommand {
    /** Before the key of a bus client's command: no key of a sender has such a character. */
    private static final String BUS_KEY = "\u0001";

    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    static IdentifiedCommand of(String id, Object message, PayloadWire payloads) {
        boolean isOfBus = id.startsWith(ItemHeaders.OF_BUS_CLIENT);
        CommandId parsed;
        try {
            parsed = CommandId.parse(isOfBus ? id.substring(ItemHeaders.OF_BUS_CLIENT.length()) : id);
        } catch (IllegalArgumentException e) {
            throw new CodedFailure(FailureCode.DELIVERY_REFUSED, "'" + id + "' is no command id: " + e.getMessage());
        }
        Buffer bytes = Buffer.buffer();
        try {
            payloads.encodeMessage(message, bytes);
        } catch (RuntimeException e) {
            throw new CodedFailure(
                    FailureCode.PAYLOAD_NOT_ENCODABLE, "command " + parsed.key() + " has no bytes to compare: " + e);
        }
        String key = isOfBus ? BUS_KEY + parsed.key() : parsed.key();
        var fingerprint = new DedupWindow.Fingerprint(payloads.messageForm(), hash(bytes));
        return new IdentifiedCommand(parsed, key, fingerprint, payloads);
    }

    /** FNV-1a, 64 bits: it finds mistakes, not attacks. */
    private static long hash(Buffer bytes) {
        long hash = FNV_BASIS;
        for (int i = 0; i < bytes.length(); i++) {
            hash = (hash ^ (bytes.getByte(i) & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    @Override
    public boolean isNewTo(TakenCommands taken, long nowMillis) {
        return switch (taken.judge(key, id.createdMillis(), fingerprint)) {
            case NEW -> {
                if (id.isAheadOf(nowMillis)) {
                    throw new CodedFailure(FailureCode.COMMAND_TOO_EARLY, id.aheadOf(nowMillis));
                }
                refuseOfOtherGateway(taken);
                yield true;
            }
            case REPEATED -> false;
            case REUSED ->
                throw new CodedFailure(
                        FailureCode.COMMAND_ID_REUSED,
                        "'" + id.key() + "' was the id of another command: give this one an id of its own");
            case TOO_OLD ->
                throw new CodedFailure(
                        FailureCode.COMMAND_TOO_OLD,
                        "command '" + id.key() + "' of " + id.createdMillis()
                                + " may have been executed: the entity has" + " forgotten commands up to "
                                + taken.floor() + ". Read the entity, and decide");
        };
    }

    /**
     * A gateway of an earlier build does not mark what a bus client sends, so a repetition through another gateway
     * comes with the other key. Whether it is one, or another sender's command with the same id, cannot be told.
     */
    private void refuseOfOtherGateway(TakenCommands taken) {
        String otherKey = key.startsWith(BUS_KEY) ? key.substring(BUS_KEY.length()) : BUS_KEY + key;
        DedupWindow.Executed other = taken.executed(otherKey);
        if (other != null && other.createdAt() == id.createdMillis()) {
            throw new CodedFailure(
                    FailureCode.COMMAND_TOO_OLD,
                    "command '" + id.key() + "' of " + id.createdMillis() + " may have been executed: one with this id"
                            + " came another way, by an event-bus client or not. Read the entity, and decide");
        }
    }

    /** Returns null also if the answer was too long to be kept. */
    @Override
    public @Nullable Object firstAnswer(TakenCommands taken, String entity) {
        byte[] answer = taken.answer(key);
        if (answer == null) {
            return null;
        }
        try {
            return payloads.decodeAnswer(Buffer.buffer(answer), 0, answer.length);
        } catch (RuntimeException e) {
            throw new CodedFailure(
                    FailureCode.PAYLOAD_NOT_DECODABLE,
                    entity + " has executed command '" + id.key() + "', and its stored answer cannot be read: " + e);
        }
    }

    @Override
    public @Nullable Object answer(Supplier<@Nullable Object> said) {
        return said.get();
    }

    /** An answer without bytes is not kept. */
    @Override
    public Consumer<TakenCommands> note(@Nullable Object answer) {
        byte[] bytes = null;
        try {
            Buffer encoded = Buffer.buffer();
            payloads.encodeAnswer(answer, encoded);
            bytes = encoded.length() <= DedupWindow.LONGEST_ANSWER ? encoded.getBytes() : null;
        } catch (RuntimeException e) {
            // it can be given to an asker on this node, and to no other
        }
        var executed = new DedupWindow.Executed(key, id.createdMillis(), fingerprint, bytes);
        return taken -> taken.window().add(executed);
    }

    /** Without an effect it is executed again when it is repeated. */
    @Override
    public boolean isNotedWithoutEffect() {
        return false;
    }

    @Override
    public Optional<CommandId> commandId() {
        return Optional.of(id);
    }
}
