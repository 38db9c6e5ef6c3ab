package io.shardbus.persistence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
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

    @Test
    @DisplayName("reads one stored event as several, each by its own name and version")
    void split() {
        EventCodec<Event> codec = EventCodec.json(Event.class)
                .upcast("Opened", 0, json -> json.put("owner", json.getString("name")))
                .split(
                        "Reopened",
                        1,
                        json -> List.of(
                                new JsonEventCodec.Part("Closed", 1, new JsonObject()),
                                new JsonEventCodec.Part("Opened", 0, json)))
                .split("Audited", 1, json -> List.of());
        var json = Buffer.buffer("{\"name\":\"ann\"}");
        assertEquals(List.of(new Closed(), new Opened("ann")), codec.decode("Reopened", 1, json));
        assertEquals(List.of(), codec.decode("Audited", 1, json));
    }

    @Test
    @DisplayName("refuses an event that is split into itself")
    void endlessSplit() {
        EventCodec<Event> codec = EventCodec.json(Event.class)
                .split("a", 1, json -> List.of(new JsonEventCodec.Part("b", 1, json)))
                .split("b", 1, json -> List.of(new JsonEventCodec.Part("a", 1, json)));
        var refusal = assertThrows(IllegalArgumentException.class, () -> codec.decode("a", 1, Buffer.buffer("{}")));
        assertTrue(refusal.getMessage().contains("split into itself"), refusal.getMessage());
    }

    /** An event as plain text, in a format of its own. */
    private static final EventCodec<Event> TEXT = new EventCodec<>() {
        @Override
        public int format() {
            return 7;
        }

        @Override
        public Encoded encode(Event event) {
            return new Encoded("opened", 1, Buffer.buffer(((Opened) event).owner()));
        }

        @Override
        public List<Event> decode(String name, int version, Buffer payload) {
            return List.of(new Opened(payload.toString()));
        }
    };

    @Test
    @DisplayName("reads what a former codec has written, and writes as the present one")
    void former() {
        EventCodec<Event> codec = TEXT.withFormer(CODEC);
        assertEquals(7, codec.format());
        assertEquals(Buffer.buffer("ann"), codec.encode(new Opened("ann")).payload());
        assertEquals(List.of(new Opened("bob")), codec.decode(7, "opened", 1, Buffer.buffer("bob")));
        assertEquals(List.of(new Opened("ann")), codec.decode(1, "Opened", 1, Buffer.buffer("{\"owner\":\"ann\"}")));
        var unknown =
                assertThrows(IllegalArgumentException.class, () -> codec.decode(8, "opened", 1, Buffer.buffer("bob")));
        assertTrue(unknown.getMessage().contains("format 8"), unknown.getMessage());
        assertThrows(IllegalArgumentException.class, () -> TEXT.withFormer(TEXT));
    }

    @Test
    @DisplayName("refuses a name that is read as another class, and to store what it ignores")
    void takenNames() {
        var codec = EventCodec.json(Event.class);
        var taken = assertThrows(IllegalArgumentException.class, () -> codec.named(Opened.class, "Closed", 1));
        assertTrue(taken.getMessage().contains("'Closed' are read as " + Closed.class.getName()), taken.getMessage());
        assertThrows(IllegalArgumentException.class, () -> codec.alias("Closed", Opened.class));
        var renamed = codec.named(Closed.class, "ended", 1).named(Opened.class, "Closed", 1);
        assertEquals(
                List.of(new Opened("ann")),
                renamed.decode("Closed", 1, renamed.encode(new Opened("ann")).payload()));
        assertThrows(IllegalArgumentException.class, () -> renamed.named(Opened.class, "ended", 2));
        var ignoring = codec.ignored("Closed");
        assertThrows(IllegalArgumentException.class, () -> ignoring.encode(new Closed()));
    }

    sealed interface Shape {}

    record Circle(double radius) implements Shape {}

    record Drawn(List<Shape> shapes) {}

    record Place(int x, int y) {}

    record Coloured(Map<Place, String> colours) {}

    record Framed(Coloured content) {}

    @Test
    @DisplayName("refuses classes with fields that could be stored and not be read again")
    void unreadableFields() {
        var nested = assertThrows(IllegalArgumentException.class, () -> EventCodec.json(Drawn.class));
        assertTrue(nested.getMessage().contains("Drawn.shapes: " + Shape.class.getName()), nested.getMessage());
        for (Class<?> type : List.of(Coloured.class, Framed.class)) {
            var keys = assertThrows(IllegalArgumentException.class, () -> EventCodec.json(type));
            assertTrue(keys.getMessage().contains("no JSON for " + Place.class.getName()), keys.getMessage());
            assertThrows(IllegalArgumentException.class, () -> StateCodec.json(type));
        }
    }

    @Test
    @DisplayName("of a user has a number of two bytes, and events with names and versions in their range")
    void ranges() {
        assertThrows(IllegalArgumentException.class, () -> new EventCodec.Encoded("", 1, Buffer.buffer()));
        assertThrows(IllegalArgumentException.class, () -> new EventCodec.Encoded("a", 0, Buffer.buffer()));
        assertThrows(IllegalArgumentException.class, () -> new EventCodec.Encoded("a".repeat(201), 1, Buffer.buffer()));
        for (int format : new int[] {-1, 32_768}) {
            var states = states(format);
            assertThrows(IllegalArgumentException.class, () -> Account.type().withSnapshots(states, 1), "snapshots");
            EntityType<String> type = EntityType.of("texts", String.class);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> DurableState.<String, Long>of(
                            type,
                            id -> {
                                throw new AssertionError(id);
                            },
                            states));
        }
        assertEquals(
                32_767,
                Account.type()
                        .withSnapshots(states(32_767), 1)
                        .snapshots()
                        .orElseThrow()
                        .format());
    }

    private static StateCodec<Long> states(int format) {
        StateCodec<Long> json = StateCodec.json(Long.class);
        return new StateCodec<>() {
            @Override
            public int format() {
                return format;
            }

            @Override
            public int version() {
                return 1;
            }

            @Override
            public Buffer encode(Long state) {
                return json.encode(state);
            }

            @Override
            public Long decode(int version, Buffer payload) {
                return json.decode(version, payload);
            }
        };
    }
}
