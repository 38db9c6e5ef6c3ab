package io.shardbus.runtime.persistence;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An effect, and what is noted of its command if that is one that is sent again. */
record Marked<S>(
        Decided<S> decided, TakenCommands before, @Nullable Consumer<TakenCommands> note) {
    /** Length of the bytes of a row; 0 for null. */
    static int length(@Nullable Buffer bytes) {
        return bytes == null ? 0 : bytes.length();
    }

    /** The note of this command alone, for a row that follows others. */
    @Nullable
    Buffer one() {
        return note == null ? null : TakenCommands.one(note);
    }

    /** The notes of all commands, for a row that replaces others. */
    @Nullable
    Buffer whole() {
        if (note == null) {
            return before.whole();
        }
        TakenCommands after = before.copy();
        note.accept(after);
        return after.whole();
    }
}
