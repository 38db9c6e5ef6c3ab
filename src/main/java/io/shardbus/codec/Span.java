package io.shardbus.codec;

import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of one value, within a frame that holds more.
 *
 * @param start the index of the first byte
 * @param end the index after the last byte
 */
record Span(Buffer buffer, int start, int end) {
    int length() {
        return end - start;
    }

    Span from(int index) {
        return new Span(buffer, index, end);
    }

    Span until(int index) {
        return new Span(buffer, start, index);
    }

    byte[] bytes() {
        return buffer.getBytes(start, end);
    }

    /** A copy: a slice would keep the whole frame. */
    Buffer copy() {
        return buffer.getBuffer(start, end);
    }

    /** The text, which must be UTF-8; a replacement character hints that it may not be. */
    String text() {
        var text = buffer.getString(start, end, "UTF-8");
        return text.indexOf('\uFFFD') < 0 ? text : strictText();
    }

    private String strictText() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text that is not UTF-8", e);
        }
    }
}
