package io.shardbus.logging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PrintableTextTest {
    @Test
    void aTextFromOutsideBeginsNoLineOfTheLog() {
        assertEquals("a?12:00 ERROR? \u00fc", PrintableText.of("a\n12:00 ERROR\r \u00fc"));
    }
}
