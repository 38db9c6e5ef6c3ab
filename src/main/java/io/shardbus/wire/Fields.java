package io.shardbus.wire;

import io.shardbus.model.FencingToken;
import io.shardbus.model.NodeId;
import io.shardbus.model.TermId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The fields of one record by their numbers, for records that are read rarely. Fields that are not asked for are
 * skipped.
 */
public final class Fields {
    /** A record without fields. */
    public static final Fields NONE = of(new byte[0]);

    private final FieldReader in;
    private int[] numbers = new int[8];
    private int[] begins = new int[8];
    private int size;

    private Fields(FieldReader in) {
        this.in = in;
        while (in.next()) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * size);
                begins = Arrays.copyOf(begins, 2 * size);
            }
            numbers[size] = in.field();
            begins[size++] = in.begin();
        }
    }

    /** @throws WireFormatException if the rest of the reader is not a sequence of whole fields */
    public static Fields of(FieldReader in) {
        return new Fields(in);
    }

    public static Fields of(byte[] record) {
        return new Fields(new FieldReader(record));
    }

    private <T> Optional<T> last(int field, Function<FieldReader, T> value) {
        for (int i = size - 1; i >= 0; i--) {
            if (numbers[i] == field) {
                return Optional.of(value.apply(in.at(begins[i])));
            }
        }
        return Optional.empty();
    }

    private static WireFormatException missing(int field) {
        return new WireFormatException("field " + field + " is missing");
    }

    public boolean has(int field) {
        return last(field, FieldReader::field).isPresent();
    }

    /** 0 if it is missing. */
    public long number(int field) {
        return last(field, FieldReader::number).orElse(0L);
    }

    /** A number from 0 to the greatest int, 0 if it is missing. */
    public int count(int field) {
        return last(field, FieldReader::count).orElse(0);
    }

    /** 0 if it is missing. */
    public long signed(int field) {
        return last(field, FieldReader::signed).orElse(0L);
    }

    /** 0 if it is missing. */
    public long fixed(int field) {
        return last(field, FieldReader::fixed).orElse(0L);
    }

    /** False if it is missing. */
    public boolean flag(int field) {
        return last(field, FieldReader::flag).orElse(false);
    }

    /** Empty if it is missing. */
    public String text(int field) {
        return last(field, FieldReader::text).orElse("");
    }

    /** No bytes if it is missing. */
    public byte[] bytes(int field) {
        return last(field, FieldReader::bytes).orElseGet(() -> new byte[0]);
    }

    /** @throws WireFormatException if it is missing */
    public NodeId node(int field) {
        return last(field, FieldReader::node).orElseThrow(() -> missing(field));
    }

    /** @throws WireFormatException if it is missing */
    public FencingToken token(int field) {
        return last(field, FieldReader::token).orElseThrow(() -> missing(field));
    }

    /** @throws WireFormatException if it is missing */
    public TermId term(int field) {
        return last(field, FieldReader::term).orElseThrow(() -> missing(field));
    }

    public Optional<Fields> record(int field) {
        return last(field, reader -> new Fields(reader.record()));
    }

    /** @throws WireFormatException if it is missing */
    public Fields requireRecord(int field) {
        return record(field).orElseThrow(() -> missing(field));
    }

    /** The values of a field that may come any number of times, in their order. */
    public <T> List<T> list(int field, Function<FieldReader, T> value) {
        List<T> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (numbers[i] == field) {
                values.add(value.apply(in.at(begins[i])));
            }
        }
        return values;
    }

    /** The numbers that stand one after the other in the bytes of one field. */
    public List<Integer> counts(int field) {
        List<Integer> counts = new ArrayList<>();
        last(field, FieldReader::record).ifPresent(all -> {
            while (all.hasMore()) {
                counts.add(all.bareCount());
            }
        });
        return counts;
    }

    /** Fields beyond the known numbers, as they were read, for {@link FieldWriter#raw}. */
    public byte[] beyond(int lastKnown) {
        FieldWriter rest = new FieldWriter(0);
        for (int i = 0; i < size; i++) {
            if (numbers[i] > lastKnown) {
                rest.raw(in.at(begins[i]).whole());
            }
        }
        return rest.toBytes();
    }
}
