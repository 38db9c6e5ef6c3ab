package io.shardbus.transport.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.wire.WireFormatException;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StreamSealTest {
    private static final Buffer FRAME = Buffer.buffer("a frame");

    private static StreamSeal end(String secret, String stream) {
        return new StreamSeal(ClusterSecret.of(secret.getBytes(StandardCharsets.UTF_8)), stream);
    }

    private final StreamSeal sender = end("the secret of a cluster", "one");
    private final StreamSeal receiver = end("the secret of a cluster", "one");

    private static void refuses(StreamSeal by, Buffer sealed) {
        String text = String.valueOf(
                assertThrows(WireFormatException.class, () -> by.open(sealed)).getMessage());
        assertTrue(text.contains(Seals.OPTION), text);
    }

    @Test
    void framesAreOpenedInTheirOrder() {
        Buffer first = sender.seal(FRAME);
        Buffer empty = sender.seal(Buffer.buffer());
        assertEquals(FRAME.length() + StreamSeal.BYTES, first.length());
        assertEquals(FRAME, receiver.open(first));
        assertEquals(Buffer.buffer(), receiver.open(empty));
    }

    @Test
    void aFrameThatComesAgainOrInAnothersPlaceIsRefused() {
        Buffer first = sender.seal(FRAME);
        Buffer second = sender.seal(FRAME);
        assertEquals(FRAME, receiver.open(first));
        refuses(receiver, first);
        refuses(end("the secret of a cluster", "one"), second);
    }

    @Test
    void aFrameOfAnotherStreamOrSecretOrWithoutASealIsRefused() {
        Buffer sealed = sender.seal(FRAME);
        refuses(end("the secret of a cluster", "two"), sealed);
        refuses(end("the secret of another one", "one"), sealed);
        refuses(receiver, FRAME);
    }

    @Test
    void aFrameThatWasChangedIsRefused() {
        for (int at = 0; at < FRAME.length() + StreamSeal.BYTES; at++) {
            Buffer sealed = end("the secret of a cluster", "one").seal(FRAME);
            sealed.setByte(at, (byte) (sealed.getByte(at) ^ 1));
            refuses(end("the secret of a cluster", "one"), sealed);
        }
    }
}
