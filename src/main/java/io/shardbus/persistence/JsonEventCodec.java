package io.shardbus.persistence;

import io.shardbus.codec.JsonRecords;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Codec of events as JSON, each under a name of its own. Immutable: each method that changes a setting returns another
 * codec.
 */
public final class JsonEventCodec<E> implements EventCodec<E> {
    private static final int FORMAT = 1;

    private final JsonRecords<E> records;
    private final Map<Class<?>, Name> names;
    private final Map<String, Class<?>> classes;
    private final Map<Name, UnaryOperator<JsonObject>> upcasts;
    private final Map<Name, Function<JsonObject, List<Part>>> splits;
    private final Set<String> ignored;

    private record Name(String name, int version) {}

    /** One of the events into which a stored event is split, in the form in which it would have been stored. */
    public record Part(String name, int version, JsonObject json) {}

    private JsonEventCodec(
            JsonRecords<E> records,
            Map<Class<?>, Name> names,
            Map<String, Class<?>> classes,
            Map<Name, UnaryOperator<JsonObject>> upcasts,
            Map<Name, Function<JsonObject, List<Part>>> splits,
            Set<String> ignored) {
        this.records = records;
        this.names = names;
        this.classes = classes;
        this.upcasts = upcasts;
        this.splits = splits;
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
        return new JsonEventCodec<>(records, names, classes, Map.of(), Map.of(), Set.of());
    }

    /**
     * Stores events of the class under this name, in this version of their form; stored events of earlier versions need
     * an {@link #upcast}.
     *
     * @throws IllegalArgumentException for a class that the codec does not know, for a name that events of another
     *     class have, and for a name or a version out of range
     */
    public JsonEventCodec<E> named(Class<? extends E> event, String name, int version) {
        if (name.isEmpty() || name.length() > 200 || version < 1) {
            throw new IllegalArgumentException("event '" + name + "' version " + version
                    + ": use a name of 1 to 200 characters and a version of at least 1");
        }
        Map<Class<?>, Name> changed = new HashMap<>(names);
        Name before = changed.put(requireKnown(event), new Name(name, version));
        requireFree(name, event);
        Map<String, Class<?>> readable = new HashMap<>(classes);
        readable.remove(Objects.requireNonNull(before, "name").name());
        readable.put(name, event);
        return new JsonEventCodec<>(records, changed, readable, upcasts, splits, ignored);
    }

    /**
     * Also reads events that are stored under this name, an earlier name of the class, as events of the class.
     *
     * @throws IllegalArgumentException for a class that the codec does not know, and for a name that events of another
     *     class have
     */
    public JsonEventCodec<E> alias(String name, Class<? extends E> event) {
        requireFree(name, requireKnown(event));
        Map<String, Class<?>> readable = new HashMap<>(classes);
        readable.put(name, event);
        return new JsonEventCodec<>(records, names, readable, upcasts, splits, ignored);
    }

    /** Adds the function that turns a stored event of this name and version into the form of the next version. */
    public JsonEventCodec<E> upcast(String name, int version, UnaryOperator<JsonObject> next) {
        Map<Name, UnaryOperator<JsonObject>> more = new HashMap<>(upcasts);
        more.put(new Name(name, version), next);
        return new JsonEventCodec<>(records, names, classes, more, splits, ignored);
    }

    /**
     * Reads stored events of this name and version as the events that the function returns, in this order: several, or
     * none. Each part is read like an event that was stored under its name and in its version, so upcasts, splits and
     * ignored names apply to it. The parts have the sequence number of the stored event.
     */
    public JsonEventCodec<E> split(String name, int version, Function<JsonObject, List<Part>> parts) {
        Map<Name, Function<JsonObject, List<Part>>> more = new HashMap<>(splits);
        more.put(new Name(name, version), Objects.requireNonNull(parts, "parts"));
        return new JsonEventCodec<>(records, names, classes, upcasts, more, ignored);
    }

    /** Ignores stored events of this name; an event that would be stored under it is refused. */
    public JsonEventCodec<E> ignored(String name) {
        Set<String> more = new HashSet<>(ignored);
        more.add(name);
        return new JsonEventCodec<>(records, names, classes, upcasts, splits, more);
    }

    private void requireFree(String name, Class<?> event) {
        Class<?> other = classes.getOrDefault(name, event);
        if (other != event) {
            throw new IllegalArgumentException("events called '" + name + "' are read as " + other.getName()
                    + ", not as " + event.getName() + ": give that class another name first");
        }
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
        if (ignored.contains(name.name())) {
            throw new IllegalArgumentException("events called '" + name.name() + "' are ignored when they are read, so "
                    + event.getClass().getName() + " is not stored under this name");
        }
        return new Encoded(name.name(), name.version(), records.write(event));
    }

    @Override
    public List<E> decode(String name, int version, Buffer payload) {
        List<E> events = new ArrayList<>(1);
        decode(name, version, payload, Set.of(), events);
        return List.copyOf(events);
    }

    private void decode(String name, int version, Buffer payload, Set<Name> splitBefore, List<E> into) {
        if (ignored.contains(name)) {
            return;
        }
        Name stored = new Name(name, version);
        Function<JsonObject, List<Part>> split = splits.get(stored);
        if (split != null) {
            Set<Name> further = new HashSet<>(splitBefore);
            if (!further.add(stored)) {
                throw new IllegalArgumentException("event '" + name + "' version " + version + " is split into itself");
            }
            for (Part part : split.apply(payload.toJsonObject())) {
                decode(part.name(), part.version(), part.json().toBuffer(), further, into);
            }
            return;
        }
        Class<?> type = classes.get(name);
        if (type == null) {
            throw new IllegalArgumentException(
                    "this codec knows no event of this name; it knows " + new TreeSet<>(classes.keySet()));
        }
        int wanted = Objects.requireNonNull(names.get(type), "name").version();
        into.add(records.read(type, version == wanted ? payload : upcasted(name, version, wanted, payload)));
    }

    private Buffer upcasted(String name, int version, int wanted, Buffer payload) {
        JsonObject json = payload.toJsonObject();
        for (int at = version; at != wanted; at++) {
            @Nullable UnaryOperator<JsonObject> next = upcasts.get(new Name(name, at));
            if (next == null || at > wanted) {
                throw new IllegalArgumentException("version " + at + " cannot be read: this build writes version "
                        + wanted + ", and has no upcast from version " + at);
            }
            json = next.apply(json);
        }
        return json.toBuffer();
    }
}
