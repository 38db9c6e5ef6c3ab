package io.shardbus.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.shardbus.EntityType;
import io.shardbus.spi.PayloadCodec;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The form of messages")
@SuppressWarnings({"SameNameButDifferent", "UnusedNestedClass"})
class MessageFormTest {
    private static final PayloadCodec<String> CODEC = PayloadCodecs.forType(EntityType.of("t", String.class));

    @TempDir
    private Path directory;

    private interface Now {
        sealed interface Message {}

        record Put(long amount, List<Item> items) implements Message {}

        record Item(String name, Node next) {}

        record Node(Node next) {}
    }

    private interface Alike {
        sealed interface Message {}

        record Put(long amount, List<Integer> items) implements Message {}
    }

    private interface More {
        sealed interface Message {}

        record Put(long amount, List<Integer> items, String note) implements Message {}
    }

    private interface Another {
        sealed interface Message {}

        record Put(long amount, List<Integer> items) implements Message {}

        record Take(long amount) implements Message {}
    }

    private interface Deeper {
        sealed interface Message {}

        record Put(long amount, List<Item> items) implements Message {}

        record Item(String name, Node next, int more) {}

        record Node(Node next) {}
    }

    private interface Same {
        sealed interface Message {}

        record Put(long amount, List<Integer> items) implements Message {}
    }

    enum Colour {
        RED
    }

    /** The form of a message with this field, in a build where a line has these fields. */
    private int formOf(String field, String line) throws Exception {
        Path build = Files.createTempDirectory(directory, "build");
        String source = "import java.util.List; interface Build { record Put(" + field + " lines) {} record Line("
                + line + ") {} }";
        Path file = Files.writeString(build.resolve("Build.java"), source);
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", file.toString()));
        try (var loader = new URLClassLoader(new URL[] {build.toUri().toURL()}, null)) {
            return form(loader.loadClass("Build$Put"));
        }
    }

    private static int form(Class<?> messages) {
        return MessageForm.of(CODEC, messages);
    }

    @Test
    @DisplayName("is the same for the same records, and another one for other fields, records and types")
    void differs() {
        assertEquals(form(Alike.Message.class), form(Same.Message.class));
        assertNotEquals(form(Alike.Message.class), form(More.Message.class));
        assertNotEquals(form(Alike.Message.class), form(Another.Message.class));
        assertNotEquals(form(Alike.Message.class), form(Now.Message.class));
        assertNotEquals(form(Deeper.Message.class), form(Now.Message.class), "behind a list");
        assertNotEquals(form(Colour.class), form(String.class));
        for (Class<?> type : List.of(Now.Message.class, Colour.class, String.class)) {
            assertEquals(0, form(type) >>> 16);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Line",
                "List<Line>",
                "Line[]",
                "Line[][]",
                "List<Line[]>",
                "List<Line>[]",
                "List<? extends Line>",
                "List<? super Line>"
            })
    @DisplayName("is another one when a record came to have another field, however it is held")
    void looksInto(String field) throws Exception {
        assertEquals(formOf(field, "String text"), formOf(field, "String text"));
        assertNotEquals(formOf(field, "String text"), formOf(field, "String text, int more"));
    }
}
