package io.shardbus.persistence;

import io.shardbus.codec.JsonRecords;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** States as JSON. Immutable: {@link #inVersion} and {@link #upcast} give another codec. */
public final class JsonStateCodec<S> implements StateCodec<S> {
    private static final int FORMAT = 1;

    private final JsonRecords<S> records;
    private final int version;
    private final Map<Integer, UnaryOperator<JsonObject>> upcasts;

    private JsonStateCodec(JsonRecords<S> records, int version, Map<Integer, UnaryOperator<JsonObject>> upcasts) {
        this.records = records;
        this.version = version;
        this.upcasts = upcasts;
    }

    static <S> JsonStateCodec<S> of(Class<S> states) {
        return new JsonStateCodec<>(JsonRecords.ofValues(states), 1, Map.of());
    }

    /**
     * Stores states in this version of their form from now on; earlier versions need an {@link #upcast}.
     *
     * @param newest at least 1
     */
    public JsonStateCodec<S> inVersion(int newest) {
        if (newest < 1) {
            throw new IllegalArgumentException("a state of version " + newest + ": use at least 1");
        }
        return new JsonStateCodec<>(records, newest, upcasts);
    }

    /**
     * Adds the function that turns a stored state of this version, a JSON object, into the form of the next version.
     */
    public JsonStateCodec<S> upcast(int from, UnaryOperator<JsonObject> next) {
        Map<Integer, UnaryOperator<JsonObject>> more = new HashMap<>(upcasts);
        more.put(from, Objects.requireNonNull(next, "next"));
        return new JsonStateCodec<>(records, version, more);
    }

    @Override
    public int format() {
        return FORMAT;
    }

    @Override
    public int version() {
        return version;
    }

    @Override
    public Buffer encode(S state) {
        return records.writeNamed(state);
    }

    @Override
    public S decode(int stored, Buffer payload) {
        return stored == version
                ? records.readNamed(payload)
                : records.readNamed(payload, old -> upcasted(stored, old));
    }

    private Buffer upcasted(int stored, Buffer payload) {
        JsonObject json = payload.toJsonObject();
        for (int at = stored; at != version; at++) {
            UnaryOperator<JsonObject> next = upcasts.get(at);
            if (next == null || at > version) {
                throw new IllegalArgumentException(
                        "a state of version " + at + " cannot be read: this build writes version " + version
                                + ", and has no upcast from version " + at);
            }
            json = next.apply(json);
        }
        return json.toBuffer();
    }
}
