package io.shardbus.runtime.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.shardbus.codec.PayloadCodecs;
import io.shardbus.core.protocol.ItemHeaders;
import io.shardbus.model.Deduplication;
import io.shardbus.model.FailureCode;
import io.shardbus.runtime.entity.CodedFailure;
import io.shardbus.runtime.entity.TypedPayloads;
import io.shardbus.spi.PayloadCodec;
import io.shardbus.transport.PayloadWire;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The rows here are written and read as builds do that know the fields 1 to 4 of a command. */
@DisplayName("A command with an id, between builds,")
class IdentifiedCommandTest {
    private static final long NOW = 2_000_000;
    private static final int EXECUTED = 1;
    private static final PayloadCodec<String> CODEC = PayloadCodecs.forType(EntityType.of("t", String.class));
    private static final PayloadWire PAYLOADS = new TypedPayloads(CODEC, 7);

    private final TakenCommands taken = new TakenCommands(Deduplication.DEFAULT);

    private static IdentifiedCommand command(String id, String message) {
        return IdentifiedCommand.of(id, message, PAYLOADS);
    }

    private static IdentifiedCommand ofBus(String id, String message) {
        return command(ItemHeaders.OF_BUS_CLIENT + id, message);
    }

    private static FailureCode refusal(IdentifiedCommand command, TakenCommands taken) {
        return assertThrows(CodedFailure.class, () -> command.isNewTo(taken, NOW))
                .code();
    }

    /** FNV-1a. */
    private static long hash(String message) {
        Buffer bytes = Buffer.buffer();
        CODEC.encode(message, bytes);
        long hash = 0xcbf29ce484222325L;
        for (byte each : bytes.getBytes()) {
            hash = (hash ^ (each & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    private static Buffer ofEarlierBuild(String key, long createdAt, long hash) {
        FieldWriter row = new FieldWriter();
        row.record(EXECUTED, out -> out.text(1, key).number(2, createdAt).fixed(3, hash));
        return Buffer.buffer(row.toBytes());
    }

    @Test
    @DisplayName("leaves the whole hash of its bytes where an earlier build compares it")
    void wholeHash() {
        Buffer row = TakenCommands.one(command("1000:a", "put").note(null));

        Fields executed = Fields.of(
                Fields.of(row.getBytes()).list(EXECUTED, FieldReader::record).get(0));

        assertEquals("a", executed.text(1));
        assertEquals(1000, executed.number(2));
        assertEquals(hash("put"), executed.fixed(3));
    }

    @Test
    @DisplayName("is a repetition of what an earlier build has executed, also with other bytes")
    void ofEarlierBuild() {
        taken.after(ofEarlierBuild("a", 1000, hash("put, as written before")));

        assertFalse(command("1000:a", "put").isNewTo(taken, NOW));
    }

    @Test
    @DisplayName("keeps its form in the row, so that another command with its id is found")
    void keepsItsForm() {
        taken.after(TakenCommands.one(command("1000:a", "put").note(null)));

        assertFalse(command("1000:a", "put").isNewTo(taken, NOW));
        assertEquals(FailureCode.COMMAND_ID_REUSED, refusal(command("1000:a", "take"), taken));
        var ofOtherForm = IdentifiedCommand.of("1000:a", "take", new TypedPayloads(CODEC, 0));
        assertFalse(ofOtherForm.isNewTo(taken, NOW));
    }

    @Test
    @DisplayName("is refused when a bus client repeats it through a gateway of another build")
    void otherGateway() {
        command("1000:a", "put").note(null).accept(taken);
        ofBus("1000:b", "put").note(null).accept(taken);

        assertEquals(FailureCode.COMMAND_TOO_OLD, refusal(ofBus("1000:a", "put"), taken));
        assertEquals(FailureCode.COMMAND_TOO_OLD, refusal(command("1000:b", "put"), taken));
        assertFalse(command("1000:a", "put").isNewTo(taken, NOW));
        assertFalse(ofBus("1000:b", "put").isNewTo(taken, NOW));
        assertTrue(ofBus("1001:a", "put").isNewTo(taken, NOW), "of another moment: another command");
        assertTrue(command("1001:b", "put").isNewTo(taken, NOW), "of another moment: another command");
    }
}
