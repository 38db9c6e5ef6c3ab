package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The codec of events as JSON")
class JsonEventCodecTest {
    sealed interface Event {}

    record Opened(String owner) implements Event {}

    record Closed() implements Event {}

    private static final EventCodec<Event> CODEC = EventCodec.json(Event.class);

    @Test
    @DisplayName("stores a record under its simple name, and reads it without names of classes")
    void names() {
        var encoded = CODEC.encode(new Opened("ann"));
        assertEquals(new EventCodec.Encoded("Opened", 1, Buffer.buffer("{\"owner\":\"ann\"}")), encoded);
        assertEquals(List.of(new Opened("ann")), CODEC.decode("Opened", 1, encoded.payload()));
        assertThrows(IllegalArgumentException.class, () -> CODEC.decode("java.lang.String", 1, Buffer.buffer("\"x\"")));
    }

    @Test
    @DisplayName("refuses a version that it has no way from, also a newer one")
    void versions() {
        var codec =
                EventCodec.json(Event.class).named(Opened.class, "opened", 3).upcast("opened", 2, json -> json);
        var json = Buffer.buffer("{\"owner\":\"ann\"}");
        assertEquals(List.of(new Opened("ann")), codec.decode("opened", 2, json));
        for (int version : List.of(1, 4)) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> codec.decode("opened", version, json));
            assertTrue(refusal.getMessage().contains("version " + version), refusal.getMessage());
        }
    }

    @Test
    @DisplayName("passes over what is no longer of interest, and refuses what it does not know")
    void ignored() {
        var json = Buffer.buffer("{}");
        assertEquals(List.of(), EventCodec.json(Event.class).ignored("Frozen").decode("Frozen", 1, json));
        assertThrows(IllegalArgumentException.class, () -> CODEC.decode("Frozen", 1, json));
        assertThrows(IllegalArgumentException.class, () -> EventCodec.json(String.class));
    }
}
