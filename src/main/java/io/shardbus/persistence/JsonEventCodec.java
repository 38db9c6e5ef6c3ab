package io.shardbus.persistence;

import io.shardbus.codec.JsonRecords;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Events as JSON, by names that are theirs alone. Immutable: each {@code with}-like method gives another codec. */
public final class JsonEventCodec<E> implements EventCodec<E> {
    private static final int FORMAT = 1;

    private final JsonRecords<E> records;
    private final Map<Class<?>, Name> names;
    private final Map<String, Class<?>> classes;
    private final Map<Name, UnaryOperator<JsonObject>> upcasts;
    private final Set<String> ignored;

    private record Name(String name, int version) {}

    private JsonEventCodec(
            JsonRecords<E> records,
            Map<Class<?>, Name> names,
            Map<String, Class<?>> classes,
            Map<Name, UnaryOperator<JsonObject>> upcasts,
            Set<String> ignored) {
        this.records = records;
        this.names = names;
        this.classes = classes;
        this.upcasts = upcasts;
        this.ignored = ignored;
    }

    static <E> JsonEventCodec<E> of(Class<E> events) {
        JsonRecords<E> records = JsonRecords.of(events);
        Map<Class<?>, Name> names = new HashMap<>();
        Map<String, Class<?>> classes = new HashMap<>();
        for (Class<?> type : records.classes()) {
            names.put(type, new Name(type.getSimpleName(), 1));
            if (classes.put(type.getSimpleName(), type) != null) {
                throw new IllegalArgumentException("two events are called '" + type.getSimpleName() + "'");
            }
        }
        return new JsonEventCodec<>(records, names, classes, Map.of(), Set.of());
    }

    /** Stores events of the class under this name, in this version of their form; earlier versions need an upcast. */
    public JsonEventCodec<E> named(Class<? extends E> event, String name, int version) {
        if (name.isEmpty() || name.length() > 200 || version < 1) {
            throw new IllegalArgumentException("event '" + name + "' version " + version
                    + ": use a name of 1 to 200 characters and a version of at least 1");
        }
        Map<Class<?>, Name> changed = new HashMap<>(names);
        Name before = changed.put(requireKnown(event), new Name(name, version));
        Map<String, Class<?>> readable = new HashMap<>(classes);
        readable.remove(Objects.requireNonNull(before, "name").name());
        readable.put(name, event);
        return new JsonEventCodec<>(records, changed, readable, upcasts, ignored);
    }

    /** Also reads events of this name as the class: a name that it had before. */
    public JsonEventCodec<E> alias(String name, Class<? extends E> event) {
        Map<String, Class<?>> readable = new HashMap<>(classes);
        readable.put(name, requireKnown(event));
        return new JsonEventCodec<>(records, names, readable, upcasts, ignored);
    }

    /** Turns stored events of this name and version into the form of the next version. */
    public JsonEventCodec<E> upcast(String name, int version, UnaryOperator<JsonObject> next) {
        Map<Name, UnaryOperator<JsonObject>> more = new HashMap<>(upcasts);
        more.put(new Name(name, version), next);
        return new JsonEventCodec<>(records, names, classes, more, ignored);
    }

    /** Passes over stored events of this name. */
    public JsonEventCodec<E> ignored(String name) {
        Set<String> more = new HashSet<>(ignored);
        more.add(name);
        return new JsonEventCodec<>(records, names, classes, upcasts, more);
    }

    private Class<?> requireKnown(Class<?> event) {
        if (!names.containsKey(event)) {
            throw new IllegalArgumentException(event.getName() + " is no event of this codec");
        }
        return event;
    }

    @Override
    public int format() {
        return FORMAT;
    }

    @Override
    public Encoded encode(E event) {
        Name name = names.get(event.getClass());
        if (name == null) {
            throw new IllegalArgumentException(event.getClass().getName() + " is no event of this codec");
        }
        return new Encoded(name.name(), name.version(), records.write(event));
    }

    @Override
    public List<E> decode(String name, int version, Buffer payload) {
        if (ignored.contains(name)) {
            return List.of();
        }
        Class<?> type = classes.get(name);
        if (type == null) {
            throw new IllegalArgumentException("no event is called so; known: " + new TreeSet<>(classes.keySet()));
        }
        int wanted = Objects.requireNonNull(names.get(type), "name").version();
        return List.of(records.read(type, version == wanted ? payload : upcasted(name, version, wanted, payload)));
    }

    private Buffer upcasted(String name, int version, int wanted, Buffer payload) {
        JsonObject json = payload.toJsonObject();
        for (int at = version; at != wanted; at++) {
            @Nullable UnaryOperator<JsonObject> next = upcasts.get(new Name(name, at));
            if (next == null || at > wanted) {
                throw new IllegalArgumentException("version " + at + " is not known here, which has version " + wanted);
            }
            json = next.apply(json);
        }
        return json.toBuffer();
    }
}
