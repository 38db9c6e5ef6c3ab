package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.DedupWindow;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commands of senders that repeat them, as an entity has executed them; and their form in the rows of the entity. A
 * row has one command, which its event is the effect of, or all of them.
 */
final class TakenCommands {
    private static final int EXECUTED = 1;
    private static final int WHOLE = 2;
    private static final int FLOOR = 3;

    private static final int KEY = 1;
    private static final int CREATED_AT = 2;
    private static final int FINGERPRINT = 3;
    private static final int ANSWER = 4;

    private final DedupWindow window;

    TakenCommands() {
        this(new DedupWindow());
    }

    private TakenCommands(DedupWindow window) {
        this.window = window;
    }

    DedupWindow window() {
        return window;
    }

    TakenCommands copy() {
        return new TakenCommands(window.copy());
    }

    /** All of them, for a row that takes the place of earlier ones; null for none. */
    @Nullable
    Buffer whole() {
        if (window.isEmpty()) {
            return null;
        }
        FieldWriter out = new FieldWriter().flag(WHOLE, true).signed(FLOOR, window.floor());
        window.executed().forEach(executed -> write(out, executed));
        return Buffer.buffer(out.toBytes());
    }

    static Buffer one(DedupWindow.Executed executed) {
        FieldWriter out = new FieldWriter();
        write(out, executed);
        return Buffer.buffer(out.toBytes());
    }

    private static void write(FieldWriter all, DedupWindow.Executed executed) {
        all.record(EXECUTED, out -> {
            out.text(KEY, executed.key())
                    .number(CREATED_AT, executed.createdAt())
                    .fixed(FINGERPRINT, executed.fingerprint());
            byte[] answer = executed.answer();
            if (answer != null) {
                out.bytes(ANSWER, answer);
            }
        });
    }

    /**
     * These after a row with this in it.
     *
     * @throws io.shardbus.wire.WireFormatException for what cannot be read
     */
    TakenCommands after(@Nullable Buffer meta) {
        if (meta == null) {
            return this;
        }
        Fields row = Fields.of(meta.getBytes());
        TakenCommands next = row.flag(WHOLE) ? new TakenCommands(new DedupWindow(row.signed(FLOOR), List.of())) : this;
        row.list(EXECUTED, FieldReader::record).forEach(record -> next.window.add(read(Fields.of(record))));
        return next;
    }

    private static DedupWindow.Executed read(Fields executed) {
        return new DedupWindow.Executed(
                executed.text(KEY),
                executed.number(CREATED_AT),
                executed.fixed(FINGERPRINT),
                executed.has(ANSWER) ? executed.bytes(ANSWER) : null);
    }
}
