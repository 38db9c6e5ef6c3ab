package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.DedupWindow;
import io.shardbus.model.CommandId;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.transport.PayloadWire;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A command that its sender may send again.
 *
 * @param fingerprint of its bytes: the same id with other bytes is a mistake of the sender
 */
record IdentifiedCommand(CommandId id, long fingerprint, PayloadWire payloads) {
    private static final long FNV_BASIS = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    static IdentifiedCommand of(String id, Object message, PayloadWire payloads) {
        CommandId parsed;
        try {
            parsed = CommandId.parse(id);
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
        return new IdentifiedCommand(parsed, hash(bytes), payloads);
    }

    /** FNV-1a, 64 bits: it finds mistakes, not attacks. */
    private static long hash(Buffer bytes) {
        long hash = FNV_BASIS;
        for (int i = 0; i < bytes.length(); i++) {
            hash = (hash ^ (bytes.getByte(i) & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** @throws CodedFailure if it may not be executed and has no answer */
    boolean isNewTo(DedupWindow window) {
        return switch (window.judge(id.key(), id.createdMillis(), fingerprint)) {
            case NEW -> true;
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
                                + window.floor() + ". Read the entity, and decide");
        };
    }

    /** Null also where the answer was too long to be kept. */
    @Nullable
    Object firstAnswer(DedupWindow window, String entity) {
        DedupWindow.Executed executed = window.executed(id.key());
        byte[] answer = executed == null ? null : executed.answer();
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

    /** What is stored with its effect; an answer without bytes is not kept. */
    DedupWindow.Executed executed(@Nullable Object answer) {
        byte[] bytes = null;
        try {
            Buffer encoded = Buffer.buffer();
            payloads.encodeAnswer(answer, encoded);
            bytes = encoded.length() <= DedupWindow.LONGEST_ANSWER ? encoded.getBytes() : null;
        } catch (RuntimeException e) {
            // it can be given to an asker on this node, and to no other
        }
        return new DedupWindow.Executed(id.key(), id.createdMillis(), fingerprint, bytes);
    }
}
