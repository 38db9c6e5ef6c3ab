package io.shardbus.runtime.persistence;

import io.shardbus.core.persistence.DedupWindow;
import io.shardbus.core.persistence.DedupWindow.CommandStatus;
import io.shardbus.core.persistence.DedupWindow.Fingerprint;
import io.shardbus.core.persistence.DeliveryWindow;
import io.shardbus.core.persistence.DeliveryWindow.DeliveryStatus;
import io.shardbus.model.Deduplication;
import io.shardbus.model.DeliveryNumber;
import io.shardbus.wire.FieldReader;
import io.shardbus.wire.FieldWriter;
import io.shardbus.wire.Fields;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The commands of senders that repeat them, as an entity has executed them; and their form in the rows of the entity. A
 * row has one command, which its event is the effect of, or all of them.
 */
final class TakenCommands {
    private static final int EXECUTED = 1;
    private static final int WHOLE = 2;
    private static final int FLOOR = 3;
    private static final int DELIVERED = 4;

    private static final int KEY = 1;
    private static final int CREATED_AT = 2;
    private static final int FINGERPRINT = 3;
    private static final int ANSWER = 4;
    /** One more than the form, as a 0 is not written. Earlier builds compare all fingerprints, and skip this. */
    private static final int FORM = 5;

    private static final int PRODUCER = 1;
    private static final int NUMBER = 2;

    private final Deduplication bounds;
    /** The commands below this layer; null for none. */
    private final @Nullable TakenCommands below;
    /** Null before the first use: most entities have no such commands. */
    private @Nullable DedupWindow window;

    private @Nullable DeliveryWindow deliveries;

    /** Whether the answers below are void. */
    private boolean answersBelowForgotten;

    TakenCommands(Deduplication bounds) {
        this(bounds, null);
    }

    private TakenCommands(Deduplication bounds, @Nullable TakenCommands below) {
        this.bounds = bounds;
        this.below = below;
    }

    /** These and those that are added to it, without a change to these. */
    TakenCommands layer() {
        return new TakenCommands(bounds, this);
    }

    DedupWindow window() {
        DedupWindow present = window;
        if (present == null) {
            present = new DedupWindow(bounds);
            window = present;
        }
        return present;
    }

    DeliveryWindow deliveries() {
        DeliveryWindow present = deliveries;
        if (present == null) {
            present = new DeliveryWindow();
            deliveries = present;
        }
        return present;
    }

    CommandStatus judge(String key, long createdAt, Fingerprint fingerprint) {
        CommandStatus here = window == null ? CommandStatus.NEW : window.judge(key, createdAt, fingerprint);
        boolean isKnown = here == CommandStatus.REPEATED || here == CommandStatus.REUSED;
        if (isKnown || below == null) {
            return here;
        }
        CommandStatus there = below.judge(key, createdAt, fingerprint);
        return there == CommandStatus.NEW ? here : there;
    }

    /** The first answer of a command that is known; null if it is not kept. */
    byte @Nullable [] answer(String key) {
        DedupWindow.Executed here = window == null ? null : window.executed(key);
        if (here != null) {
            return here.answer();
        }
        return below == null || answersBelowForgotten ? null : below.answer(key);
    }

    /** From now on a repeated command is known, and gets null. */
    void forgetAnswers() {
        answersBelowForgotten = true;
        if (window != null) {
            window.forgetAnswers();
        }
    }

    /** The command with this key, if it is known. */
    DedupWindow.@Nullable Executed executed(String key) {
        DedupWindow.Executed here = window == null ? null : window.executed(key);
        return here == null && below != null ? below.executed(key) : here;
    }

    /** Commands that are not known and not younger than this are refused. */
    long floor() {
        long here = window == null ? DedupWindow.NO_FLOOR : window.floor();
        return below == null ? here : Math.max(here, below.floor());
    }

    DeliveryStatus judge(DeliveryNumber number) {
        DeliveryWindow more = below == null ? deliveries() : below.deliveries();
        return deliveries().judge(number.producer(), number.number(), number.previous(), more);
    }

    /** The highest number of this producer that was taken; 0 for none. */
    long highest(String producer) {
        long here = deliveries == null ? 0 : deliveries.highest(producer);
        return below == null ? here : Math.max(here, below.highest(producer));
    }

    /** All of them, in a single layer. */
    TakenCommands copy() {
        TakenCommands copy = below == null ? new TakenCommands(bounds) : below.copy();
        if (below == null) {
            copy.window = window == null ? null : window.copy();
        } else {
            if (answersBelowForgotten) {
                copy.forgetAnswers();
            }
            copy.window = new DedupWindow(bounds, floor(), copy.window().executed());
            window().executed().forEach(copy.window()::add);
        }
        if (deliveries != null) {
            deliveries.taken().forEach(copy.deliveries()::take);
        }
        return copy;
    }

    private boolean isEmpty() {
        return (window == null || window.isEmpty()) && (deliveries == null || deliveries.isEmpty());
    }

    /** All commands, for a row that replaces earlier ones; null for none. */
    @Nullable
    Buffer whole() {
        if (below != null) {
            return copy().whole();
        }
        return isEmpty() ? null : written(new FieldWriter().flag(WHOLE, true).signed(FLOOR, window().floor()));
    }

    /** One command, for a row behind others. */
    static Buffer one(Consumer<TakenCommands> note) {
        TakenCommands only = new TakenCommands(Deduplication.DEFAULT);
        note.accept(only);
        return only.written(new FieldWriter());
    }

    private Buffer written(FieldWriter out) {
        if (window != null) {
            window.executed().forEach(executed -> write(out, executed));
        }
        if (deliveries != null) {
            deliveries
                    .taken()
                    .forEach((producer, number) -> out.record(
                            DELIVERED, entry -> entry.text(PRODUCER, producer).number(NUMBER, number)));
        }
        return Buffer.buffer(out.toBytes());
    }

    private static void write(FieldWriter all, DedupWindow.Executed executed) {
        all.record(EXECUTED, out -> {
            out.text(KEY, executed.key())
                    .number(CREATED_AT, executed.createdAt())
                    .fixed(FINGERPRINT, executed.fingerprint().hash())
                    .number(FORM, executed.fingerprint().form() + 1);
            byte[] answer = executed.answer();
            if (answer != null) {
                out.bytes(ANSWER, answer);
            }
        });
    }

    /**
     * The commands after a row with this metadata.
     *
     * @throws io.shardbus.wire.WireFormatException for what cannot be read
     */
    TakenCommands after(@Nullable Buffer meta) {
        if (meta == null) {
            return this;
        }
        Fields row = Fields.of(meta.getBytes());
        TakenCommands next = row.flag(WHOLE) ? from(row.signed(FLOOR)) : this;
        row.list(EXECUTED, FieldReader::record).forEach(record -> next.window().add(read(Fields.of(record))));
        row.list(DELIVERED, FieldReader::record).forEach(record -> {
            Fields delivered = Fields.of(record);
            next.deliveries().take(delivered.text(PRODUCER), delivered.number(NUMBER));
        });
        return next;
    }

    private TakenCommands from(long floor) {
        TakenCommands next = new TakenCommands(bounds);
        next.window = new DedupWindow(bounds, floor, List.of());
        return next;
    }

    private static DedupWindow.Executed read(Fields executed) {
        return new DedupWindow.Executed(
                executed.text(KEY),
                executed.number(CREATED_AT),
                new DedupWindow.Fingerprint(executed.count(FORM) - 1, executed.fixed(FINGERPRINT)),
                executed.has(ANSWER) ? executed.bytes(ANSWER) : null);
    }
}
