package io.shardbus.codec;

import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a value: a tag, then what the tag says. 0 null; 1 to 8 the {@link Scalar scalars}; 9 a list, 10 a set: a
 * count and, for each element, its length and itself as a value; 11 a map: the same with keys and values by turns; from
 * 32 on, what the {@link Extension} of the entity type knows. Numbers are big-endian, counts and lengths take four
 * bytes.
 */
final class ValueFormat {
    private static final int NULL = 0;
    private static final int LIST = 9;
    private static final int SET = 10;
    private static final int MAP = 11;
    private static final int DEEPEST = 64;

    /** Values of classes that only this entity type knows. */
    interface Extension {
        /** Whether the value belongs to the extension. */
        boolean takes(Object value);

        /** Appends tag and value, or throws and appends nothing. */
        void encode(Object value, Buffer out);

        /** Whether values with this tag belong to the extension. */
        boolean reads(int tag);

        /** The value behind the tag. */
        @Nullable
        Object decode(Span in);

        /** Advice for the error text when a class is not known. */
        String advice();
    }

    private final String entityType;
    private final Extension extension;

    ValueFormat(String entityType, Extension extension) {
        this.entityType = entityType;
        this.extension = extension;
    }

    /** Whether a value is of a kind that every codec knows. */
    static boolean isBuiltIn(Object value) {
        return Scalar.of(value).isPresent()
                || value instanceof List<?>
                || value instanceof Set<?>
                || value instanceof Map<?, ?>;
    }

    /** Appends a value, or throws and appends nothing. */
    void encode(@Nullable Object value, Buffer out) {
        try {
            write(value, out, 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "entity type '" + entityType + "': cannot encode " + className(value) + ": " + e.getMessage(),
                    e.getCause());
        }
    }

    /**
     * Decodes the one value that these bytes are.
     *
     * @throws IllegalArgumentException if they are no value, or there are bytes behind it
     */
    @Nullable
    Object decode(Span in) {
        try {
            return read(in, 0);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "entity type '" + entityType + "': cannot decode " + in.length() + " bytes: " + e.getMessage(),
                    e.getCause());
        }
    }

    private void write(@Nullable Object value, Buffer out, int depth) {
        if (value == null) {
            out.appendByte((byte) NULL);
        } else if (extension.takes(value)) {
            extension.encode(value, out);
        } else if (value instanceof List<?> list) {
            writeAll(LIST, list.size(), list, out, depth);
        } else if (value instanceof Set<?> set) {
            writeAll(SET, set.size(), set, out, depth);
        } else if (value instanceof Map<?, ?> map) {
            writeAll(MAP, map.size(), flat(map), out, depth);
        } else {
            Scalar.of(value)
                    .orElseThrow(() -> new IllegalArgumentException(unknown(value)))
                    .write(value, out);
        }
    }

    private String unknown(Object value) {
        return "class " + value.getClass().getName() + " is not known; " + extension.advice();
    }

    private void writeAll(int tag, int count, Collection<?> values, Buffer out, int depth) {
        checkDepth(depth);
        var bytes = Buffer.buffer().appendByte((byte) tag).appendInt(count);
        for (var value : values) {
            int length = bytes.length();
            bytes.appendInt(0);
            write(value, bytes, depth + 1);
            bytes.setInt(length, bytes.length() - length - Integer.BYTES);
        }
        out.appendBuffer(bytes);
    }

    private static List<Object> flat(Map<?, ?> map) {
        var values = new ArrayList<Object>();
        map.forEach((key, value) -> {
            values.add(key);
            values.add(value);
        });
        return values;
    }

    private @Nullable Object read(Span in, int depth) {
        if (in.length() == 0) {
            throw new IllegalArgumentException("no tag");
        }
        int tag = in.buffer().getUnsignedByte(in.start());
        var rest = in.from(in.start() + 1);
        if (extension.reads(tag)) {
            return extension.decode(rest);
        }
        return switch (tag) {
            case NULL -> readNull(rest);
            case LIST -> Collections.unmodifiableList(readAll(rest, 1, depth));
            case SET -> readSet(rest, depth);
            case MAP -> readMap(rest, depth);
            default -> readScalar(tag, rest);
        };
    }

    private static Object readScalar(int tag, Span in) {
        return Scalar.tagged(tag)
                .orElseThrow(() -> new IllegalArgumentException("unknown tag " + tag))
                .read(in);
    }

    private static @Nullable Object readNull(Span in) {
        if (in.length() > 0) {
            throw new IllegalArgumentException("bytes after a null");
        }
        return null;
    }

    private Set<Object> readSet(Span in, int depth) {
        var values = readAll(in, 1, depth);
        var set = new LinkedHashSet<>(values);
        if (set.size() < values.size()) {
            throw new IllegalArgumentException("an element twice in a set");
        }
        return Collections.unmodifiableSet(set);
    }

    private Map<Object, Object> readMap(Span in, int depth) {
        var values = readAll(in, 2, depth);
        var map = new LinkedHashMap<Object, Object>();
        for (int i = 0; i < values.size(); i += 2) {
            map.put(values.get(i), values.get(i + 1));
        }
        if (map.size() * 2 < values.size()) {
            throw new IllegalArgumentException("a key twice in a map");
        }
        return Collections.unmodifiableMap(map);
    }

    private List<Object> readAll(Span in, int perCount, int depth) {
        checkDepth(depth);
        var values = new ArrayList<Object>();
        int at = in.start() + Integer.BYTES;
        long count = at > in.end() ? -1 : (long) in.buffer().getInt(in.start()) * perCount;
        for (long i = 0; i < count; i++) {
            var element = element(in.from(at));
            values.add(read(element, depth + 1));
            at = element.end();
        }
        if (count < 0 || at != in.end()) {
            throw new IllegalArgumentException("a list, set or map of another length than it says");
        }
        return values;
    }

    private static Span element(Span in) {
        int start = in.start() + Integer.BYTES;
        int length = start > in.end() ? -1 : in.buffer().getInt(in.start());
        if (length < 0 || length > in.end() - start) {
            throw new IllegalArgumentException("an element of another length than it says");
        }
        return new Span(in.buffer(), start, start + length);
    }

    private static void checkDepth(int depth) {
        if (depth >= DEEPEST) {
            throw new IllegalArgumentException("lists, sets and maps deeper in each other than " + DEEPEST);
        }
    }

    private static String className(@Nullable Object value) {
        return value == null ? "null" : value.getClass().getName();
    }
}
