package io.shardbus.codec;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectReader;
import io.shardbus.EntityType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * The records and enums of one entity type, by their simple names: tag 32, the length of the name in one byte, the name
 * in UTF-8, then JSON. A name stays what it is when other classes are added, so old and new nodes understand each
 * other; a name that is not in the table is refused.
 */
final class NamedTypes implements ValueFormat.Extension {
    static final int TAG = 32;

    private static final int LONGEST_NAME = 255;
    private static final int SHOWN = 64;

    private record Entry(String name, Header header, ObjectReader reader, boolean isEnum) {}

    /** Header before the JSON: it names the class. */
    private static final class Header {
        private final byte[] bytes;

        Header(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    private final Map<Class<?>, Entry> byClass = new HashMap<>();
    private final Map<String, Entry> byName = new HashMap<>();

    private final RecordJson json;

    NamedTypes(EntityType<?> entityType, Iterable<JavaType> types, RecordJson json) {
        this.json = json;
        for (var type : types) {
            var entry = entry(type);
            byClass.put(type.getRawClass(), entry);
            if (byName.put(entry.name, entry) != null) {
                throw new IllegalArgumentException("entity type '" + entityType.name() + "': two classes are called '"
                        + entry.name + "'; rename one, or bring a codec: EntityDefinition.withCodec");
            }
        }
    }

    /** The class of a value; constants of an enum may have classes of their own. */
    static Class<?> classOf(Object value) {
        return value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    }

    @Override
    public boolean takes(Object value) {
        return byClass.containsKey(classOf(value));
    }

    @Override
    public void encode(Object value, Buffer out) {
        var written = json.bytes(value);
        out.appendBytes(known(value).header.bytes).appendBytes(written);
    }

    @Override
    public boolean reads(int tag) {
        return tag == TAG;
    }

    @Override
    public Object decode(Span in) {
        int name = in.start() + 1;
        int content = in.length() == 0 ? in.end() + 1 : name + in.buffer().getUnsignedByte(in.start());
        if (content > in.end()) {
            throw new IllegalArgumentException("a type name of another length than it says");
        }
        return RecordJson.read(named(in.from(name).until(content).text()).reader, in.from(content));
    }

    @Override
    public String advice() {
        return byName.isEmpty()
                ? "bring a codec: EntityDefinition.withCodec"
                : "known: " + String.join(", ", new TreeSet<>(byName.keySet()));
    }

    /**
     * The value of this name that the JSON describes: the fields of a record, or the constant of an enum as "value".
     */
    Object fromJson(String name, JsonObject fields) {
        var entry = named(name);
        try {
            return RecordJson.read(entry.reader, entry.isEnum ? fields.getValue("value") : fields);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e.getCause());
        }
    }

    /**
     * A record as its fields and, unless it has such a field, its name as "type"; an enum as the name of the constant.
     */
    Object toJson(Object value) {
        var plain = json.plain(value);
        if (plain instanceof JsonObject fields && !fields.containsKey("type")) {
            fields.put("type", known(value).name);
        }
        return plain;
    }

    private Entry known(Object value) {
        return Objects.requireNonNull(byClass.get(classOf(value)), "a value that takes() does not take");
    }

    private Entry named(String name) {
        var entry = byName.get(name);
        if (entry == null) {
            throw new IllegalArgumentException("unknown type '" + shown(name) + "'; " + advice());
        }
        return entry;
    }

    private Entry entry(JavaType type) {
        var raw = type.getRawClass();
        var name = raw.getSimpleName().getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "the name of " + raw.getName() + " is longer than " + LONGEST_NAME + " bytes");
        }
        var header = Buffer.buffer()
                .appendByte((byte) TAG)
                .appendUnsignedByte((short) name.length)
                .appendBytes(name);
        return new Entry(raw.getSimpleName(), new Header(header.getBytes()), json.reader(type), raw.isEnum());
    }

    /** Names from the wire may be anything. */
    private static String shown(String name) {
        var printable = name.replaceAll("[^!-~]", "?");
        return printable.length() <= SHOWN ? printable : printable.substring(0, SHOWN) + "...";
    }
}
