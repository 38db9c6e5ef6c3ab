package io.shardbus.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigFileTest {
    @TempDir
    Path directory;

    @Test
    void takesCommentsAndTrailingCommas() throws IOException {
        var json = read("// first\n{ /* a\n number */ \"a\": 1, \"b\": {\"c\": [1.5, \"//no\",],}, // last\n}\n");
        var expected = new JsonObject()
                .put("a", 1)
                .put("b", new JsonObject().put("c", new JsonArray().add(1.5).add("//no")));
        assertEquals(expected, json);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{|  \"a\": 1,|  \"b\": x|}; line 3, column 10",
                "{|  \"a\": 1|  \"b\": 2|}; line 3, column 3",
                "{|  \"a\": 1,|  \"a\": 2|}; line 3, column 6",
                "{|  \"a\": 1|; line 3, column 1",
                "{}|{}; line 2, column 1",
                "[1]; line 1, column 1",
                "7; line 1, column 1"
            })
    void errorsNameFileLineAndColumn(String text, String place) throws IOException {
        var file = write(text.replace('|', '\n'));
        var message = assertThrows(IllegalArgumentException.class, () -> ConfigFile.read(file))
                .getMessage();
        assertTrue(message.startsWith("configuration file " + file + ", " + place + ": "), message);
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        var file = write("// nothing\n");
        var message = assertThrows(IllegalArgumentException.class, () -> ConfigFile.read(file))
                .getMessage();
        assertTrue(message.contains("not a JSON object"), message);
    }

    @Test
    void namesAFileThatIsNotThere() {
        var file = directory.resolve("none.json");
        var message = assertThrows(UncheckedIOException.class, () -> ConfigFile.read(file))
                .getMessage();
        assertTrue(message.contains("none.json"), message);
    }

    private JsonObject read(String text) throws IOException {
        return ConfigFile.read(write(text));
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("test.json"), text);
    }
}
