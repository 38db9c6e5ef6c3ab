package io.shardbus.spi;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * Turns the messages of an entity type, and the answers to them, into bytes and back. Pure and quick: called on event
 * loops and on callers' threads, several at once. Nodes do not compare their codecs: each must read what any other
 * writes. On one node a type that is started again must bring a codec of the same class, name and version.
 *
 * <p>A user's codec encodes and decodes messages, and answers of classes that the built-in codecs do not know: null,
 * Boolean, Integer, Long, Double, String, Buffer, JsonObject, JsonArray, and List, Set and Map of these never reach it,
 * unless {@link #accepts} calls them messages.
 *
 * @param <M> the class of the messages
 */
public interface PayloadCodec<M> {
    /** The name of the format; the same on all nodes. */
    String name();

    /** The version of the format. Change it when bytes that one version writes cannot be read by the other. */
    default String version() {
        return "1";
    }

    /** Whether this object is a message of the type. Called for each message that is sent or was decoded. */
    boolean accepts(@Nullable Object message);

    /**
     * Appends the bytes of a message or an answer: all of them, or none if it throws.
     *
     * @throws IllegalArgumentException for an object that the codec does not know
     */
    void encode(@Nullable Object value, Buffer out);

    /**
     * Decodes one message or answer. Must not keep the buffer, and must not trust its bytes: throws unless they are
     * exactly those of one value, never chooses a class by a name in them, and never quotes all of them in an error
     * text.
     *
     * @param start the index of the first byte
     * @param end the index after the last byte
     * @throws IllegalArgumentException for bytes that give no value
     */
    @Nullable
    Object decode(Buffer in, int start, int end);

    /**
     * The message that a JSON object from the event bus describes.
     *
     * @throws IllegalArgumentException for JSON that gives no message
     * @throws UnsupportedOperationException if messages have no JSON form
     */
    default M fromJson(JsonObject json) {
        throw new UnsupportedOperationException("messages of the codec '" + name() + "' have no JSON form");
    }

    /**
     * An answer as an event-bus client can read it: null, a Boolean, Number, String, Buffer, JsonObject or JsonArray.
     *
     * @throws UnsupportedOperationException if the answer has no JSON form
     */
    default @Nullable Object toJson(@Nullable Object answer) {
        throw new UnsupportedOperationException("answers of the codec '" + name() + "' have no JSON form");
    }
}
