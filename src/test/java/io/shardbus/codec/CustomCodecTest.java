package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shardbus.EntityDefinition;
import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class CustomCodecTest {
    private static final EntityType<Locale> TYPE = EntityType.of("locale", Locale.class);
    private static final PayloadCodec<Locale> CODEC =
            PayloadCodecs.of(definition().withCodec(new Locales()));

    @Test
    void messagesGoThroughTheUsersCodec() {
        assertTrue(CODEC.accepts(Locale.GERMANY));
        assertFalse(CODEC.accepts(null));
        assertFalse(CODEC.accepts("de"));
        assertEquals(Locale.GERMANY, TypeCodecTest.roundTrip(CODEC, Locale.GERMANY));
        assertEquals("locales", CODEC.name());
        assertEquals("7", CODEC.version());
    }

    @Test
    void commonAnswersDoNot() {
        assertNull(TypeCodecTest.roundTrip(CODEC, null));
        assertEquals(5L, TypeCodecTest.roundTrip(CODEC, 5L));
        assertEquals(List.of(Locale.ITALY, 1), TypeCodecTest.roundTrip(CODEC, List.of(Locale.ITALY, 1)));
    }

    @Test
    void itsFailuresLeaveNoBytes() {
        var out = Buffer.buffer("x");
        var refusal = assertThrows(IllegalArgumentException.class, () -> CODEC.encode(Thread.State.NEW, out));
        assertTrue(refusal.getMessage().contains("the codec 'locales' failed"), refusal.getMessage());
        assertEquals(ClassCastException.class, refusal.getCause().getClass());
        assertEquals(Buffer.buffer("x"), out);
        var bytes = Buffer.buffer(new byte[] {33});
        assertThrows(IllegalArgumentException.class, () -> CODEC.decode(bytes, 0, 1));
        var unknown = Buffer.buffer(new byte[] {32, 0});
        assertThrows(IllegalArgumentException.class, () -> CODEC.decode(unknown, 0, 2));
    }

    @Test
    void jsonIsUpToIt() {
        assertThrows(UnsupportedOperationException.class, () -> CODEC.fromJson(new JsonObject()));
        assertThrows(UnsupportedOperationException.class, () -> CODEC.toJson(Locale.ITALY));
        assertEquals(1, CODEC.toJson(1));
        assertNull(CODEC.toJson(null));
    }

    @Test
    void aDefinitionWithoutCodecGetsTheBuiltInOne() {
        assertThrows(IllegalArgumentException.class, () -> PayloadCodecs.of(definition()));
        assertEquals("shardbus", PayloadCodecs.forType(Shop.TYPE).name());
        assertEquals("1", PayloadCodecs.forType(Shop.TYPE).version());
        var builtIn = PayloadCodecs.forType(Shop.TYPE);
        var shop = EntityDefinition.of(Shop.TYPE, id -> (message, context) -> Future.succeededFuture());
        assertSame(builtIn, PayloadCodecs.of(shop.withCodec(builtIn)));
    }

    private static EntityDefinition<Locale> definition() {
        return EntityDefinition.of(TYPE, id -> (message, context) -> Future.succeededFuture());
    }

    private static final class Locales implements PayloadCodec<Locale> {
        @Override
        public String name() {
            return "locales";
        }

        @Override
        public String version() {
            return "7";
        }

        @Override
        public boolean accepts(Object message) {
            return message instanceof Locale;
        }

        @Override
        public void encode(Object value, Buffer out) {
            out.appendString("half");
            out.appendString(((Locale) value).toLanguageTag());
        }

        @Override
        public Object decode(Buffer in, int start, int end) {
            return Locale.forLanguageTag(in.getString(start + "half".length(), end));
        }
    }
}
