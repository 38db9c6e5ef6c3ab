package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SingletonOptionsTest {
    private static IllegalArgumentException refused(JsonObject json) {
        return assertThrows(IllegalArgumentException.class, () -> new SingletonOptions(json).validate());
    }

    @Test
    void hasItsOwnDefaultsAndKeys() {
        SingletonOptions options = new SingletonOptions().setName("ids");
        options.validate();
        assertEquals(SingletonOptions.DEFAULT_KEEP_ALIVE_INTERVAL_MS, options.getKeepAliveIntervalMs());
        assertEquals(SingletonOptions.DEFAULT_STOP_TIMEOUT_MS, options.getStopTimeoutMs());
        assertEquals(
                Set.of("name", "role", "keepAliveIntervalMs", "stopTimeoutMs"),
                options.toJson().fieldNames());
        assertEquals(options, new SingletonOptions(options.toJson()));
    }

    @Test
    void aCopyIsApart() {
        SingletonOptions options = new SingletonOptions().setName("ids");
        SingletonOptions copy = new SingletonOptions(options).setRole("main");
        assertEquals("", options.getRole());
        assertNotEquals(options, copy);
    }

    @Test
    void aKeyOfSetsOfWorkersIsNone() {
        String text =
                refused(new JsonObject().put("name", "ids").put("workers", 2)).getMessage();
        assertTrue(text.startsWith("unknown option 'workers'"), text);
    }

    @Test
    void aValueThatIsNoWholeNumberIsNamed() {
        for (Object value : new Object[] {1000.5, "1000", true}) {
            String text = refused(new JsonObject().put("name", "ids").put("stopTimeoutMs", value))
                    .getMessage();
            assertTrue(text.startsWith("option 'stopTimeoutMs' = " + value), text);
        }
        assertTrue(refused(new JsonObject().putNull("name")).getMessage().startsWith("option 'name' = null"));
    }

    @Test
    void aValueThatIsOutOfRangeIsNamed() {
        String text = refused(new JsonObject().put("name", "ids").put("keepAliveIntervalMs", 1))
                .getMessage();
        assertEquals("option 'keepAliveIntervalMs' = 1: must be a whole number in 10..3600000", text);
    }
}
