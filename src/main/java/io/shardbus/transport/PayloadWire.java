package io.shardbus.transport;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/** Payloads and answers as bytes, for one entity type. Called on lanes. */
public interface PayloadWire {
    /** Appends a message's bytes; throws when it cannot. */
    void encodeMessage(Object message, Buffer out);

    /** Reads a message; throws when the bytes are not one. */
    Object decodeMessage(Buffer in, int start, int end);

    /** Of 16 bits: messages that are written in another form are not compared by their bytes. */
    default int messageForm() {
        return 0;
    }

    /** Appends an answer's bytes; throws when it cannot. */
    void encodeAnswer(@Nullable Object answer, Buffer out);

    /** Reads an answer; throws when the bytes are not one. */
    @Nullable
    Object decodeAnswer(Buffer in, int start, int end);
}
