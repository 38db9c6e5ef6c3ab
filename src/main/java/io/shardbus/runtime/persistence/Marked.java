package io.shardbus.runtime.persistence;

import io.vertx.core.buffer.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An effect, and what is noted of its command if that is one that is sent again. */
record Marked<S>(
        Decided<S> decided, TakenCommands before, @Nullable Consumer<TakenCommands> note) {
    /** Of the bytes in a row, which may have none. */
    static int length(@Nullable Buffer bytes) {
        return bytes == null ? 0 : bytes.length();
    }

    /** For a row behind others. */
    @Nullable
    Buffer one() {
        return note == null ? null : TakenCommands.one(note);
    }

    /** For a row that takes the place of others. */
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
