package io.shardbus.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.shardbus.persistence.EventCodec;
import io.shardbus.persistence.StateCodec;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a delivery queue's partition knows of its senders")
class QueueStateTest {
    private static QueuedCommand command(long session, long number) {
        return new QueuedCommand(session, number, "purse", "ä/1", Buffer.buffer("p"));
    }

    @Test
    @DisplayName("is the last batch of each session; the one that was not used for longest is forgotten")
    void forgets() {
        QueueState state = QueueState.EMPTY.after(command(0, 7)).after(command(-1, 1));
        QueueState same = state.after(command(-1, 1));
        assertSame(state, same, "further commands of a batch change nothing");
        for (int session = 1; session < QueueState.MOST_SESSIONS - 1; session++) {
            state = state.after(command(session, 1));
        }
        state = state.after(command(0, 8));
        state = state.after(command(100_000, 1));
        assertEquals(8, state.last(0));
        assertEquals(0, state.last(-1));
        assertEquals(QueueState.MOST_SESSIONS, state.sessions().size());
        StateCodec<QueueState> codec = StateCodec.json(QueueState.class);
        assertEquals(state, codec.decode(1, codec.encode(state)));
    }

    @Test
    @DisplayName("comes from events and messages that are read as they were written")
    void forms() {
        List<QueuedCommand> batch = List.of(command(1, 2), new QueuedCommand(3, 4, "t", "", Buffer.buffer()));
        assertEquals(batch, QueuedCommand.batch(QueuedCommand.message(batch)));
        Buffer bytes = Buffer.buffer();
        QueueBatch.CODEC.encode(new QueueBatch(batch), bytes);
        assertEquals(new QueueBatch(batch), QueueBatch.CODEC.decode(bytes, 0, bytes.length()));
        assertThrows(
                IllegalArgumentException.class, () -> QueueBatch.CODEC.decode(bytes, 0, bytes.length() - 1), "cut off");
        EventCodec.Encoded encoded = QueuedCommand.CODEC.encode(batch.get(0));
        assertEquals(
                batch.subList(0, 1), QueuedCommand.CODEC.decode(encoded.name(), encoded.version(), encoded.payload()));
    }
}
