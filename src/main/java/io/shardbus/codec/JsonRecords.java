package io.shardbus.codec;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectReader;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * JSON of the records and enums of one class, in the format of messages; for stored values. The bytes choose no class:
 * what is read is one of {@link #classes}.
 */
public final class JsonRecords<T> {
    private final Class<T> root;
    private final Map<Class<?>, ObjectReader> readers = new HashMap<>();
    private final Map<String, Class<?>> names = new HashMap<>();

    private JsonRecords(Class<T> root, Iterable<JavaType> types) {
        this.root = root;
        for (JavaType type : types) {
            readers.put(type.getRawClass(), RecordJson.DEFAULT.reader(type));
            names.put(type.getRawClass().getSimpleName(), type.getRawClass());
        }
    }

    /**
     * For a record, or a sealed interface of these.
     *
     * @throws IllegalArgumentException for another class, and for fields that could be stored and not be read again
     */
    public static <T> JsonRecords<T> of(Class<T> root) {
        Set<JavaType> types = new LinkedHashSet<>();
        addPermitted(RecordJson.BARE.types().constructType(root), types);
        List<String> unfit = UnwritableFields.of(types, RecordJson.DEFAULT);
        if (!unfit.isEmpty()) {
            throw new IllegalArgumentException("values of " + root.getName()
                    + " could be stored and not be read again: " + String.join("; ", unfit));
        }
        types.forEach(RecordJson.DEFAULT::requireReadable);
        return new JsonRecords<>(root, types);
    }

    /** As {@link #of}, and for Boolean, Integer, Long, Double and String. */
    public static <T> JsonRecords<T> ofValues(Class<T> root) {
        return Scalar.isType(root) && root.getPackageName().equals("java.lang")
                ? new JsonRecords<>(root, List.of(RecordJson.BARE.types().constructType(root)))
                : of(root);
    }

    private static void addPermitted(JavaType type, Set<JavaType> types) {
        Class<?> raw = type.getRawClass();
        if (raw.isRecord() || raw.isEnum()) {
            types.add(type);
        } else if (raw.isInterface() && raw.isSealed()) {
            for (Class<?> permitted : raw.getPermittedSubclasses()) {
                addPermitted(RecordJson.BARE.types().constructSpecializedType(type, permitted), types);
            }
        } else {
            throw new IllegalArgumentException(
                    raw.getName() + " is neither a record, nor an enum, nor a sealed interface of these");
        }
    }

    /** The classes that may be written and read. */
    public List<Class<?>> classes() {
        return new ArrayList<>(readers.keySet());
    }

    /** @throws IllegalArgumentException what Jackson cannot write */
    public Buffer write(Object value) {
        return Buffer.buffer(RecordJson.DEFAULT.bytes(value));
    }

    /**
     * A value of this class, which is one of {@link #classes}.
     *
     * @throws IllegalArgumentException for JSON that does not fit; its text does not repeat what is stored
     */
    public T read(Class<?> type, Buffer json) {
        ObjectReader reader = Objects.requireNonNull(readers.get(type), "a class of this table");
        return root.cast(RecordJson.read(reader, new Span(json, 0, json.length())));
    }

    /** With the simple name of the class in front, where there are several. */
    public Buffer writeNamed(Object value) {
        Buffer json = write(value);
        return readers.size() == 1
                ? json
                : Buffer.buffer(NamedTypes.classOf(value).getSimpleName())
                        .appendByte((byte) '\n')
                        .appendBuffer(json);
    }

    /** @throws IllegalArgumentException as {@link #read}, and for a name that is not known */
    public T readNamed(Buffer bytes) {
        return readNamed(bytes, json -> json);
    }

    /** As {@link #readNamed(Buffer)}, after this change of the JSON. */
    public T readNamed(Buffer bytes, UnaryOperator<Buffer> change) {
        if (readers.size() == 1) {
            return read(readers.keySet().iterator().next(), change.apply(bytes));
        }
        int end = 0;
        while (end < bytes.length() && bytes.getByte(end) != '\n') {
            end++;
        }
        Class<?> type = names.get(bytes.getString(0, end));
        if (type == null || end == bytes.length()) {
            throw new IllegalArgumentException("a state of a class that is not known here");
        }
        return read(type, change.apply(bytes.getBuffer(end + 1, bytes.length())));
    }
}
