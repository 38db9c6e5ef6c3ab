package io.shardbus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextFieldsTest {
    @Test
    void fieldsComeBackWithAnyContent() {
        var text = new TextFields()
                .put(2, "a 3=1:b é")
                .put(1, "")
                .put(700, "later")
                .text();
        assertEquals("1=0: 2=9:a 3=1:b é 700=5:later ", text);
        var read = TextFields.parse(text).orElseThrow();
        assertEquals(Optional.of(""), read.get(1));
        assertEquals(Optional.of("a 3=1:b é"), read.get(2));
        assertEquals(Optional.empty(), read.get(3));
        assertEquals(text, read.text());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node life",
                "1",
                "1=",
                "1=5:hell",
                "1=5:hello",
                "1=5:hello2=1:a ",
                "1=999999999:a ",
                "=1:a ",
                "x=1:a "
            })
    void whatIsNoSuchTextIsNone(String text) {
        assertEquals(Optional.empty(), TextFields.parse(text));
    }
}
