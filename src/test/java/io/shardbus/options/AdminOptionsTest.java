package io.shardbus.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdminOptionsTest {
    private static AdminOptions all() {
        return new AdminOptions()
                .setReadOnly(false)
                .setStateInspection(true)
                .setAllowedHosts(Set.of("ops.example.org"))
                .setEnvironment("prod")
                .setEnvironmentColour("red");
    }

    @Test
    void areTheSameFromTheirJsonAndAsACopy() {
        assertEquals(all(), new AdminOptions(all().toJson()));
        assertEquals(all(), new AdminOptions(all()));
        assertEquals(all().hashCode(), new AdminOptions(all()).hashCode());
        for (String key : all().toJson().fieldNames()) {
            var json = all().toJson();
            json.put(key, new AdminOptions().toJson().getValue(key));
            assertNotEquals(all(), new AdminOptions(json), key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1234567890123456789012345678901", "a\nb", " prod", "prod "})
    void anEnvironmentThatIsNoNameIsRefused(String name) {
        var options = new AdminOptions();
        assertThrows(IllegalArgumentException.class, () -> options.setEnvironment(name));
        assertEquals("", options.getEnvironment());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "pink", "#f00", "Red", "red; x"})
    void anUnknownColourIsRefused(String colour) {
        var json = new JsonObject().put("environmentColour", colour);
        var refusal = assertThrows(IllegalArgumentException.class, () -> new AdminOptions(json));
        assertTrue(String.valueOf(refusal.getMessage()).contains("environmentColour: '" + colour), refusal::toString);
    }

    @Test
    void anUnknownKeyOrAWrongTypeIsRefusedWithTheKeys() {
        for (var json : List.of(new JsonObject().put("env", "prod"), new JsonObject().put("environment", 5))) {
            var refusal = assertThrows(IllegalArgumentException.class, () -> new AdminOptions(json));
            assertTrue(String.valueOf(refusal.getMessage()).contains("environmentColour"), refusal::toString);
        }
    }

    @Test
    void theReferenceHasEachKeyWithItsDefault() throws IOException {
        var text = Files.readString(Path.of("docs/reference/admin.md"));
        var rows = text.substring(text.indexOf("## Options"))
                .lines()
                .filter(line -> line.matches("\\| [a-zA-Z]+ \\| `.*"))
                .map(line -> line.split(" *\\| *"))
                .collect(Collectors.toMap(cells -> cells[1], cells -> cells[2]));
        var expected = new TreeMap<String, String>();
        new AdminOptions()
                .toJson()
                .forEach(entry -> expected.put(entry.getKey(), "`" + Json.encode(entry.getValue()) + "`"));
        assertEquals(expected, new TreeMap<>(rows));
        assertTrue(text.contains("| " + String.join(", ", AdminOptions.ENVIRONMENT_COLOURS) + " |"), text);
    }
}
