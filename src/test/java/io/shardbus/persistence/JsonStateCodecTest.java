package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The codec of states as JSON")
class JsonStateCodecTest {
    sealed interface Cart {}

    record Open(long cents) implements Cart {}

    record Paid(long cents) implements Cart {}

    private static final JsonStateCodec<Cart> FIRST = StateCodec.json(Cart.class);

    @Test
    @DisplayName("reads a state of an earlier version by way of each version between, whatever its class")
    void upcasts() {
        StateCodec<Cart> third = FIRST.inVersion(3)
                .upcast(1, json -> json.put("euros", json.getLong("cents")))
                .upcast(2, json -> json.put("cents", json.getLong("euros") * 100));
        assertEquals(3, third.version());
        assertEquals(new Open(500), third.decode(1, FIRST.encode(new Open(5))));
        assertEquals(new Paid(500), third.decode(1, FIRST.encode(new Paid(5))));
        assertEquals(new Paid(7), third.decode(3, third.encode(new Paid(7))));
    }

    @Test
    @DisplayName("refuses a version that it has no way from, also a newer one")
    void unknownVersions() {
        var codec = FIRST.inVersion(3).upcast(2, json -> json);
        Buffer state = FIRST.encode(new Open(5));
        for (int version : new int[] {1, 4}) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> codec.decode(version, state));
            assertTrue(refusal.getMessage().contains("version " + version), refusal.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> FIRST.inVersion(0));
    }

    @Test
    @DisplayName("reads what a former codec of another format has written")
    void former() {
        StateCodec<Long> text = new StateCodec<>() {
            @Override
            public int format() {
                return 2;
            }

            @Override
            public int version() {
                return 1;
            }

            @Override
            public Buffer encode(Long state) {
                return Buffer.buffer("sum " + state);
            }

            @Override
            public Long decode(int version, Buffer payload) {
                return Long.valueOf(payload.toString().substring(4));
            }
        };
        StateCodec<Long> codec = text.withFormer(StateCodec.json(Long.class));
        assertEquals(2, codec.format());
        assertEquals(5L, codec.decode(1, 1, Buffer.buffer("5")));
        assertEquals(6L, codec.decode(2, 1, codec.encode(6L)));
        assertThrows(IllegalArgumentException.class, () -> codec.decode(3, 1, Buffer.buffer("5")));
        assertThrows(IllegalArgumentException.class, () -> text.withFormer(text));
    }
}
